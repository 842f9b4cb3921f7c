/** `mso-list: l0 level2 lfo1` */
const LIST = /mso-list:\s*(l\d+)\s+level(\d+)\s+lfo(\d+)/i;
const NUMBER = /^\(?(?:\d+|[a-z]{1,4})[.)]/i;

/**
 * Makes lists of Word's items, which are paragraphs with a style of their own and a marker in the text, kept apart by
 * `mso-list:Ignore` or by conditional comments.
 */
export function mendWordLists(body: HTMLElement): void {
  let open: {
    readonly list: string;
    readonly stack: { readonly level: number; readonly element: HTMLElement }[];
  } | null = null;
  for (const paragraph of [...body.querySelectorAll<HTMLElement>("p, h1, h2, h3, h4, h5, h6")]) {
    const match = LIST.exec(paragraph.getAttribute("data-style") ?? "");
    if (match === null) {
      open = null;
      continue;
    }
    const [, list = "", level = "1"] = match;
    const marker = takeMarker(paragraph);
    const isNumbered = NUMBER.test(marker);
    const follows = open !== null && open.list === list && followsDirectly(open.stack[0]?.element, paragraph);
    if (!follows) open = { list, stack: [] };
    addItem(open as NonNullable<typeof open>, Number(level), isNumbered, Number.parseInt(marker, 10), paragraph);
  }
}

function addItem(
  open: { readonly stack: { readonly level: number; readonly element: HTMLElement }[] },
  level: number,
  isNumbered: boolean,
  number: number,
  paragraph: HTMLElement,
): void {
  const { stack } = open;
  const page = paragraph.ownerDocument;
  while (stack.length > 1 && (stack.at(-1)?.level ?? 0) > level) stack.pop();
  let current = stack.at(-1);
  if (current === undefined || current.level < level) {
    const element = page.createElement(isNumbered ? "ol" : "ul");
    if (isNumbered && number > 1) element.setAttribute("start", String(number));
    if (current === undefined) paragraph.before(element);
    else (current.element.lastElementChild ?? current.element).append(element);
    current = { level, element };
    stack.push(current);
  }
  const item = page.createElement("li");
  item.append(...paragraph.childNodes);
  current.element.append(item);
  paragraph.remove();
}

/** Whether nothing but blanks stands between a list and a paragraph. */
function followsDirectly(list: HTMLElement | undefined, paragraph: HTMLElement): boolean {
  let node: Node | null = paragraph.previousSibling;
  while (node !== null && node !== list && (node.nodeType === 8 || node.textContent?.trim() === ""))
    node = node.previousSibling;
  return node === list && list !== undefined;
}

/** Removes the marker that Word writes into the text. @returns the marker */
function takeMarker(paragraph: HTMLElement): string {
  const ignored = [...paragraph.querySelectorAll<HTMLElement>("span")].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute("data-style") ?? ""),
  );
  if (ignored === undefined) return "";
  const marker = ignored.textContent?.trim() ?? "";
  ignored.remove();
  return marker;
}
