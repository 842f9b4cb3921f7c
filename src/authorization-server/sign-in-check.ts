import type { Store } from "../domain/store.ts";
import type { User } from "../domain/user.ts";
import { openAttemptLimit } from "./attempts.ts";
import { verifyPassword } from "./passwords.ts";

/** The same for a wrong password, an unknown address and too many attempts (A40). */
export const REFUSED =
  "This address and password do not belong together, or there were too many attempts. Check both, or wait a quarter of an hour.";

/**
 * Who signs in with an address and a password, within the bounds on attempts; null for nobody, without saying why.
 *
 * @throws AppError UNAVAILABLE when too many wait already; the attempt does not count then
 */
export type SignInCheck = (email: string, password: string, address: string) => Promise<User | null>;

export function openSignInCheck(store: Store, now: () => number): SignInCheck {
  const attempts = openAttemptLimit(store.attempts, now);

  /** Does the same work whether or not there is such a person (A40). */
  async function authenticate(email: string, password: string): Promise<User | null> {
    const isAddress = email.length <= 1_000 && email.isWellFormed() && !email.includes("\0");
    const user = isAddress ? await store.users.findByEmail(email) : null;
    const matches = await verifyPassword(user?.passwordHash ?? null, password);
    return matches && user !== null && user.disabledAt === null ? user : null;
  }

  return async (email, password, address) => {
    if (!(await attempts.begin(email, address))) return null;
    const user = await authenticate(email, password).catch(async (fault: unknown) => {
      await attempts.withdraw(email, address).catch(() => {}); // the same fault again, most likely: the first says more
      throw fault;
    });
    if (user !== null) await attempts.succeed(email, address);
    return user;
  };
}
