import { mendWordLists } from "./word-lists.ts";

const GONE = "meta, link, style, script, title, head, xml, template, noscript, colgroup, col, o\\:p:empty, [hidden]";
/** Elements between which text stands in lines of its own. */
const BLOCK = /^(?:p|div|h[1-6]|ul|ol|li|table|blockquote|pre|section|article|header|footer|figure)$/;

/** Mends what programs put into their clipboards, so that every part is an element that Markdown has something for. */
export function clean(page: Document): HTMLElement {
  const { body } = page;
  for (const element of body.querySelectorAll(GONE)) element.remove();
  mendWordLists(body);
  unwrapWrappers(body);
  for (const element of [...body.querySelectorAll<HTMLElement>("span, font, b, strong, i, em, a, p, div, td, th")])
    mendStyle(element);
  for (const element of [...body.querySelectorAll("o\\:p, font")]) element.replaceWith(...element.childNodes);
  for (const lineBreak of [...body.querySelectorAll("br")]) if (isEmptyBreak(lineBreak)) lineBreak.remove();
  for (const block of body.querySelectorAll("pre"))
    if (block.firstElementChild?.localName !== "code") wrapContent(block, "code");
  mendNestedLists(body);
  for (const list of body.querySelectorAll("ul, ol")) for (const item of list.children) unwrapParagraph(item);
  for (const picture of [...body.querySelectorAll("img")])
    if (!/^https?:/i.test(picture.getAttribute("src") ?? "")) picture.remove();
  return body;
}

/** Google Docs wraps everything into a `<b>` that is not bold; others into a `<div>` or `<span>` for the whole. */
function unwrapWrappers(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll<HTMLElement>("b, strong, i, em")]) {
    const style = element.getAttribute("data-style") ?? "";
    const isNormal = /^(?:b|strong)$/.test(element.localName)
      ? /(?<![\w-])font-weight:\s*(?:normal|400)/i.test(style)
      : /(?<![\w-])font-style:\s*normal/i.test(style);
    const holdsBlocks = [...element.children].some(({ localName }) => BLOCK.test(localName));
    if (isNormal || holdsBlocks) element.replaceWith(...element.childNodes);
  }
}

/** Says with elements what is said with styles. */
function mendStyle(element: HTMLElement): void {
  const style = element.getAttribute("data-style") ?? "";
  if (style === "" || element.textContent?.trim() === "") return;
  const isHeading = element.closest("h1, h2, h3, h4, h5, h6") !== null;
  const weight = /(?<![\w-])font-weight:\s*(bold(?:er)?|[6-9]00)/i.test(style);
  if (weight && !isHeading && element.closest("b, strong, th") === null) wrapContent(element, "strong");
  if (/(?<![\w-])font-style:\s*(?:italic|oblique)/i.test(style) && element.closest("i, em") === null)
    wrapContent(element, "em");
  if (/text-decoration[^:;]*:[^;]*line-through/i.test(style) && element.closest("s, del, strike") === null)
    wrapContent(element, "s");
}

function wrapContent(element: Element, name: string): void {
  const holder = element.ownerDocument.createElement(name);
  holder.append(...element.childNodes);
  element.append(holder);
}

/** A line break that ends a block, or stands between blocks, breaks no line. */
function isEmptyBreak(lineBreak: HTMLElement): boolean {
  const isBlock = (node: Node | null) => node === null || BLOCK.test(node.nodeName.toLowerCase());
  return (
    isBlock(nextFilled(lineBreak)) ||
    (lineBreak.parentElement?.localName === "body" && isBlock(lineBreak.previousSibling))
  );
}

function nextFilled(node: Node): Node | null {
  let next = node.nextSibling;
  while (next !== null && next.textContent?.trim() === "" && next.nodeName !== "BR" && next.nodeName !== "IMG")
    next = next.nextSibling;
  return next;
}

/** Lists directly in lists, as Google Docs and LibreOffice have them, belong to the item before. */
function mendNestedLists(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll("ul > ul, ul > ol, ol > ul, ol > ol")]) {
    const before = list.previousElementSibling;
    if (before?.localName === "li") before.append(list);
  }
}

/** An item with one paragraph is one line, not a loose list. */
function unwrapParagraph(item: Element): void {
  const [first] = item.children;
  const isAlone = [...item.childNodes].every(
    (node) => node === first || node.textContent?.trim() === "" || /^(?:UL|OL)$/.test(node.nodeName),
  );
  if (first?.localName === "p" && isAlone) first.replaceWith(...first.childNodes);
}
