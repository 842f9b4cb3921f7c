import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { renderMarkdown } from "../../src/markdown/html.ts";
import { safeHtml, sanitized, withKnownTags } from "../../src/markdown/safe-html.ts";
import { runs } from "../scale.ts";

const markdownIt = new MarkdownIt({ html: false });

const URLS = [
  ...[
    "https://example.com",
    "http://example.com/a?b=1&c=2#d",
    "HTTPS://EXAMPLE.COM/",
    "mailto:ada@example.com",
    "mailto:",
  ],
  ...[
    "/a",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "./a",
    "../a",
    "#a",
    "a.md#b",
    "a",
    "a:b",
    "?a:b",
    "",
  ],
  ...[
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "javascript&colon;alert(1)",
    "java\tscript:alert(1)",
    " javascript:x",
  ],
  ...[
    "data:text/html;base64,PHNjcmlwdD4=",
    "data:image/png;base64,AAAA",
    "vbscript:x",
    "file:///etc/passwd",
    "ftp://a.example",
  ],
  ...[
    "tel:1",
    "https:",
    "https:/a",
    "https://",
    "https://bücher.example/ä?ö#ü",
    "https://例え.jp/引き割り",
    "https://xn--bcher-kva.example",
  ],
  ...[
    "https://a.example/%3Cscript%3E",
    'https://a.example/"onmouseover="x',
    "https://a.example/'x'",
    "https://a.example/<x>",
  ],
  ...[
    "https://a.example/a(b)c",
    "https://a.example/a\\)b",
    "https://me:pw@a.example",
    "https://[::1]/",
    "https://a.example/&copy;",
  ],
  ...[
    "https://a.example/&amp;lt;",
    "https://a.example/&#x22;x",
    "a/b:c",
    "a.b:c",
    "a-b+c:d",
    "javascript",
    "x\u0000y",
    "<!--x-->:y",
  ],
];
const TEXTS = [
  ...[
    "word",
    "two words",
    "Zoë",
    "語",
    "e\u0301",
    "\ud83d\ude00",
    "\ud83d",
    "\u0000",
    "\u00a0",
    "\u2028",
    "\r\n",
    "1.",
    "-",
  ],
  ...[
    "&amp;",
    "&lt;b&gt;",
    "&quot;",
    "&copy;",
    "&#60;",
    "&#x3c;script&#x3e;",
    "&nosuch;",
    "&",
    "<",
    ">",
    '"',
    "'",
    "&amp;lt;",
    "&amp",
  ],
  ...[
    "<b>",
    "</p>",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- x -->",
    "<![CDATA[x]]>",
    "<?x?>",
    "<svg>",
  ],
  ...[
    "\\*",
    "\\<",
    "\\&amp;",
    "\\\n",
    "  \n",
    "***",
    "__",
    "~~",
    "`",
    "``",
    "|",
    "$&",
    "$1",
    "[",
    "](",
    "![",
    "\t",
    "    ",
  ],
];
const TITLES = [
  ...[
    "",
    ' "a title"',
    ' "say \\"hi\\""',
    " 'it''s'",
    " 'a \"b\" c'",
    " (in (parentheses))",
    ' "<b>"',
    ' "&lt;&amp;&quot;"',
  ],
  ...[' "two\nlines"', ' "ä"', ' ""', ' "x" onclick="y"'],
];
const INFOS = [
  "",
  "js",
  "c++",
  "c#",
  "objective-c",
  'js"onclick="x',
  "a b",
  "ä",
  "&quot;",
  "<b>",
  "js\\<",
  "language-",
  "{.a}",
];

const { block } = fc.letrec((tie) => {
  const inline = tie("inline") as fc.Arbitrary<string>;
  const line = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));
  const url = fc.oneof(
    fc.constantFrom(...URLS),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string(),
  );
  const title = fc.constantFrom(...TITLES);
  const blocks = tie("block") as fc.Arbitrary<string>;
  const indented = (mark: string) => blocks.map((text) => mark + text.replaceAll("\n", `\n${" ".repeat(mark.length)}`));
  return {
    inline: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(...TEXTS),
      fc.string({ maxLength: 12 }),
      fc.constantFrom("*", "**", "~~", "`").chain((mark) => inline.map((text) => mark + text + mark)),
      fc.tuple(line, url, title).map(([text, to, more]) => `[${text}](${to}${more})`),
      fc.tuple(line, url, title).map(([text, to, more]) => `[${text}](<${to}>${more})`),
      fc.tuple(line, url, title).map(([text, to, more]) => `![${text}](${to}${more})`),
      url.map((to) => `<${to}>`),
      fc.tuple(line, url, title).map(([text, to, more]) => `[${text}][r]\n\n[r]: ${to}${more}\n`),
    ),
    block: fc.oneof(
      { depthSize: "small" },
      line,
      fc.tuple(fc.integer({ min: 1, max: 7 }), line).map(([level, text]) => `${"#".repeat(level)} ${text}`),
      line.map((text) => `${text}\n===`),
      fc
        .tuple(fc.constantFrom(...INFOS), fc.constantFrom(...TEXTS))
        .map(([info, text]) => `\`\`\`${info}\n${text}\n\`\`\``),
      fc.constantFrom("---", "    code", "[r]: javascript:x", "<div>\n\n</div>"),
      fc.tuple(line, line).map(([a, b]) => `| ${a} | b | c |\n|:--|:-:|--:|\n| ${b} | 2 | 3 |`),
      fc.constantFrom("- ", "> ", "1. ", "7) ", "1234567. ").chain(indented),
      fc.tuple(blocks, blocks).map(([a, b]) => `${a}\n\n${b}`),
    ),
  };
}) as { block: fc.Arbitrary<string> };

/** Enough to meet each pair of what is above. */
const RUNS = runs(2_000, 20_000);

describe("HTML of known tags", () => {
  test("is byte for byte what the parser would have left of it, whatever the Markdown", () => {
    let known = 0;
    let unknown = 0;
    fc.assert(
      fc.property(block, (markdown) => {
        const html = markdownIt.render(markdown);
        const safe = withKnownTags(html);
        if (safe === null) unknown++;
        else {
          known++;
          assert.equal(safe, sanitized(html));
        }
      }),
      { numRuns: RUNS },
    );
    assert.ok(known > RUNS / 4 && unknown > RUNS / 100, `${known} of known tags, ${unknown} others`);
  });

  test("without attributes it is left as it is, which differs only in how quotes and empty elements are written", () =>
    fc.assert(
      fc.property(block, (markdown) => {
        const html = markdownIt.render(markdown);
        const { html: rendered } = renderMarkdown(markdown);
        if (/<[^>]*=/.test(html)) assert.equal(rendered, sanitized(html));
        else {
          assert.equal(rendered, html);
          const spelled = html.replaceAll("&quot;", '"').replaceAll(/<([bh]r)>/g, "<$1 />");
          assert.equal(spelled, sanitized(html));
        }
      }),
      { numRuns: RUNS },
    ));

  test("each of what is written above, alone and in a link", () => {
    for (const url of URLS)
      for (const title of TITLES)
        for (const markdown of [
          `[a](${url}${title})`,
          `![a](<${url}>${title})`,
          `<${url}>`,
          `[a]\n\n[a]: ${url}${title}`,
        ]) {
          const html = markdownIt.render(markdown);
          const safe = withKnownTags(html);
          if (safe !== null) assert.equal(safe, sanitized(html), markdown);
        }
  });

  test("links and pictures as people write them need no parser", () => {
    for (const markdown of [
      "[a](https://example.com/a?b=1&c=2#d)",
      '![a "b"](https://example.com/a.png "A title & more")',
      "<https://example.com>",
      "[a](/about) [b](../b.md#c) [c](#d) [d](mailto:ada@example.com)",
      "[a](https://bücher.example/ä)",
      "```c++\na < b && c\n```\n\n3. x\n\n| a | b |\n|:--|--:|\n| 1 | 2 |\n\n***\n\na  \nb",
    ])
      assert.notEqual(withKnownTags(markdownIt.render(markdown)), null, markdown);
  });

  test("HTML that markdown-it would never write has nothing in it that runs", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<",
        ">",
        "/",
        "a",
        "img",
        "p",
        " ",
        '"',
        "'",
        "=",
        "&",
        "&quot;",
        "&lt;",
        "&#60;",
        "\n",
        "script",
        "svg",
      ),
      fc.constantFrom(
        '<a href="',
        "<p>",
        "</a>",
        '<img src="',
        '" alt="',
        '">',
        "javascript:",
        "https://",
        " onclick=",
        "<p ",
      ),
      fc.constantFrom(
        '<a href="https://a.example">',
        '<a href="javascript:x">',
        '<td style="text-align:left">',
        "<script>",
        "<!--",
      ),
      fc.constantFrom(
        '<img src="https://a.example" alt="x">',
        '<img src="x" onerror="y">',
        "<style>",
        "<svg onload=x>",
        "<br>",
      ),
    );
    const tag =
      /^<\/?[a-z]+\d?(?: (?:href|src)="(?!\s*(?:javascript|data|vbscript):)[^"<>]*"| (?:alt|title|rel|class|start)(?:="[^"<>]*")?)*(?: \/)?>$/;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const safe = safeHtml(pieces.join(""));
        for (const [mark] of safe.matchAll(/<[^>]*>?/g)) assert.match(mark, tag);
        assert.doesNotMatch(safe, /<\/?(?:script|style|svg)/);
      }),
      { numRuns: RUNS },
    );
  });
});
