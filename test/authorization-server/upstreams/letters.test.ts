import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Mail, MailKind } from "../../../src/domain/people/mail.ts";
import { assertGolden } from "../../golden.ts";
import { textOf } from "../mail-texts.ts";

const LINK = { service: "ACME", account: "ada@acme.example", browser: "Firefox on Linux" };

/** Every notice about other services, with the facts that it may have. */
const MAILS: readonly (readonly [MailKind, Mail["params"]])[] = [
  ["upstream-linked", LINK],
  ["upstream-linked", { service: "ACME", browser: "Firefox on Linux", last: "yes" }],
  ["upstream-unlinked", LINK],
  ["upstream-unlinked", { service: "ACME" }],
  ["local-sign-in", { state: "on" }],
  ["local-sign-in", { state: "off" }],
];

describe("U54 mails about other services", () => {
  test("U56 what each says (golden file)", async () => {
    const texts = await Promise.all(MAILS.map(([kind, params]) => textOf(kind, params)));
    assertGolden(import.meta.dirname, "letters.txt", texts.join("\n"));
  });

  test("U52 the name of an account there is no link", async () => {
    const told = await textOf("upstream-linked", { service: "ACME", account: "https://evil.example" });
    assert.doesNotMatch(told.slice(told.indexOf("Subject")), /https:\/\/evil/);
  });
});
