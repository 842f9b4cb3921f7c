import type { ListInvitationsData } from "../documents/invitations.ts";
import type { ListPeopleData } from "../documents/people.ts";

type Account = ListPeopleData["accounts"]["nodes"][number];
type Invitation = ListInvitationsData["invitations"]["nodes"][number];

export type Role = Account["role"];
export type AccountState = Account["state"];

/** Roles from the fewest rights to the most, with the rights in words. */
export const ROLES: readonly { readonly value: Role; readonly name: string; readonly help: string }[] = [
  { value: "MEMBER", name: "Member", help: "Writes, publishes and deletes their own posts." },
  { value: "EDITOR", name: "Editor", help: "Sees, changes, publishes and deletes everybody’s posts." },
  {
    value: "ADMIN",
    name: "Administrator",
    help: "Does all that editors do. Administers people, clients, webhooks and agents, and reads the audit.",
  },
];

/** States of an account in words, those of most people first. */
export const STATES: readonly (readonly [state: AccountState, words: string])[] = [
  ["ACTIVE", "Active"],
  ["DISABLED", "Locked out"],
  ["DELETING", "Will be deleted"],
  ["DELETED", "Deleted"],
];

const METHODS = { PASSWORD: "password", PASSKEY: "passkey", UPSTREAM: "another service" } as const;

const INVITATIONS: Readonly<Record<Invitation["state"], string>> = {
  OPEN: "Open",
  ACCEPTED: "Accepted",
  WITHDRAWN: "Withdrawn",
  EXPIRED: "Expired",
};

export function roleName(role: Role): string {
  return ROLES.find((one) => one.value === role)?.name ?? role;
}

/** State of the account. Somebody who is active and has no way to sign in waits for a link. */
export function stateWords({ state, signInMethods }: Pick<Account, "state" | "signInMethods">): string {
  if (state === "ACTIVE" && signInMethods.length === 0) return "Active, cannot sign in yet";
  return STATES.find(([one]) => one === state)?.[1] ?? state;
}

/** "Password, passkey". */
export function methodWords(methods: Account["signInMethods"]): string {
  if (methods.length === 0) return "None yet: this person cannot sign in";
  return sentenceCase(methods.map((method) => METHODS[method]).join(", "));
}

export function invitationWords(state: Invitation["state"]): string {
  return INVITATIONS[state];
}

/** "SECOND_STEP" as "Second step". */
export function enumWords(name: string): string {
  return sentenceCase(name.toLowerCase().replaceAll("_", " "));
}

/** Detail of an entry of the audit, without the id of the administrator, whose name stands beside it. */
export function detailWords({ detail, actor }: { readonly detail: string | null; readonly actor: unknown }): string {
  return actor === null ? (detail ?? "") : (detail ?? "").replace(/ by [0-9a-f-]{36}$/, "");
}

/** "Ada, Ben and Cleo". */
export function listOfNames(names: readonly string[], hasMore: boolean): string {
  if (hasMore) return `${names.join(", ")} and others`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

function sentenceCase(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
