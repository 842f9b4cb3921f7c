import { useMemo, useState } from "preact/hooks";
import { Dialog } from "../../frame/dialog.tsx";
import type { Conflict, Texts } from "../../ports.ts";
import { type Question, questionsOf, type Side } from "./choices.ts";
import { SideBySide } from "./side-by-side.tsx";

interface CompareProps {
  readonly conflict: Conflict;
  readonly onChoose: (choice: "mine" | "theirs" | Texts) => void;
  readonly onClose: () => void;
}

const SIDES: readonly (readonly [Side, string])[] = [
  ["mine", "Mine"],
  ["theirs", "Theirs"],
  ["both", "Both, mine first"],
];

/** Both texts, passage by passage, all by keyboard; side by side in whole when asked for (S33). */
export function Compare({ conflict, onChoose, onClose }: CompareProps) {
  // The conflict as it was when the dialog was opened: its questions do not move while they are read.
  const [shown] = useState(conflict);
  const { questions, answer } = useMemo(() => questionsOf(shown), [shown]);
  const [sides, choose] = useState<readonly Side[]>(() => questions.map(() => "mine"));
  const [isWhole, showWhole] = useState(false);
  const them = shown.by ?? "Somebody else";
  return (
    <Dialog title="Compare the two texts" kind="wide" onClose={onClose}>
      <p class="muted">
        {count(questions.length)} you and {them} changed differently. Everything else is merged already.
      </p>
      <button type="button" class="link" aria-pressed={isWhole} onClick={() => showWhole(!isWhole)}>
        {isWhole ? "Show passages only" : "Show the whole texts side by side"}
      </button>
      {isWhole && <SideBySide mine={shown.mine.body} theirs={shown.theirs.body} by={them} />}
      <ol class="passages">
        {questions.map((question, index) => (
          <li key={`${question.part}${question.passage}`}>
            <PassageChoice
              question={question}
              number={index + 1}
              by={them}
              side={sides[index] ?? "mine"}
              onChange={(side) => choose(sides.map((other, place) => (place === index ? side : other)))}
            />
          </li>
        ))}
      </ol>
      <div class="dialog-actions">
        <button type="button" onClick={() => onChoose("theirs")}>
          Take all of theirs
        </button>
        <button type="button" onClick={() => onChoose("mine")}>
          Keep all of mine
        </button>
        <button type="button" class="primary" onClick={() => onChoose(answer(sides))}>
          Use these passages
        </button>
      </div>
    </Dialog>
  );
}

interface PassageProps {
  readonly question: Question;
  readonly number: number;
  readonly by: string;
  readonly side: Side;
  readonly onChange: (side: Side) => void;
}

function PassageChoice({ question, number, by, side, onChange }: PassageProps) {
  const { part, mine, theirs } = question;
  const name = part === "body" ? `Passage ${number}` : PART_NAMES[part];
  return (
    <fieldset class="passage">
      <legend>{name}</legend>
      <div class="passage-texts">
        <Text heading="Mine" text={mine} isChosen={side !== "theirs"} />
        <Text heading={by} text={theirs} isChosen={side !== "mine"} />
      </div>
      <div class="passage-sides">
        {SIDES.filter(([value]) => value !== "both" || part === "body").map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={`side-${number}`}
              value={value}
              checked={side === value}
              onChange={() => onChange(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const PART_NAMES = { title: "Title", slug: "Address", excerpt: "Excerpt" } as const;

function Text({
  heading,
  text,
  isChosen,
}: {
  readonly heading: string;
  readonly text: string;
  readonly isChosen: boolean;
}) {
  return (
    <div class={isChosen ? "passage-text chosen" : "passage-text"}>
      <h3>{heading}</h3>
      {text.trim() === "" ? <p class="muted">Nothing</p> : <pre dir="auto">{text}</pre>}
    </div>
  );
}

function count(questions: number): string {
  return questions === 1 ? "This is the one place that" : `These are the ${questions} places that`;
}
