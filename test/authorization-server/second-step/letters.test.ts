import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openCompose } from "../../../src/authorization-server/letters/compose.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { Mail, MailKind } from "../../../src/domain/people/mail.ts";
import { renderLetter } from "../../../src/mail/letter.ts";

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

const compose = openCompose({
  settings: {
    ...{ AUTH_URL: "https://id.example.com", OPERATOR_NAME: "Example", SUPPORT_CONTACT: "help@example.com" },
    ...{ SIGN_UP: "closed", SIGN_UP_DOMAINS: [], SIGN_UP_ROLE: "member", SESSION_MAX: 1, STEP_UP_AGE: 1 },
    ...{ ACCOUNT_DELETION: "self", DELETION_DELAY: 1 },
  },
  // These letters read nothing and have no secret.
  ...({ store: {}, secrets: {} } as Pick<Parameters<typeof openCompose>[0], "store" | "secrets">),
  now: () => 0,
});

async function textOf(kind: MailKind, params: Mail["params"]): Promise<string> {
  const letter = await compose({
    ...{ id: "mail" as Id, kind, userId: "ada" as Id, address: "ada@example.com", language: "en", params },
    ...{ state: "PENDING", attempts: 0, error: null, sentAt: null },
    ...{ createdAt: "2026-01-31T12:00:00.000Z", expiresAt: "2026-02-03T12:00:00.000Z" },
  });
  assert.ok(letter, kind);
  const { subject, text } = renderLetter(letter, { operator: "Example", supportContact: "help@example.com" });
  return `# ${kind} ${JSON.stringify(params)}\nTo: ${letter.to}\nSubject: ${subject}\n\n${text}`;
}

describe("U49 U54 mails about the second step", () => {
  test("U56 what each says (golden file)", async () => {
    const texts = await Promise.all(MAILS.map(([kind, params]) => textOf(kind, params)));
    const file = join(import.meta.dirname, "golden/letters.txt");
    const text = texts.join("\n");
    if (process.env.GOLDEN === "write") writeFileSync(file, text);
    assert.equal(text, readFileSync(file, "utf8"));
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
