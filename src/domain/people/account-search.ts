import type { Id } from "../id.ts";
import type { Role } from "../viewer.ts";
import { emailKey, spellingKey } from "./email.ts";

/** `deleting`: the account will be deleted, and its person may still keep it. */
export const ACCOUNT_STATES = ["active", "disabled", "deleting", "deleted"] as const;

export type AccountStanding = (typeof ACCOUNT_STATES)[number];

/** The form of a name in which capitals and composed letters make no difference. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The form of the beginning of an address, as keys of addresses have it. */
export function addressKey(beginning: string): string {
  const domain = beginning.slice(beginning.lastIndexOf("@") + 1);
  return beginning.includes("@") && /[^\p{ASCII}]/u.test(domain) ? emailKey(beginning) : spellingKey(beginning);
}

export interface AccountFilter {
  /** The beginning of a name or of an address. */
  readonly search?: string;
  readonly role?: Role;
  readonly state?: AccountStanding;
}

/** The place of a person in a list: with `search`, those found by name come first, in order, then those found by address. */
export interface AccountPlace {
  readonly by: "id" | "name" | "email";
  /** `nameKey` or the key of the address; empty for `id`. */
  readonly key: string;
  readonly id: Id;
}
