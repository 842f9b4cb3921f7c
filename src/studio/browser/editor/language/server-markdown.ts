import { NodeProp } from "@lezer/common";
import { type MarkdownConfig, parser, Strikethrough, Table } from "@lezer/markdown";

const SCHEME_LINK = /^<[a-z][a-z\d+.-]{1,31}:[^<>\s]*>/i;
const MAIL_LINK =
  /^<[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*>/i;

/** `<https://a.example>`, which the parser otherwise reads together with HTML. */
const angleLinks: MarkdownConfig = {
  parseInline: [
    {
      name: "AngleLink",
      before: "Link",
      parse(cx, next, start) {
        if (next !== 60) return -1;
        const rest = cx.slice(start, Math.min(cx.end, start + 2_000));
        const [link] = SCHEME_LINK.exec(rest) ?? MAIL_LINK.exec(rest) ?? [];
        if (link === undefined) return -1;
        const end = start + link.length;
        return cx.addElement(
          cx.elt("Autolink", start, end, [
            cx.elt("LinkMark", start, start + 1),
            cx.elt("URL", start + 1, end - 1),
            cx.elt("LinkMark", end - 1, end),
          ]),
        );
      },
    },
  ],
};

/**
 * Markdown as `src/markdown` renders it: CommonMark with tables and strikethrough, HTML as text, and bare URLs as text too.
 * Code and URLs are isolated, so that they do not disturb a line that runs from right to left.
 */
export const serverMarkdown = parser.configure([
  { remove: ["HTMLBlock", "HTMLTag"] },
  Table,
  Strikethrough,
  angleLinks,
  { props: [NodeProp.isolate.add({ "InlineCode URL LinkLabel": "ltr" })] },
]);
