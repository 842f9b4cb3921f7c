import type { Outcome } from "./edit.ts";
import { addTable, indentItems, toggleHeading, toggleList, toggleQuote } from "./lines.ts";
import { makeLink, type Passage, toggleCode, toggleMark } from "./marks.ts";

/** A change of the text that a button or a key asks for. Both surfaces run it on the lines of their selection. */
export interface Command {
  readonly label: string;
  /** As CodeMirror writes them: `Mod` is Cmd on Apple's keyboards and Ctrl elsewhere. */
  readonly key: string | null;
  /** Null where there is nothing to do, so that the key keeps its meaning in the browser. */
  apply(passage: Passage): Outcome | null;
}

export const COMMANDS = {
  bold: { label: "Bold", key: "Mod-b", apply: (passage) => toggleMark(passage, "**") },
  italic: { label: "Italic", key: "Mod-i", apply: (passage) => toggleMark(passage, "*") },
  strike: { label: "Strikethrough", key: "Mod-Shift-x", apply: (passage) => toggleMark(passage, "~~") },
  link: { label: "Link", key: "Mod-k", apply: (passage) => makeLink(passage) },
  heading2: { label: "Heading", key: "Mod-Alt-2", apply: (passage) => toggleHeading(passage, 2) },
  heading3: { label: "Subheading", key: "Mod-Alt-3", apply: (passage) => toggleHeading(passage, 3) },
  bullets: { label: "Bullet list", key: "Mod-Shift-8", apply: (passage) => toggleList(passage, "bullets") },
  numbers: { label: "Numbered list", key: "Mod-Shift-7", apply: (passage) => toggleList(passage, "numbers") },
  quote: { label: "Quote", key: "Mod-Shift-9", apply: (passage) => toggleQuote(passage) },
  code: { label: "Code", key: "Mod-e", apply: (passage) => toggleCode(passage) },
  table: { label: "Table", key: null, apply: (passage) => addTable(passage) },
  indent: { label: "Item one level in", key: "Mod-]", apply: (passage) => indentItems(passage, 1) },
  outdent: { label: "Item one level out", key: "Mod-[", apply: (passage) => indentItems(passage, -1) },
} as const satisfies Record<string, Command>;

/** The key of the link is the palette's, unless text is selected that can become a link. */
export function answersKey(command: Command, { from, to }: Passage): boolean {
  return command !== COMMANDS.link || from < to;
}

/** Whether Cmd does what Ctrl does elsewhere. */
export function isApple(): boolean {
  return /Mac|iP(?:hone|ad|od)/.test(globalThis.navigator?.platform ?? "");
}

/** The key as people read it, such as `Ctrl+Shift+8`. */
export function keyName(key: string, isApple: boolean): string {
  const parts = key.split("-").map((part) => (part.length === 1 ? part.toUpperCase() : part));
  if (!isApple) return parts.map((part) => (part === "Mod" ? "Ctrl" : part)).join("+");
  const signs: Readonly<Record<string, string>> = { Mod: "⌘", Alt: "⌥", Shift: "⇧" };
  return parts.map((part) => signs[part] ?? part).join("");
}
