import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPasswordRules } from "../../src/secrets/password-rules.ts";
import { hashPassword, verifyPassword } from "../../src/secrets/passwords.ts";

const ada = { email: "ada.lovelace@example.com", name: "Augusta Ada King Lovelace", operator: "Content API" };

function assertPassword(password: string, { operator, ...owner }: typeof ada): Promise<void> {
  return openPasswordRules({ OPERATOR_NAME: operator, BREACHED_PASSWORDS: null }).assert(password, owner);
}

describe("passwords", () => {
  test("15 to 256 code points, of any kind", async () => {
    for (const good of [
      "fifteen letters",
      "💡".repeat(7) + "🎈".repeat(8),
      "пароль из русских слов",
      `${"a b".repeat(85)}!`,
    ])
      await assertPassword(good, ada);
    for (const bad of [
      "fourteen chars",
      "💡🎈".repeat(7),
      "x y".repeat(86),
      "fifteen letter\0",
      "fifteen letter\ud800",
    ])
      await assert.rejects(assertPassword(bad, ada), { code: "BAD_USER_INPUT", details: { field: "password" } }, bad);
  });

  test("what is guessed first is refused, in any dress", async () => {
    for (const bad of [
      "passwordpassword",
      "Password-Password",
      "correct horse battery staple",
      "qwertyuiopasdfgh",
      "000000000000000000",
      "abcabcabcabcabcabc",
      "letmein, letmein",
      "Follow the White Rabbit 16",
      "worldofwarcraft2024",
      "01234567890123456789",
      "zyxwvutsrqponmlkj",
      "ADA.Lovelace@Example.com",
      "augusta ada king lovelace",
    ])
      await assert.rejects(assertPassword(bad, ada), { code: "BAD_USER_INPUT" }, bad);
  });

  test("neither name, address nor the operator's name may be in it, in any dress, whatever stands around", async () => {
    for (const [bad, words] of [
      ["three ADA ducks in a row", /account's name/],
      ["my Lóvelâce password", /account's name/],
      ["L-o-v-e-l-a-c-e and more", /account's name/],
      ["lovelacelovelace1", /account's name/],
      ["xx ada.lovelace@example.com xx", /account's/],
      ["content api in the year 2026", /name of this service/],
      ["ContentAPI-2026-summer", /name of this service/],
    ] as const)
      await assert.rejects(assertPassword(bad, ada), { code: "BAD_USER_INPUT", message: words }, bad);
    const grace = { email: "hopper7@example.com", name: "王伟", operator: "例え" };
    await assert.rejects(assertPassword("HOPPER7 and fourteen more", grace), /account's e-mail address/);
    await assert.rejects(assertPassword("我是王伟我是王伟我是王伟我是王伟谁", grace), /account's name/);
    await assertPassword("canada has nine quiet lakes", ada);
    await assertPassword("an owl in a tall tree at noon", { email: "a@b.example", name: "An Al", operator: "An" });
    await assertPassword("nothing of anybody at all", { email: "@", name: "", operator: "–" });
  });

  test("argon2id with the decided cost, a new salt each time, and only the right password fits", async () => {
    const [first, second] = await Promise.all([
      hashPassword("a long enough password"),
      hashPassword("a long enough password"),
    ]);
    assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(first, second);
    assert.equal(await verifyPassword(first, "a long enough password"), true);
    assert.equal(await verifyPassword(first, "a long enough passworD"), false);
    assert.equal(await verifyPassword(null, "a long enough password"), false);
    assert.equal(await verifyPassword("$2b$10$foreign", "a long enough password"), false);
  });

  test("the same text typed on another system fits (RFC 8265)", async () => {
    const hash = await hashPassword("d\u00e9j\u00e0 vu, encore une fois");
    assert.equal(await verifyPassword(hash, "de\u0301ja\u0300 vu, encore une fois"), true);
  });

  test("too many at once are refused, and the rest get their answer", async () => {
    const results = await Promise.allSettled(Array.from({ length: 80 }, () => verifyPassword(null, "x")));
    const refused = results.filter((result) => result.status === "rejected");
    assert.ok(refused.length > 0 && refused.length < 20, `${refused.length}`);
    for (const { reason } of refused) assert.equal(reason.code, "UNAVAILABLE");
    assert.equal(await verifyPassword(null, "x"), false);
  });
});
