import "./parser-by-policy.ts"; // until Turndown is loaded
import Turndown from "turndown";
import "./own-parser.ts";
import { clean } from "./clean.ts";
import { escapeMarkdown } from "./escape.ts";
import { tableToMarkdown } from "./tables.ts";

const converter = new Turndown({
  headingStyle: "atx",
  hr: "---",
  bulletListMarker: "-",
  codeBlockStyle: "fenced",
  emDelimiter: "*",
  br: "\\",
});
converter.escape = escapeMarkdown;
converter.addRule("strikethrough", {
  filter: ["del", "s", "strike" as "s"],
  replacement: (content) => (content.trim() === "" ? content : `~~${content}~~`),
});
converter.addRule("item", {
  filter: "li",
  replacement(content, node, options) {
    const list = node.parentElement;
    const items = [...(list?.children ?? [])].filter(({ localName }) => localName === "li");
    const first = Number(list?.getAttribute("start") ?? 1);
    const marker = list?.localName === "ol" ? `${first + items.indexOf(node)}. ` : `${options.bulletListMarker} `;
    const text = content.replace(/^\n+|\n+$/g, "").replaceAll("\n", `\n${" ".repeat(marker.length)}`);
    return `${marker}${text.replaceAll(/^[ \t]+$/gm, "")}${node.nextElementSibling === null ? "" : "\n"}`;
  },
});
converter.addRule("table", {
  filter: "table",
  replacement: (_content, node) => tableToMarkdown(node as HTMLTableElement, (cell) => converter.turndown(cell)),
});
converter.addRule("link", {
  filter: (node) => node.nodeName === "A" && !/^(?:https?|mailto):/i.test(node.getAttribute("href") ?? ""),
  replacement: (content) => content,
});
converter.addRule("picture", {
  filter: "img",
  replacement(_content, node) {
    const alt = (node.getAttribute("alt") ?? "").replaceAll(/\s+/g, " ").replaceAll(/[[\]]/g, "\\$&");
    return `![${alt}](${(node.getAttribute("src") ?? "").replaceAll(/[\s()]/g, encodeURIComponent)})`;
  },
});

/** Markdown for a document from the clipboard, without blanks around it. */
export function toMarkdown(page: Document): string {
  return converter
    .turndown(clean(page))
    .replaceAll("\u00a0", " ")
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
