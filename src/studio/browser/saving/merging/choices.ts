import type { Conflict, Texts } from "../../ports.ts";
import { type Choice, merge, type Passage } from "./merge.ts";

export type Side = "mine" | "theirs" | "both";

/** One place where two texts differ and nobody but a person can say which is right. */
export interface Question {
  readonly part: "title" | "slug" | "excerpt" | "body";
  /** Index among the passages of the body; -1 for other parts. */
  readonly passage: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface Questions {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
  /** The text for the answers given, one for each question. */
  answer(sides: readonly Side[]): Texts;
}

/** Takes a conflict apart: what both agree on needs no answer. */
export function questionsOf({ base, mine, theirs }: Conflict): Questions {
  const merged = merge(base, mine, theirs);
  const { passages } = merged;
  const questions: Question[] = [];
  const parts: readonly (readonly ["title" | "slug" | "excerpt", boolean])[] = [
    ["title", merged.title === null],
    ["slug", merged.slug === null],
    ["excerpt", merged.excerpt === null],
  ];
  for (const [part, isOpen] of parts)
    if (isOpen)
      questions.push({ part, passage: -1, base: base[part] ?? "", mine: mine[part] ?? "", theirs: theirs[part] ?? "" });
  passages.forEach((passage, index) => {
    if (!passage.isAgreed) questions.push({ part: "body", passage: index, ...passage });
  });
  return {
    passages,
    questions,
    answer(sides) {
      const sideOf = (part: Question["part"], passage: number): Side =>
        sides[questions.findIndex((question) => question.part === part && question.passage === passage)] ?? "mine";
      const value = (part: "slug" | "excerpt", choice: Choice) =>
        choice === null ? (sideOf(part, -1) === "theirs" ? theirs : mine)[part] : choice.value;
      return {
        title: merged.title ?? (sideOf("title", -1) === "theirs" ? theirs : mine).title,
        body: passages
          .map((passage, index) => (passage.isAgreed ? passage.text : textOf(passage, sideOf("body", index))))
          .join(""),
        slug: value("slug", merged.slug),
        excerpt: value("excerpt", merged.excerpt),
      };
    },
  };
}

function textOf({ mine, theirs }: { readonly mine: string; readonly theirs: string }, side: Side): string {
  if (side === "mine") return mine;
  if (side === "theirs") return theirs;
  const gap = mine === "" || mine.endsWith("\n") ? "" : "\n";
  return mine + gap + theirs;
}
