import type { SyntaxNode, SyntaxNodeRef, Tree, TreeCursor } from "@lezer/common";
import { isLinkedAddress } from "../../../../domain/posts/linked-addresses.ts";
import { NO_ALTERNATIVE_TEXT, ONLY_LINKED } from "../../publishing/checks.ts";

/** Something in the text that a person may want to mend. */
export interface Note {
  readonly kind: "no-alternative-text" | "level" | "left-out" | "html";
  /** Place to go to, in the text with LF alone. */
  readonly from: number;
  readonly sentence: string;
}

/** Nodes in which `<b>` is no HTML, but code, part of an address, or escaped. */
const NO_HTML = new Set(["InlineCode", "Autolink", "Escape", "URL", "LinkTitle", "LinkLabel"]);
const WHAT = { Image: "picture", Link: "link" };
const EMPTY_END = /\(\s*\)$/;
/** Elements of HTML and its comments. Other words in angle brackets, such as `<name>`, are meant as they stand. */
const HTML = new RegExp(
  String.raw`<!--|</?(?:${[
    ...[
      "a",
      "abbr",
      "audio",
      "b",
      "big",
      "blockquote",
      "br",
      "button",
      "center",
      "cite",
      "code",
      "dd",
      "del",
      "details",
    ],
    ...["div", "dl", "dt", "em", "figcaption", "figure", "font", "form", "h[1-6]", "hr", "i", "iframe", "img", "input"],
    ...[
      "ins",
      "kbd",
      "li",
      "mark",
      "ol",
      "p",
      "picture",
      "pre",
      "q",
      "s",
      "samp",
      "script",
      "section",
      "small",
      "source",
    ],
    ...[
      "span",
      "strike",
      "strong",
      "style",
      "sub",
      "summary",
      "sup",
      "svg",
      "table",
      "tbody",
      "td",
      "th",
      "thead",
      "tr",
    ],
    ...["tt", "u", "ul", "video"],
  ].join("|")})(?:\s[^<>]*)?/?>`,
  "gi",
);

/** Notes after which no more are looked for: a text with so many is seldom written by hand. */
export const MOST_NOTES = 500;
const LEVELS: ReadonlyMap<string, number> = new Map(
  [1, 2, 3, 4, 5, 6].flatMap((level) => [
    [`ATXHeading${level}`, level] as const,
    [`SetextHeading${level}`, level] as const,
  ]),
);

/**
 * Finds what readers will miss, by the syntax of the text. A long text takes long: each step reads one block.
 *
 * @param text the whole text, of which `tree` is the syntax
 */
export function* findNotes(tree: Tree, text: string): Generator<undefined, Note[]> {
  const search = new Search(tree, text);
  const block = tree.cursor();
  if (block.firstChild())
    do {
      search.readBlock(block);
      yield;
    } while (search.isOpen && block.nextSibling());
  return search.notes();
}

class Search {
  readonly #tree: Tree;
  readonly #text: string;
  readonly #notes: Note[] = [];
  readonly #labels = new Set<string>();
  /** Pictures whose address stands elsewhere, if anywhere. */
  readonly #referring: { readonly label: string; readonly note: Note }[] = [];
  /** The title has level 1. */
  #level = 1;
  /** End of the last block with HTML. */
  #htmlEnd = -2;

  constructor(tree: Tree, text: string) {
    this.#tree = tree;
    this.#text = text;
  }

  get isOpen(): boolean {
    return this.#notes.length < MOST_NOTES;
  }

  notes(): Note[] {
    const found = this.#referring.filter(({ label }) => this.#labels.has(label)).map(({ note }) => note);
    return [...this.#notes, ...found].sort((a, b) => a.from - b.from).slice(0, MOST_NOTES);
  }

  /** Leaves the cursor where it is. */
  readBlock(block: TreeCursor): void {
    block.iterate((node) => this.#enter(node));
  }

  #enter(node: SyntaxNodeRef): boolean {
    const { name, from, to } = node;
    if (name === "FencedCode" || name === "CodeBlock" || name === "InlineCode") return false;
    const level = LEVELS.get(name);
    if (level !== undefined) {
      const sentence = levelSentence(this.#level, level);
      if (sentence !== null) this.#add("level", from, sentence);
      this.#level = level;
    }
    if (level !== undefined || name === "Paragraph" || name === "TableCell") this.#readHtml(from, to);
    else if (name === "Image" || name === "Link") this.#readLink(name, node);
    else if (name === "URL") this.#readAddress(node);
    else if (name === "LinkReference") this.#labels.add(labelKey(textOf(node.node.getChild("LinkLabel"), this.#text)));
    return true;
  }

  /** Lines of HTML that the parser takes for paragraphs of their own are one for the server. */
  #readHtml(from: number, to: number): void {
    const goesOn = from === this.#htmlEnd + 1;
    const place = goesOn ? null : htmlIn(from, to, this.#tree, this.#text);
    if (goesOn || place !== null) this.#htmlEnd = to;
    if (place !== null) this.#add("html", place, "HTML is shown as text here. Write Markdown instead.");
  }

  #readLink(name: "Image" | "Link", node: SyntaxNodeRef): void {
    const text = this.#text;
    const isBare = EMPTY_END.test(text.slice(Math.max(node.from, node.to - 9), node.to)) && hasNoAddress(node.node);
    if (isBare) this.#add("left-out", node.to - 1, `This ${WHAT[name]} has no address.`);
    if (name === "Link") return;
    const { alternative, label } = partsOfImage(node.node, text);
    if (alternative.trim() !== "") return;
    const sentence = `This picture ${NO_ALTERNATIVE_TEXT.one}`;
    const note: Note = { kind: "no-alternative-text", from: node.from + 2, sentence };
    if (label === null || isBare) this.#notes.push(note);
    else this.#referring.push({ label, note });
  }

  #readAddress(node: SyntaxNodeRef): void {
    const address = addressOf(this.#text.slice(node.from, node.to));
    if (address !== "" && isLinkedAddress(address)) return;
    const what = WHAT[node.node.parent?.name === "Image" ? "Image" : "Link"];
    if (address === "") this.#add("left-out", node.from, `This ${what} has no address.`);
    else this.#add("left-out", node.from, `This ${what} is left out, because ${ONLY_LINKED}.`);
  }

  #add(kind: Note["kind"], from: number, sentence: string): void {
    this.#notes.push({ kind, from, sentence });
  }
}

function levelSentence(before: number, level: number): string | null {
  if (level === 1) return "This heading has level 1, as the title has. Begin with level 2.";
  if (level <= before + 1) return null;
  return `This heading skips a level: level ${before + 1} comes before level ${level}.`;
}

/** Place of the first HTML in a block of text, or null. */
function htmlIn(from: number, to: number, tree: Tree, text: string): number | null {
  for (const { index } of text.slice(from, to).matchAll(HTML)) {
    let node: SyntaxNode | null = tree.resolveInner(from + index, 1);
    while (node !== null && node.to <= to && !NO_HTML.has(node.name)) node = node.parent;
    if (node === null || !NO_HTML.has(node.name)) return from + index;
  }
  return null;
}

/** @returns `label`: null for a picture with an address of its own */
function partsOfImage(
  image: SyntaxNode,
  text: string,
): { readonly alternative: string; readonly label: string | null } {
  const end = image.getChildren("LinkMark")[1]?.from ?? image.to;
  const alternative = text.slice(image.from + 2, end);
  if (image.getChild("URL") !== null) return { alternative, label: null };
  const label = textOf(image.getChild("LinkLabel"), text);
  return { alternative, label: labelKey(label.length > 2 ? label : `[${alternative}]`) };
}

/** Whether it ends with `()`. */
function hasNoAddress(node: SyntaxNode): boolean {
  return node.getChild("URL") === null && node.getChildren("LinkMark").length > 3;
}

function textOf(node: SyntaxNode | null, text: string): string {
  return node === null ? "" : text.slice(node.from, node.to);
}

/** Labels are the same whatever their case and their white space (CommonMark, matches). */
function labelKey(label: string): string {
  return label.slice(1, -1).trim().replaceAll(/\s+/g, " ").toLowerCase();
}

/** The address as it is meant: without angle brackets, marks for escaping and the character references that matter in a scheme. */
function addressOf(written: string): string {
  return written
    .replace(/^<([\s\S]*)>$/, "$1")
    .replaceAll(/&colon;|&#58;|&#x3a;/gi, ":")
    .replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
}
