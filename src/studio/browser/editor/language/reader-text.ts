import type { SyntaxNodeRef, Tree } from "@lezer/common";

/** Nodes whose characters readers do not see. */
const HIDDEN = new Set([
  ...["HeaderMark", "QuoteMark", "ListMark", "LinkMark", "EmphasisMark", "CodeMark", "CodeInfo", "URL", "LinkTitle"],
  ...["LinkLabel", "TableDelimiter", "HardBreak", "StrikethroughMark", "HorizontalRule"],
]);
/** Blocks that hold text of their own, and end where the next one begins. */
const LEAVES = /^(?:Paragraph|ATXHeading\d|SetextHeading\d|FencedCode|CodeBlock|TableCell)$/;

/**
 * The text that the server counts words in (`src/markdown`): without marks, blocks apart.
 *
 * @param text the whole text, of which `tree` is the syntax
 */
export function readerText(tree: Tree, text: string): string {
  const parts: string[] = [];
  let at = 0;
  let depth = 0;
  const take = (to: number) => {
    if (depth > 0 && to > at) parts.push(text.slice(at, to));
    at = Math.max(at, to);
  };
  tree.iterate({
    enter(node) {
      if (LEAVES.test(node.name)) {
        at = node.from;
        depth++;
        return true;
      }
      if (node.name === "LinkReference") return false;
      if (depth === 0) return true;
      return enterInline(node, text, parts, take, (to) => {
        at = to;
      });
    },
    leave(node) {
      if (!LEAVES.test(node.name)) return;
      take(node.to);
      parts.push("\n");
      depth--;
    },
  });
  return parts.join("");
}

function enterInline(
  node: SyntaxNodeRef,
  text: string,
  parts: string[],
  take: (to: number) => void,
  skip: (to: number) => void,
): boolean {
  if (node.name === "Entity") {
    take(node.from);
    parts.push(character(text.slice(node.from, node.to)));
    skip(node.to);
    return false;
  }
  if (node.name === "Escape") {
    take(node.from);
    skip(node.from + 1);
    return false;
  }
  if (!HIDDEN.has(node.name) || isShown(node, text)) return true;
  take(node.from);
  if (node.name === "HardBreak") parts.push(" ");
  skip(node.to);
  return false;
}

/** The URL of `<https://a.example>` is its text, and a label is the text of a link that is nothing else. */
function isShown(node: SyntaxNodeRef, text: string): boolean {
  if (node.name === "URL") return node.node.parent?.name === "Autolink";
  return node.name === "LinkLabel" && text[node.from - 1] !== "]";
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0" };
/** Names of letters, such as `&eacute;`: any letter counts as they do. */
const LETTER = /^[a-z]{1,2}(?:acute|grave|circ|uml|tilde|cedil|ring|slash|lig|caron)$/i;

function character(entity: string): string {
  const number = /^&#(?:x([\da-f]+)|(\d+));$/i.exec(entity);
  if (number !== null) {
    const point = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd";
  }
  const name = entity.slice(1, -1);
  return NAMED[name] ?? (LETTER.test(name) ? "a" : "·");
}
