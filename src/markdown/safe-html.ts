import sanitizeHtml from "sanitize-html";
import { LINKED_SCHEMES } from "../domain/posts/linked-addresses.ts";

/** The elements that the HTML of a body may have. Anything else is left out, its text stays. */
const TAGS = [
  ...["a", "blockquote", "br", "code", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p", "pre"],
  ...["s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"],
];

/** Links give the linked site neither rank nor the URL of the page, and no access to its window. */
const REL = "nofollow noopener noreferrer";

const options: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: { a: ["href", "title", "rel"], img: ["src", "alt", "title"], ol: ["start"], code: ["class"] },
  allowedClasses: { code: ["language-*"] },
  allowedSchemes: [...LINKED_SCHEMES],
  allowProtocolRelative: false,
  parseStyleAttributes: false,
  transformTags: { a: sanitizeHtml.simpleTransform("a", { rel: REL }) },
};

/** HTML of allowed tags without attributes has nothing to be taken out. */
const PLAIN = new RegExp(`^[^<]*(?:</?(?:${TAGS.join("|")})>[^<]*)*$`);

/** A URL of an allowed scheme, or one without a scheme on the same host, in characters that need no second look. */
const URL = String.raw`(?:https?://|mailto:|#|/(?!/)|[\w.-]+(?=["/?#]))(?:[\w\-.~:/?#[\]@!$'()*+,;=%]|&amp;)*`;
const TEXT = '(?:[^"&<>]|&(?:amp|lt|gt|quot);)';
const TITLE = `(?: title="${TEXT}+")?`;

/** Every tag and every character reference that the renderer writes, and each mark that is none of them. */
const MARKS = new RegExp(
  [
    `<(br|hr|img src="${URL}" alt="${TEXT}*"${TITLE})>`,
    `</?(?:${TAGS.filter((tag) => !["br", "hr", "img"].includes(tag)).join("|")})>`,
    `<(a href="${URL}"${TITLE})>`,
    String.raw`<(?:ol start="\d+"|code class="language-[\w+#.-]+")>`,
    '<(t[hd]) style="text-align:(?:left|center|right)">',
    "(&quot;)|&(?:amp|lt|gt);",
    "([&<>])",
  ].join("|"),
  "g",
);

/**
 * Makes HTML from markdown-it safe to show, with the same result as sanitize-html, byte for byte. Tags that are
 * known exactly need no parser, which takes as long as everything else; any other tag sends the whole text through it.
 */
export function safeHtml(html: string): string {
  if (PLAIN.test(html)) return html;
  return withKnownTags(html) ?? sanitized(html);
}

/** By a parser, whatever the HTML is. */
export function sanitized(html: string): string {
  return sanitizeHtml(html, options);
}

/** Null for HTML with any other mark. */
export function withKnownTags(html: string): string | null {
  let isKnown = true;
  let isInLink = false;
  const safe = html.replace(MARKS, (mark, empty, link, cell, quote, other) => {
    if (empty !== undefined) return `<${empty} />`;
    if (link !== undefined) {
      // markdown-it lets `[<https://a.example>](b)` be a link in a link: where the outer one ends is for the parser to say.
      if (isInLink) isKnown = false;
      isInLink = true;
      return `<${link} rel="${REL}">`;
    }
    if (mark === "</a>") isInLink = false;
    if (cell !== undefined) return `<${cell}>`;
    if (quote !== undefined) return '"';
    if (other !== undefined) isKnown = false;
    return mark;
  });
  return isKnown ? safe : null;
}
