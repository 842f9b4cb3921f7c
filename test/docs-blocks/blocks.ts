import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** Ways in which a block of code is checked; `none` needs a reason why it is not. */
export const KINDS = ["run", "type", "schema", "output", "none"] as const;
export type Kind = (typeof KINDS)[number];

/** A fenced block of code, as its document has it. */
export interface Block {
  /** Path from the root of the project. */
  readonly document: string;
  /** Line of the fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** null: the block says nothing, or a word that is not a kind. */
  readonly kind: Kind | null;
  /** Text after the kind and a colon: the file that the block is, or the reason of `none`. Empty without it. */
  readonly detail: string;
  /** Its lines, without the indentation of the list that the block stands in. */
  readonly text: string;
}

/** Documents with blocks, as paths from the root. */
export function listDocuments(): string[] {
  return ["*.md", "docs/**/*.md", "examples/*/README.md", "src/**/README.md"]
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
    .sort();
}

/** @returns the blocks of a document, in its order */
export function readBlocks(document: string, text = readFileSync(join(ROOT, document), "utf8")): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const opening = /^( *)(```+)(\S*) *(.*)$/.exec(lines[at] ?? "");
    if (opening === null) continue;
    const [, indent = "", fence = "", language = "", mark = ""] = opening;
    const line = at + 1;
    const end = lines.findIndex((candidate, index) => index > at && candidate.trim() === fence);
    if (end < 0) throw new Error(`${document}:${line}: the block does not end`);
    const body = lines.slice(at + 1, end).map((one) => one.slice(Math.min(indent.length, one.search(/\S|$/))));
    const [, word = "", detail = ""] = /^(\w+)(?:: *(.*))?$/.exec(mark.trim()) ?? [];
    const kind = KINDS.find((one) => one === word) ?? null;
    blocks.push({ document, line, language, kind, detail: detail.trim(), text: `${body.join("\n")}\n` });
    at = end;
  }
  return blocks;
}

/** @returns the blocks of all documents */
export function readAllBlocks(): Block[] {
  return listDocuments().flatMap((document) => readBlocks(document));
}

/** @returns the reason why the mark of a block is not good; null for a good one */
export function complaintAbout({ document, line, language, kind, detail }: Block): string | null {
  const place = `${document}:${line}`;
  if (kind === null) return `${place}: \`\`\`${language} says nothing of how it is checked`;
  if (language === "") return `${place}: names no language`;
  if (kind === "none" && detail.length < 10) return `${place}: none needs its reason`;
  if (kind === "schema" && language !== "graphql") return `${place}: only GraphQL is checked against the schema`;
  if (kind === "type" && !["ts", "tsx", "js"].includes(language)) return `${place}: ${language} has no types`;
  if (["run", "type"].includes(kind) && /[^\w./@[\]-]/.test(detail)) return `${place}: ${detail} is no name of a file`;
  return null;
}
