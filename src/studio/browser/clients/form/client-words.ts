import { OPEN_SCOPES } from "../../../../domain/scopes.ts";
import type { AdministeredClient, ListedClient } from "../../documents/clients.ts";

type GrantType = AdministeredClient["grantTypes"][number];

/** Origins of clients, in words. */
export const ORIGINS: Readonly<Record<ListedClient["origin"], string>> = {
  OPERATOR: "Operator",
  PERSON: "A person",
  REGISTRATION: "Registered itself",
  DOCUMENT: "Document at its URL",
};

/** Types of clients, in words. */
export const TYPES: Readonly<Record<ListedClient["type"], string>> = {
  CONFIDENTIAL: "Confidential: a program on a server",
  PUBLIC: "Public: a browser, a phone, a command line",
};

/** Grants, in words. */
export const GRANTS: Readonly<Record<GrantType, string>> = {
  AUTHORIZATION_CODE: "Sign people in (authorization code)",
  REFRESH_TOKEN: "Stay connected (refresh token)",
  DEVICE_CODE: "Devices without a browser (device code)",
  CLIENT_CREDENTIALS: "Act for itself, without a person (client credentials)",
};

/** Clients that the program writes itself at each start. */
const OF_PROGRAM = new Set(["explorer", "studio"]);

/** Why the settings of a client cannot be changed here; null where they can. */
export function readOnlyReason({ id, origin }: Pick<ListedClient, "id" | "origin">): string | null {
  if (origin === "DOCUMENT")
    return "This client describes itself in the document at its URL, and changes with it. You can disable it.";
  if (origin === "OPERATOR" && OF_PROGRAM.has(id))
    return "This client belongs to the program, which writes it at each start. You can disable it.";
  return null;
}

/** Whether the API deletes the client. */
export function canBeDeleted({ id, origin }: Pick<ListedClient, "id" | "origin">): boolean {
  return !(origin === "OPERATOR" && OF_PROGRAM.has(id));
}

/** State of a client, in words. `isWell` where it may be used. */
export function stateOf({ disabledAt, disabledByOwner, owner }: ListedClient): {
  readonly words: string;
  readonly isWell: boolean;
} {
  if (disabledAt !== null) return { words: disabledByOwner ? "Disabled by its owner" : "Disabled", isWell: false };
  if (owner?.isActive === false) return { words: "Stopped: its owner is locked out", isWell: false };
  return { words: "Active", isWell: true };
}

const MOST_SCOPES = 3;

/** Scopes in few words: "All usual ones", "posts:read, profile and 4 more". */
export function scopeWords(scopes: readonly string[]): string {
  if (scopes.length === 0) return "None";
  const isUsual = scopes.length === OPEN_SCOPES.length && OPEN_SCOPES.every((scope) => scopes.includes(scope));
  if (isUsual) return "The usual ones";
  const first = scopes.slice(0, MOST_SCOPES).join(", ");
  return scopes.length <= MOST_SCOPES ? first : `${first} and ${scopes.length - MOST_SCOPES} more`;
}
