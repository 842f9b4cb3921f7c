/** Elements that Markdown has something for. */
const FORMATTED =
  "h1,h2,h3,h4,h5,h6,b,strong,i,em,s,del,strike,a[href],ul,ol,blockquote,pre,code,table,hr,[class*=Mso]";
const FORMATTING =
  /(?<![\w-])(?:font-weight:\s*(?:bold|[6-9]00)|font-style:\s*(?:italic|oblique)|text-decoration[^:;]*:[^;]*line-through)/i;

/** Lines and spans that are Markdown already: heading, list, quote, fence, link, strong text, table. */
const MARKDOWN = /^ {0,3}(?:#{1,6} |[-*+] |\d{1,9}[.)] |> |```|~~~|\|.+\|)|\]\([^)\s]+\)|\*\*\S|^\[[^\]]+\]: /m;

/**
 * Whether the plain form of a clipboard is the better one: nothing is formatted, the text is Markdown that an editor coloured,
 * or it is no more than one link.
 */
export function isPlainAnyway(pasted: Document, html: string, text: string): boolean {
  if (text.trim() === "" && pasted.body.textContent?.trim() !== "") return false;
  if (!isFormatted(pasted)) return true;
  if (isFromCodeEditor(pasted, html)) return true;
  if (isOneLink(pasted, text)) return true;
  return MARKDOWN.test(text) && pasted.querySelector("h1,h2,h3,h4,h5,h6,ul,ol,table,blockquote,[class*=Mso]") === null;
}

function isFormatted(pasted: Document): boolean {
  if (pasted.querySelector(FORMATTED) !== null) return true;
  const styled = [...pasted.querySelectorAll("[data-style]")];
  return styled.some((element) => FORMATTING.test(element.getAttribute("data-style") ?? ""));
}

/** Editors of code copy coloured lines of a fixed width: what was meant is their text. */
function isFromCodeEditor(pasted: Document, html: string): boolean {
  const [only, ...others] = [...pasted.body.children].filter(({ localName }) => !["meta", "style"].includes(localName));
  if (only === undefined || others.length > 0) return /vscode-editor-data/.test(html);
  const style = only.getAttribute("data-style") ?? "";
  return only.localName === "div" && /white-space:\s*pre/.test(style) && /font-family/.test(style);
}

function isOneLink(pasted: Document, text: string): boolean {
  const links = pasted.querySelectorAll("a[href]");
  const link = links[0];
  if (links.length !== 1 || link === undefined) return false;
  const words = pasted.body.textContent?.trim();
  const target = link.getAttribute("href");
  return words === link.textContent?.trim() && (words === target || text.trim() === target);
}
