import { badInputs } from "../../domain/errors.ts";
import type { PasswordRules } from "../../secrets/password-rules.ts";
import { hashPassword } from "../../secrets/passwords.ts";

/**
 * Judges the fields of a new account together, so that the person learns of all faults at one time.
 *
 * @param assertRest throws for faults of the other fields
 * @returns the hash of the password
 * @throws AppError BAD_USER_INPUT with every broken rule, UNAVAILABLE when too many passwords wait to be hashed
 */
export async function judgeNewAccount(
  passwords: PasswordRules,
  password: string,
  owner: { readonly name: string; readonly email: string },
  assertRest: () => void,
): Promise<string> {
  const [judged] = await Promise.allSettled([passwords.assert(password, owner)]);
  badInputs([
    assertRest,
    () => {
      if (judged.status === "rejected") throw judged.reason;
    },
  ]);
  return hashPassword(password);
}
