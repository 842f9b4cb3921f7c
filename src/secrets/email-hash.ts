import { emailKey } from "../domain/people/email.ts";
import { hashToken } from "./token-hash.ts";

/** A short name for an e-mail address in keys of counters and in cookies: the same for every spelling that finds one account (A39). */
export function hashEmail(email: string): string {
  return hashToken(emailKey(email));
}
