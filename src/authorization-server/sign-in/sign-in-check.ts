import type { AuditResult } from "../../domain/audit.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { verifyPassword } from "../../secrets/passwords.ts";
import type { Audit } from "../engine/audit.ts";
import { openAttemptLimit } from "./attempts.ts";

/** The same for a wrong password, an unknown address and too many attempts (A40). */
export const REFUSED =
  "This address and password do not belong together, or there were too many attempts. Check both, or wait a quarter of an hour.";

/** An address and a password that somebody has typed, and where. */
interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** What the audit calls it: at an account that is open already, the password is asked for before it is changed. */
  readonly event: "sign-in" | "password";
  readonly address: string;
  readonly clientId: string | null;
  readonly requestId: string;
}

/**
 * Who signs in with an address and a password, within the bounds on attempts; null for nobody, without saying why. The
 * audit has it before this resolves to somebody, and knows which account was meant; what was typed it never has.
 *
 * @throws AppError UNAVAILABLE when too many wait already; the attempt does not count then
 */
export type SignInCheck = (attempt: SignInAttempt) => Promise<User | null>;

export function openSignInCheck(store: Store, audit: Audit, now: () => number): SignInCheck {
  const attempts = openAttemptLimit(store.attempts, now);

  async function find(email: string): Promise<User | null> {
    const isAddress = email.length <= 1_000 && email.isWellFormed() && !email.includes("\0");
    return isAddress ? store.users.findByEmail(email) : null;
  }

  /** Does the same work whether or not there is such a person (A40). */
  async function matches(user: User | null, password: string): Promise<boolean> {
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    return isRight && user !== null && user.disabledAt === null;
  }

  return async ({ email, password, event, address, clientId, requestId }) => {
    const mayTry = await attempts.begin(email, address);
    async function uncounted(fault: unknown): Promise<never> {
      if (mayTry) await attempts.withdraw(email, address).catch(() => {}); // the same fault again, most likely: the first says more
      throw fault;
    }
    const user = await find(email).catch(uncounted);
    const facts = (result: AuditResult) => ({ event, result, userId: user?.id ?? null, clientId, address, requestId });
    if (!mayTry) {
      audit.note(facts("limited"));
      return null;
    }
    const isRight = await matches(user, password).catch(uncounted);
    if (!isRight) {
      audit.note(facts("refused"));
      return null;
    }
    await attempts.succeed(email, address);
    if (event === "sign-in") await audit.record(facts("ok"));
    return user;
  };
}
