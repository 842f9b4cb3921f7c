import { loadPart } from "../../frame/document/parts.ts";
import { trustedHtml } from "../../frame/document/trusted-html.ts";
import type { Studio } from "../../ports.ts";
import { withLf } from "../text/line-endings.ts";
import { isAddress, makeLink } from "../text/marks.ts";
import type { Surface } from "../text/surface.ts";
import { isPlainAnyway } from "./judge.ts";

/** Moment of the last Ctrl+Shift+V: browsers give such a paste its formatting all the same. */
let plainAsked = Number.NEGATIVE_INFINITY;
/** Milliseconds between that key and the paste. */
const SOON = 1_000;

/** Notes the key for pasting without formatting. */
export function watchPlainPaste(event: KeyboardEvent): void {
  const isKey = event.key.toLowerCase() === "v" && event.shiftKey && (event.ctrlKey || event.metaKey);
  if (isKey) plainAsked = event.timeStamp;
}

/**
 * Pastes rich text as Markdown, in one undo step, and a URL over selected text as a link. Everything else is left to the
 * surface, which pastes plain text.
 *
 * @returns whether it took care of the paste
 */
export function handlePaste(event: ClipboardEvent, surface: Surface, studio: Studio): boolean {
  const data = event.clipboardData;
  if (data === null || event.timeStamp - plainAsked < SOON) return false;
  const [html, text] = [data.getData("text/html"), withLf(data.getData("text/plain"))];
  const { anchor, head } = surface.place().selection;
  if (anchor !== head && isAddress(text.trim())) {
    event.preventDefault();
    surface.run({ label: "Link", key: null, apply: (passage) => makeLink(passage, text.trim()) });
    return true;
  }
  if (html === "") return false;
  const pasted = parseHtml(html);
  if (isPlainAnyway(pasted, html, text)) return false;
  event.preventDefault();
  void pasteRich(pasted, text, surface, studio);
  return true;
}

const TAG = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi;

/**
 * A document apart from the page: nothing in it runs or loads. Its styles are read as `data-style`, because the policy of the
 * page, which forbids inline styles, holds for it too.
 */
function parseHtml(html: string): Document {
  const unstyled = html
    .replaceAll(/<style[\s>][\s\S]*?<\/style>/gi, "")
    .replaceAll(TAG, (tag) => tag.replaceAll(/\sstyle\s*=/gi, " data-style="));
  return new DOMParser().parseFromString(trustedHtml(unstyled), "text/html");
}

async function pasteRich(pasted: Document, text: string, surface: Surface, studio: Studio): Promise<void> {
  let markdown = text;
  try {
    const { toMarkdown } = await loadConverter();
    markdown = toMarkdown(pasted);
  } catch {
    studio.notify("Pasted without formatting: a part of the studio could not be loaded. Undo, and paste again.");
  }
  const edit = surface.insert(markdown);
  if (markdown === text || text === "") return;
  studio.notify("Pasted with its formatting.", {
    label: "Paste as plain text",
    run() {
      const now = withLf(surface.text());
      if (!now.startsWith(edit.insert, edit.from)) return;
      surface.undo();
      surface.insert(text);
    },
  });
}

const loadConverter = () => loadPart("editor/paste/to-markdown", () => import("./to-markdown.ts"));

/** Loads the converter before it is needed. */
export function prepareRichPaste(): void {
  void loadConverter().catch(() => {});
}
