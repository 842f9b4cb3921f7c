import assert from "node:assert/strict";
import { performance } from "node:perf_hooks";
import { describe, test } from "node:test";
import fc from "fast-check";
import { countWords, excerptOf, renderPost, slugOf } from "../../src/domain/posts/rendering.ts";
import { openMarkdown } from "../../src/markdown/markdown.ts";
import { hasCode } from "../conformance/samples.ts";

const render = openMarkdown();

describe("Markdown", () => {
  test("becomes HTML and plain text", async () => {
    const { html, text } = await render("# One\n\n**two** [three](https://example.com)\n\n- `four`\n- five");
    assert.equal(
      html,
      '<h1>One</h1>\n<p><strong>two</strong> <a href="https://example.com" rel="nofollow noopener noreferrer">three</a></p>\n<ul>\n<li><code>four</code></li>\n<li>five</li>\n</ul>\n',
    );
    assert.equal(text, "One\ntwo three\nfour\nfive\n");
  });

  test("is never a way to run something in a page", async () => {
    const attacks = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "[a](javascript:alert(1))",
      "[a](JaVaScRiPt&colon;alert(1))",
      "[a](data:text/html;base64,PHNjcmlwdD4=)",
      "![a](javascript:alert(1))",
      '![a](x "onerror=alert(1)")',
      '[a](https://example.com/"onmouseover="alert(1))',
      "[a]: javascript:alert(1)\n[a]",
      "<javascript:alert(1)>",
      '```"><script>alert(1)</script>\n```',
      "<svg><style><img src=x onerror=alert(1)>",
      "<style>*{}</style><iframe src=//example.com></iframe>",
    ];
    for (const attack of attacks) {
      const { html } = await render(attack);
      for (const [tag] of html.matchAll(/<[^>]*>/g)) {
        assert.match(
          tag,
          /^<\/?(a|p|pre|code|img|em|strong)( (href|src|alt|title|rel|class)="[^"<>]*")*( \/)?>$/,
          attack,
        );
        assert.doesNotMatch(tag, /(javascript|data|vbscript):/i, attack);
      }
    }
  });

  test("whatever is written, only known tags come out", () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(..."<>&\"'`*_[]()!#-|\\:/ \nasx1"), maxLength: 200 }),
        async (body) => {
          const { html } = await render(body);
          for (const [, name] of html.matchAll(/<\/?([^\s>/]*)/g)) assert.match(name ?? "", /^[a-z]+\d?$/);
          assert.doesNotMatch(html, /<(script|style|iframe|svg|form|input)/i);
        },
      ),
      { numRuns: 300 },
    ));

  test("I07 a long text is rendered in a thread of its own, and one that takes too long is refused", async () => {
    const prose = "word ".repeat(20_000);
    assert.equal((await render(prose)).text.trim(), prose.trim());
    const impatient = openMarkdown({ patience: 1_500 });
    const before = performance.eventLoopUtilization();
    await assert.rejects(impatient("[a](b:c) ".repeat(464_000)), hasCode("BAD_USER_INPUT", "input.body"));
    assert.ok(performance.eventLoopUtilization(before).utilization < 0.5);
    const short = "word ".repeat(1_000);
    const again = () => impatient(short).catch(() => null); // its thread starts anew, for which a busy machine needs longer
    let rendered = await again();
    for (let attempt = 0; rendered === null && attempt < 20; attempt++) rendered = await again();
    assert.equal(rendered?.text.trim(), short.trim());
  });
});

describe("what is derived from a post", () => {
  test("a slug has letters of any script, and is never empty", () => {
    for (const [title, slug] of [
      ["Hello, World!", "hello-world"],
      ["  Ein Gruß aus Köln ", "ein-gruß-aus-köln"],
      ["第一篇 文章", "第一篇-文章"],
      ["مرحبا بالعالم", "مرحبا-بالعالم"],
      ["हिन्दी में", "हिन्दी-में"],
      ["E\u0301clair", "\u00e9clair"],
      ["ﬁne ½", "fine-1-2"],
      ["!!!", "post"],
      ["👩‍👩‍👧‍👦", "post"],
      ["x".repeat(300), "x".repeat(80)],
      ["word ".repeat(60), Array.from({ length: 16 }, () => "word").join("-")],
    ] as const) {
      assert.equal(slugOf(title), slug);
    }
  });

  test("an excerpt is one line of 200 characters at the most", () => {
    assert.equal(excerptOf(" one\n\ttwo "), "one two");
    const long = excerptOf("words and words ".repeat(50));
    assert.ok(long.length <= 200);
    assert.match(long, /(words|and)…$/);
    assert.equal(Array.from(excerptOf("👍".repeat(300))).length, 200);
    assert.equal(excerptOf(""), "");
  });

  test("words are counted in scripts with and without spaces", () => {
    assert.equal(countWords("It's a well-known fact, is it not?"), 7);
    assert.equal(countWords(""), 0);
    assert.ok(countWords("日本語のテキストです。") >= 3);
    assert.equal(countWords("ein Gruß aus Köln"), 4);
  });

  test("marks of Markdown are no words, and not in the excerpt", async () => {
    const { excerpt, wordCount } = await renderPost(render, {
      title: "t",
      body: "## A **bold** - [link](https://example.com)",
    });
    assert.equal(excerpt, "A bold - link");
    assert.equal(wordCount, 3);
  });
});
