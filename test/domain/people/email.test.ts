import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { domainToASCII } from "node:url";
import fc from "fast-check";
import { assertEmail, emailKey, isEmail } from "../../../src/domain/people/email.ts";
import { hasCode } from "../../conformance/samples.ts";

const RIGHT = [
  "a@b",
  "ada@example.com",
  "Ada.Lovelace+tag@Example.COM",
  "o'brien#$&*/?=^_`{|}~-@example.com",
  "jörg@bücher.example",
  "jo\u0308rg@bu\u0308cher.example",
  "користувач@приклад.укр",
  "用户@例子.广告",
  "संपर्क@डाटामेल.भारत",
  "مستخدم@مثال.إختبار",
  "1@2.example",
  `${"a".repeat(64)}@example.com`,
  `a@${"b".repeat(63)}.example`,
  "ada@xn--bcher-kva.example",
];

const WRONG = [
  "",
  "a",
  "@",
  "a@",
  "@b",
  "a@b@c",
  "a b@c",
  " a@b",
  "a@b ",
  "a@b\n",
  "a\u0000@b",
  "a\u007f@b",
  '"a b"@example.com',
  "a(comment)@example.com",
  "<a@example.com>",
  "a,b@example.com",
  "a;b@example.com",
  "a:b@example.com",
  "a\\b@example.com",
  "a%b@example.com",
  "a!b@example.com",
  "=?utf-8?q?a?=@example.com",
  ".a@example.com",
  "a.@example.com",
  "a..b@example.com",
  "a@.example.com",
  "a@example.com.",
  "a@example..com",
  "a@-example.com",
  "a@example-.com",
  "a@exa_mple.com",
  "a@example.com:25",
  "a@example.com/x",
  "a@[127.0.0.1]",
  "a@127.0.0.1",
  "a@1",
  "a@0x7f.1",
  `${"a".repeat(65)}@example.com`,
  `${"ж".repeat(33)}@example.com`,
  `a@${"b".repeat(64)}.example`,
  `a@${"ж".repeat(60)}.example`,
  `a@${"b.".repeat(126)}example`,
  // What nobody sees.
  "a\u200bda@example.com",
  "ada\u200d@example.com",
  "ada@exam\u200bple.com",
  "ada\u00ad@example.com",
  "ada\ufeff@example.com",
  "ada\u202e@example.com",
  "ada\u2066@example.com",
  "ada\u034f@example.com",
  "ada\ufe0f@example.com",
  "ada\u3164@example.com",
  "ada\u115f@example.com",
  "\u0301ada@example.com",
  "ada@\u0301example.com",
  "ada\ud800@example.com",
  "ada\u00a0@example.com",
  "ada\u2028@example.com",
  "ada\u{e0001}@example.com",
  "😀@example.com",
];

describe("e-mail addresses", () => {
  test("U31 one grammar: a dot-atom with letters of any script at a host name", () => {
    for (const email of RIGHT) assert.ok(isEmail(email), email);
    for (const email of WRONG) {
      assert.ok(!isEmail(email), JSON.stringify(email));
      assert.throws(() => assertEmail("input.email", email), hasCode("BAD_USER_INPUT", "input.email"));
    }
  });

  test("U31 the key: NFC, the local part in lower case, the domain in ASCII; dots and plus signs count", () => {
    for (const [spelling, key] of [
      ["ADA@Example.COM", "ada@example.com"],
      ["A.D.A+x@example.com", "a.d.a+x@example.com"],
      ["Jo\u0308rg@Bu\u0308cher.Example", "jörg@xn--bcher-kva.example"],
      ["jörg@BÜCHER.example", "jörg@xn--bcher-kva.example"],
      ["jörg@xn--bcher-kva.example", "jörg@xn--bcher-kva.example"],
      ["ada@ｅｘａｍｐｌｅ.com", "ada@example.com"],
      ["КОРИСТУВАЧ@ПРИКЛАД.УКР", "користувач@xn--80aikifvh.xn--j1amh"],
      ["a@b@C", "a@b@c"],
      ["No Address", "no address"],
      ["a b@C D", "a b@c d"],
    ] as const) {
      assert.equal(emailKey(spelling), key, spelling);
    }
  });

  test("U31 every text has a key that is its own key, and an address has that of `domainToASCII`", () => {
    const character = fc.oneof(
      fc.string({ unit: "binary", maxLength: 1 }),
      fc.constantFrom(..."aZ.@-ẞİσς\u0308\u200b1ж例"),
    );
    const text = fc.array(character, { maxLength: 20 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (email) => {
        assert.equal(emailKey(emailKey(email)), emailKey(email));
        assert.equal(emailKey(email.normalize("NFD")), emailKey(email));
        if (!isEmail(email)) return;
        const [local = "", domain = ""] = emailKey(email).split("@");
        assert.equal(domain, domainToASCII(email.split("@")[1] ?? ""));
        assert.equal(local, local.toLowerCase().normalize("NFC"));
        assert.ok(isEmail(`${local}@${domain}`));
      }),
      { numRuns: 5_000 },
    );
  });
});
