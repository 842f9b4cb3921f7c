import type { AuditRow } from "../../documents/audit.ts";

type Event = AuditRow["event"];
type Result = AuditRow["result"];

/** Every event of the audit, in words. Their order is the one of the filter. */
const EVENTS: Readonly<Record<Event, string>> = {
  SIGN_IN: "Sign-in",
  SIGN_OUT: "Sign-out",
  STEP_UP: "Sign-in again",
  SECOND_STEP: "Second step",
  RECOVERY_CODE: "Recovery codes",
  PASSKEY: "Passkey",
  PASSWORD: "Password",
  RECOVERY: "Recovery of an account",
  SIGN_UP: "Sign-up",
  SET_UP: "Set-up",
  INVITATION: "Invitation",
  UPSTREAM: "Sign-in with another service",
  LINK: "Link to another service",
  SESSION: "Session",
  CONSENT: "Consent",
  AUTHORIZATION: "Authorization",
  TOKEN: "Token",
  REVOCATION: "Revocation",
  INTROSPECTION: "Introspection",
  USERINFO: "User info",
  PERSON: "Person changed",
  EMAIL: "E-mail address",
  EXPORT: "Export of an account",
  DELETION: "Deletion of an account",
  SCIM: "Change by SCIM",
  CLIENT: "Client changed",
  AGENT: "Agent",
  WEBHOOK: "Webhook",
  KEYS: "Signing keys",
  MAIL: "Mail",
  AUDIT: "Audit",
};

const RESULTS: Readonly<Record<Result, string>> = {
  OK: "OK",
  REFUSED: "Refused",
  DENIED: "Denied by the person",
  LIMITED: "Too many attempts",
  REUSE: "Used a second time",
  FAILED: "Failed",
};

export const AUDIT_EVENT_NAMES = Object.keys(EVENTS) as readonly Event[];
export const AUDIT_RESULT_NAMES = Object.keys(RESULTS) as readonly Result[];

/** An event of the audit in words, such as "Sign-in". */
export function eventWords(event: Event): string {
  return EVENTS[event];
}

/** A result of the audit in words, such as "Too many attempts". */
export function resultWords(result: Result): string {
  return RESULTS[result];
}

/** The name of an event or a result in URLs, files and commands, such as `sign-in`. */
export function plainName(name: Event | Result): string {
  return name.toLowerCase().replaceAll("_", "-");
}

/** The detail without the id of the administrator, whose name stands beside it. */
export function detailWords({ detail, actorId }: Pick<AuditRow, "detail" | "actorId">): string {
  return (detail ?? "").replace(` by ${actorId}`, "");
}

/** Somebody or something that an entry names. */
export interface Named {
  readonly kind: "person" | "client" | "other";
  /** Empty for others. */
  readonly id: string;
  readonly name: string;
  /** Whether there still is such an account or client, with a page of its own. */
  readonly isThere: boolean;
}

/** The one who did it, as far as the audit knows. */
export function doerOf({ actorId, actor, address, personId, person, clientId, client }: AuditRow): Named {
  if (actorId !== null) return personOf(actorId, actor);
  if (address === null) return otherOf("The server, or its terminal");
  if (personId !== null) return personOf(personId, person);
  if (clientId !== null) return clientOf(clientId, client);
  return otherOf("Not known");
}

/** The person and the client that it is about, without the one who did it. */
export function subjectsOf(row: AuditRow): readonly Named[] {
  const { personId, person, clientId, client } = row;
  const doer = doerOf(row);
  return [
    ...(personId === null ? [] : [personOf(personId, person)]),
    ...(clientId === null ? [] : [clientOf(clientId, client)]),
  ].filter(({ kind, id }) => kind !== doer.kind || id !== doer.id);
}

export function personOf(id: string, person: AuditRow["person"]): Named {
  return { kind: "person", id, name: person?.name ?? "Deleted account", isThere: person !== null };
}

export function clientOf(id: string, client: AuditRow["client"]): Named {
  return { kind: "client", id, name: client?.name ?? id, isThere: client !== null };
}

function otherOf(name: string): Named {
  return { kind: "other", id: "", name, isThere: false };
}
