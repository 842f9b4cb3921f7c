import type { Id } from "../../domain/id.ts";
import type { Once } from "../../domain/idempotency.ts";
import type { MailKind, MailStore, NewMail } from "../../domain/people/mail.ts";
import type { User } from "../../domain/people/user.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { type MailLimits, openMailLimits } from "./mail-limits.ts";
import { LIFETIMES } from "./mailed-secrets.ts";

/** The one language that there is (U53). */
const LANGUAGE = "en";
/** Seconds for which a notice is tried. */
const NOTICE_SECONDS = 3 * 86_400;

/** Seconds after which a mail with a link is not sent any more, because the link would be no good. */
const SECONDS: Readonly<Partial<Record<MailKind, number>>> = {
  "sign-up": LIFETIMES["sign-up"],
  recovery: LIFETIMES.recovery,
  "recovery-by-administrator": 86_400,
  invitation: LIFETIMES.invitation,
  "email-change": LIFETIMES["email-change"],
  "email-changed": LIFETIMES["email-undo"],
  test: 3_600,
};

type Params = Readonly<Record<string, string>>;

/** Writes mails down, to be sent. The caller waits for the database, and never for a mail server (P13). */
export interface Outgoing {
  /** Whether mail is sent at all. Without, nothing pretends to have sent one (U51). */
  readonly isOn: boolean;
  readonly limits: MailLimits;
  /** For somebody who is no person here yet, or of whom it is not known. */
  toAddress(kind: MailKind, address: string, params?: Params, once?: Once): Promise<Id | null>;
  /** To another address of a person, or with a link for them. */
  toPerson(kind: MailKind, user: Pick<User, "id">, address: string, params?: Params): Promise<Id | null>;
  /** A mail without its recipient, for a caller that writes it in a transaction of its own; null where no mail is sent. */
  draft(kind: MailKind, params?: Params): Pick<NewMail, "kind" | "language" | "params" | "expiresAt"> | null;
  /** A notice to a person at their address, if they have proved it; bounded by kind (U54, U32). */
  notice(kind: MailKind, user: User, params?: Params): Promise<void>;
}

/** @param now Unix time in milliseconds */
export function openOutgoing(
  isOn: boolean,
  { mails, attempts }: { readonly mails: MailStore; readonly attempts: AttemptStore },
  now: () => number,
): Outgoing {
  const limits = openMailLimits(attempts, now);

  async function add(
    kind: MailKind,
    userId: Id | null,
    address: string,
    params: Params,
    once?: Once,
  ): Promise<Id | null> {
    const mail = draft(kind, params);
    return mail === null ? null : mails.add({ ...mail, userId, address }, once);
  }

  function draft(kind: MailKind, params: Params = {}) {
    if (!isOn) return null;
    const expiresAt = new Date(now() + (SECONDS[kind] ?? NOTICE_SECONDS) * 1_000).toISOString();
    return { kind, language: LANGUAGE, params, expiresAt };
  }

  return {
    isOn,
    limits,
    draft,
    toAddress: (kind, address, params = {}, once) => add(kind, null, address, params, once),
    toPerson: (kind, user, address, params = {}) => add(kind, user.id, address, params),
    async notice(kind, user, params = {}) {
      if (!isOn || !user.emailVerified) return;
      const may = await limits.ofNotice(user.id, kind);
      if (may !== "drop")
        await add(kind, user.id, user.email, { ...params, ...(may === "last" ? { last: "yes" } : {}) });
    },
  };
}
