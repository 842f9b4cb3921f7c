import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { type Letter, renderLetter } from "../../src/mail/letter.ts";
import { outside } from "../../src/mail/outside.ts";
import { assertGolden } from "../golden.ts";

const IMPRINT = { operator: "Example & Sons", supportContact: "help@example.com" };

/** A letter with every kind of part. */
const LETTER: Letter = {
  to: "ada@example.com",
  language: "en",
  subject: "Finish your account",
  heading: "Finish your account",
  parts: [
    { text: "Somebody asked for an account with this e-mail address." },
    { button: { label: "Choose a password", href: "https://id.example.com/continue?a=1&b=2#token=c2VjcmV0" } },
    { text: "Or type this code on the page that asked for it:" },
    { code: "482 913" },
    {
      facts: [
        ["When", "29 November 2026, 03:49 UTC"],
        ["Browser", "Firefox 145.0 on Linux"],
      ],
    },
    { quiet: "If this was not you, do nothing. Without a click no account is created." },
  ],
};

describe("letters", () => {
  test("U52 U56 text and HTML come from one letter (golden files)", () => {
    const { subject, text, html } = renderLetter(LETTER, IMPRINT);
    assert.equal(subject, "Finish your account");
    assertGolden(import.meta.dirname, "letter.txt", text);
    assertGolden(import.meta.dirname, "letter.html", html);
  });

  test("U52 both say the same, and the URL of the button stands in both as text", () => {
    const { text, html } = renderLetter(LETTER, IMPRINT);
    const shown = html
      .replace(/<head>.*<\/head>/s, "")
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&amp;", "&");
    const lines = text.split("\n").map((line) => line.trim().replace(/:$/, ""));
    assert.deepEqual(
      lines.filter((line) => !shown.includes(line)),
      [],
    );
    assert.ok(text.includes("https://id.example.com/continue?a=1&b=2#token=c2VjcmV0\n"));
    assert.match(html, />https:\/\/id\.example\.com\/continue\?a=1&amp;b=2#token=c2VjcmV0<\/p>/);
  });

  test("U52 nothing is loaded, run or told to anybody", () => {
    const { html } = renderLetter(LETTER, IMPRINT);
    assert.doesNotMatch(html, /<(?:img|script|link|iframe|form|input|object|video|svg)|url\(|@import|\bon\w+=/i);
    const urls = [...html.matchAll(/https?:\/\/[^"<\s]+/g)].map(([url]) => url);
    assert.ok(urls.length === 2 && urls.every((url) => url.startsWith("https://id.example.com/continue")), `${urls}`);
    assert.match(html, /<html lang="en">/);
    assert.match(html, /prefers-color-scheme: dark/);
    assert.match(html, /min-height: 44px/);
  });

  test("P19 whatever a letter says is text in its HTML", () => {
    const evil = `</p><img src=x onerror="alert(1)">'&amp;`;
    const { html } = renderLetter(
      {
        ...LETTER,
        language: `en"><script>`,
        subject: evil,
        heading: evil,
        parts: [
          { text: evil },
          { button: { label: evil, href: "https://id.example.com/?x=%22%3E'<b>" } },
          { code: evil },
          { facts: [[evil, evil]] },
          { quiet: evil },
        ],
      },
      { operator: evil, supportContact: evil },
    );
    assert.doesNotMatch(html, /<img|<script|<b>|onerror="/);
    assert.equal(html.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;amp;").length - 1, 10);
  });

  test("a subject and a footer are one line, and a contact that is not set is left out", () => {
    const letter = { ...LETTER, subject: "One\r\nBcc: eve@evil.example" };
    const { subject, text, html } = renderLetter(letter, { operator: "A\nB", supportContact: null });
    assert.equal(subject, "One Bcc: eve@evil.example");
    assert.ok(text.endsWith("\n\nThis mail is from A B.\n"));
    assert.doesNotMatch(text + html, /Questions/);
  });

  test("a button leads to a web page", () => {
    for (const href of ["javascript:alert(1)", "data:text/html,x", "/recover", ""])
      assert.throws(
        () => renderLetter({ ...LETTER, parts: [{ button: { label: "Go", href } }] }, IMPRINT),
        /http or https/,
        href,
      );
  });
});

describe("text from outside", () => {
  test("U52 P19 names, apps and browsers stay as they are", () => {
    for (const text of [
      "Ada Lovelace",
      "Jürgen Groß",
      "李小龍",
      "Firefox 145.0 on macOS 10.15.7",
      "O'Neill & Söhne, and/or others",
      "👩‍👩‍👧",
      "5:30 club",
    ])
      assert.equal(outside(text), text);
  });

  test("U52 P19 what looks like a URL is taken apart", () => {
    for (const [text, safe] of [
      ["https://evil.example/a", "https: / / evil. example/ a"],
      ["Click evil.example now", "Click evil. example now"],
      ["www.evil.example", "www. evil. example"],
      ["a@evil.example", "a@ evil. example"],
      ["evil。example", "evil。 example"],
      ["evil．com", "evil． com"],
      ["mailto:eve", "mailto: eve"],
      ["//evil", "/ / evil"],
      ["192.168.10.1/x", "192. 168. 10. 1/ x"],
      ["ev\u200bil.ex\u00adample", "evil. example"],
      ["J.R.R. Tolkien", "J. R. R. Tolkien"],
    ] as const)
      assert.equal(outside(text), safe);
  });

  test("U52 P19 controls and bidirectional characters go, and lines become one", () => {
    assert.equal(outside("\u202egnp.exe\u202c\u0000"), "gnp. exe");
    assert.equal(outside(" A\r\nBcc: eve\u2028\tB\u2066 "), "A Bcc: eve B");
    assert.equal(outside("a\ud800b"), "a\ufffdb");
    assert.equal(outside("\u200b\u2060"), "");
  });

  test("U52 P19 10,000 characters become 60, cut between characters as people see them", () => {
    assert.equal(outside("x".repeat(10_000)), `${"x".repeat(59)}…`);
    assert.equal(outside("x".repeat(60)), "x".repeat(60));
    assert.equal(outside(`${"x".repeat(57)}👩‍👩‍👧!`), `${"x".repeat(57)}…`);
  });

  test("P19 a linkifier finds nothing in it, whatever the text", () => {
    const { linkify } = new MarkdownIt({ linkify: true });
    linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true });
    const PIECES = ["evil", "example", "com", ".", "..", ":", "//", "/", "@", "http", "https:", "www", "mailto:", " "];
    const ODD = ["\u200d", "\u202e", "．", "：", "-", "_", "(", "<", "é", "1", "10.0.0.1", "ftp", "?", "#", "%2e"];
    const text = fc.array(fc.constantFrom(...PIECES, ...ODD), { maxLength: 14 }).map((pieces) => pieces.join(""));
    let links = 0;
    fc.assert(
      fc.property(text, (given) => {
        if (linkify.test(given)) links++;
        const safe = outside(given);
        assert.ok([...safe].length <= 60);
        assert.deepEqual(linkify.match(safe)?.map(({ url }) => url) ?? [], [], JSON.stringify(safe));
      }),
      { numRuns: 5_000 },
    );
    assert.ok(links > 100, `${links} texts had a link`);
  });
});
