import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Mail, MailKind } from "../../../src/domain/people/mail.ts";
import { assertGolden } from "../../golden.ts";
import { textOf } from "../mail-texts.ts";

const BROWSER = { browser: "Firefox on Linux" };

/** Every mail of the second step, with the facts that it may have. */
const MAILS: readonly (readonly [MailKind, Mail["params"]])[] = [
  ["totp-added", BROWSER],
  ["totp-removed", BROWSER],
  ["recovery-codes-made", { ...BROWSER, last: "yes" }],
  ["recovery-code-used", { ...BROWSER, left: "9" }],
  ["recovery-code-used", { ...BROWSER, left: "4" }],
  ["recovery-code-used", { ...BROWSER, left: "3" }],
  ["recovery-code-used", { ...BROWSER, left: "1" }],
  ["recovery-code-used", { ...BROWSER, left: "0", last: "yes" }],
  ["second-step-on", BROWSER],
  ["second-step-off", BROWSER],
  ["second-step-off", { by: "administrator" }],
  ["second-step-off", { by: "administrator", name: "Ada https://evil.example" }],
  ["second-step-refused", BROWSER],
];

describe("U49 U54 mails about the second step", () => {
  test("U56 what each says (golden file)", async () => {
    const texts = await Promise.all(MAILS.map(([kind, params]) => textOf(kind, params)));
    assertGolden(import.meta.dirname, "letters.txt", texts.join("\n"));
  });

  test("U44 U52 new codes are asked for at three or fewer, and a name of a person is no link", async () => {
    for (const [left, asks] of [
      ["9", false],
      ["4", false],
      ["3", true],
      ["0", true],
    ] as const)
      assert.equal((await textOf("recovery-code-used", { left })).includes("Make new ones"), asks, left);
    const told = await textOf("second-step-off", { by: "administrator", name: "https://evil.example" });
    assert.doesNotMatch(told.slice(told.indexOf("Subject")), /https:\/\/evil/);
  });
});
