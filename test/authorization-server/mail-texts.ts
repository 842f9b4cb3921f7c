import assert from "node:assert/strict";
import { openCompose } from "../../src/authorization-server/letters/compose.ts";
import { openUpstreamPolicy } from "../../src/authorization-server/upstreams/policy.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Mail, MailKind } from "../../src/domain/people/mail.ts";
import { renderLetter } from "../../src/mail/letter.ts";

const compose = openCompose({
  settings: {
    ...{ AUTH_URL: "https://id.example.com", OPERATOR_NAME: "Example", SUPPORT_CONTACT: "help@example.com" },
    ...{ SIGN_UP: "closed", SIGN_UP_DOMAINS: [], SIGN_UP_ROLE: "member", SESSION_MAX: 1, STEP_UP_AGE: 1 },
    ...{ ACCOUNT_DELETION: "self", DELETION_DELAY: 1 },
  },
  policy: openUpstreamPolicy([]),
  // These letters read nothing and have no secret.
  ...({ store: {}, secrets: {} } as Pick<Parameters<typeof openCompose>[0], "store" | "secrets">),
  now: () => 0,
});

/** A mail that is a notice, as its person reads it. */
export async function textOf(kind: MailKind, params: Mail["params"]): Promise<string> {
  const letter = await compose({
    ...{ id: "mail" as Id, kind, userId: "ada" as Id, address: "ada@example.com", language: "en", params },
    ...{ state: "PENDING", attempts: 0, error: null, sentAt: null },
    ...{ createdAt: "2026-01-31T12:00:00.000Z", expiresAt: "2026-02-03T12:00:00.000Z" },
  });
  assert.ok(letter, kind);
  const { subject, text } = renderLetter(letter, { operator: "Example", supportContact: "help@example.com" });
  return `# ${kind} ${JSON.stringify(params)}\nTo: ${letter.to}\nSubject: ${subject}\n\n${text}`;
}
