import type { Id } from "./id.ts";

/** Kinds of decisions, by their subject. */
export const AUDIT_EVENTS = [
  "sign-in",
  "consent",
  "authorization",
  "token",
  "revocation",
  "introspection",
  "userinfo",
  "sign-out",
  "session",
  "password",
  "passkey",
  "person",
  "client",
  "webhook",
  "keys",
  "set-up",
  "sign-up",
  "recovery",
  "invitation",
  "email",
  "mail",
  "export",
  "deletion",
  "step-up",
  "second-step",
  "recovery-code",
  "scim",
  "upstream",
  "link",
  "agent",
  "audit",
] as const;

export type AuditEventName = (typeof AUDIT_EVENTS)[number];

/** `reuse`: a code or a refresh token came a second time. `limited`: there were too many attempts. */
export const AUDIT_RESULTS = ["ok", "refused", "denied", "limited", "reuse", "failed"] as const;

export type AuditResult = (typeof AUDIT_RESULTS)[number];

/** One decision: what it was, whose, through which client, from where. Never a secret, a token, a code or a password (A42). */
export interface AuditEvent {
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  readonly event: AuditEventName;
  readonly result: AuditResult;
  readonly userId: string | null;
  readonly clientId: string | null;
  /** The administrator who did it; null for everybody else, the operator at the terminal included. */
  readonly actorId: string | null;
  /** The caller's IP address; null for commands at the terminal. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** In a few words of ours, such as the error that was answered. */
  readonly detail: string | null;
}

export interface AuditFilter {
  /** RFC 3339, UTC, milliseconds; that moment is included. */
  readonly since?: string;
  /** RFC 3339, UTC, milliseconds; that moment is not included. */
  readonly until?: string;
  readonly userId?: string;
  /** A person: their decisions without those that their clients cause with each token. */
  readonly forPerson?: string;
  readonly clientId?: string;
  readonly event?: AuditEventName;
  /** With `clientId`: those alone whose result is not `ok`. */
  readonly isProblem?: true;
  readonly result?: AuditResult;
  readonly address?: string;
  readonly requestId?: string;
  /** Goes on with those that come after this one in the list. */
  readonly before?: { readonly at: string; readonly id: Id };
  readonly limit: number;
}

export interface AuditStore {
  /** All of them or none. */
  add(events: readonly AuditEvent[]): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter): Promise<(AuditEvent & { readonly id: Id })[]>;
  /** Destroys what is from before that time (RFC 3339), at most `limit` of it. @returns how many */
  sweep(before: string, limit: number): Promise<number>;
}

const MOST_CHARACTERS = 200;

/** Facts of a decision; unknown texts are left out. */
export type NewAuditEvent = Pick<AuditEvent, "event" | "result"> & {
  readonly [Field in "userId" | "clientId" | "actorId" | "address" | "requestId" | "detail"]?:
    | string
    | null
    | undefined;
};

/** The event with its texts bounded, as valid Unicode without control characters. @param at Unix time in milliseconds */
export function auditEvent(at: number, event: NewAuditEvent): AuditEvent {
  const { userId, clientId, actorId, address, requestId, detail } = event;
  return {
    at: new Date(at).toISOString(),
    event: event.event,
    result: event.result,
    userId: bounded(userId),
    clientId: bounded(clientId),
    actorId: bounded(actorId),
    address: bounded(address),
    requestId: bounded(requestId),
    detail: bounded(detail),
  };
}

/** Writes down one decision, unless the installation keeps none. @param at Unix time in milliseconds */
export async function recordAudit(
  { store, days }: { readonly store: Pick<AuditStore, "add">; readonly days: number },
  at: number,
  event: NewAuditEvent,
): Promise<void> {
  if (days > 0) await store.add([auditEvent(at, event)]);
}

function bounded(text: string | null | undefined): string | null {
  if (text == null) return null;
  return text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, " ");
}
