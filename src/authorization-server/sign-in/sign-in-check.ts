import type { FastifyRequest } from "fastify";
import type { AuditResult } from "../../domain/audit.ts";
import { isActive, mayKeep, type User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import { verifyPassword } from "../../secrets/passwords.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import type { UpstreamPolicy } from "../upstreams/policy.ts";
import { ATTEMPT_WINDOW, openAttemptLimit } from "./attempts.ts";
import type { KnownBrowsers } from "./known-browsers.ts";

/** Why nobody was signed in. Each is the same whether or not the account exists (A40). */
export interface SignInRefusal {
  readonly status: 400 | 429;
  /** Seconds after which attempts are counted from zero; null for a wrong password. */
  readonly retryAfter: number | null;
  /** For the person. */
  readonly message: string;
  /** Whether the address signs in at another service, which the message names. */
  readonly isElsewhere?: true;
}

const WRONG: SignInRefusal = {
  status: 400,
  retryAfter: null,
  message: "The e-mail address or the password is wrong. Check both, then try again.",
};

const LIMITED: SignInRefusal = {
  status: 429,
  retryAfter: ATTEMPT_WINDOW,
  message: "There were too many attempts. Wait 15 minutes, then try again.",
};

/** The audit's word for a right password that does not sign in by itself. */
const FIRST_STEP = "first step";

/** Headers of the answer that shows a refusal (RFC 6585 section 4). */
export function refusalHeaders({ retryAfter }: SignInRefusal): Record<string, string> {
  return retryAfter === null ? {} : { "retry-after": String(retryAfter) };
}

/** An address and a password that somebody has typed, and where. */
interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /**
   * The audit's name for it. `password`: a signed-in person enters the current password to change it. `step-up`: to go on to a page that
   * wants a recent sign-in.
   */
  readonly event: "sign-in" | "password" | "step-up";
  readonly request: FastifyRequest;
  /** The session that is open in the browser: see `AttemptPlace.budget`. */
  readonly session: { readonly accountId?: string | undefined; readonly uid: string } | undefined;
  readonly clientId: string | null;
}

/**
 * Finds the person who signs in with an address and a password, within the bounds on attempts. The
 * audit has it before this resolves to somebody, and knows which account was meant; what was typed it never has.
 *
 * @returns the person, who may be one whose account will be deleted unless they keep it: `isActive` tells
 * @throws AppError UNAVAILABLE when too many wait already; the attempt does not count then
 */
export type SignInCheck = (
  attempt: SignInAttempt,
) => Promise<{ readonly user: User } | { readonly user: null; readonly refusal: SignInRefusal }>;

export interface SignInCheckOptions {
  readonly store: Store;
  readonly known: KnownBrowsers;
  readonly secondStep: Pick<SecondStep, "isNeeded">;
  readonly policy: Pick<UpstreamPolicy, "refusalFor">;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export function openSignInCheck({ store, known, secondStep, policy, audit, now }: SignInCheckOptions): SignInCheck {
  const attempts = openAttemptLimit(store.attempts, now);

  async function find(email: string): Promise<User | null> {
    const isAddress = email.length <= 1_000 && email.isWellFormed() && !email.includes("\0");
    return isAddress ? store.users.findByEmail(email) : null;
  }

  /** Does the same work whether or not there is such a person (A40). */
  async function matches(user: User | null, password: string): Promise<boolean> {
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    return isRight && user !== null && (isActive(user) || mayKeep(user));
  }

  function budgetOf(user: User | null, { request, session }: SignInAttempt): string | null {
    if (user === null) return null;
    return session?.accountId === user.id ? `session ${hashToken(session.uid)}` : known.budgetOf(request, user);
  }

  return async (attempt) => {
    const { email, password, event, clientId } = attempt;
    const { ip: address, id: requestId } = attempt.request;
    const user = await find(email);
    const place = { email, address, budget: budgetOf(user, attempt) };
    const mayTry = await attempts.begin(place);
    async function uncounted(fault: unknown): Promise<never> {
      if (mayTry) await attempts.withdraw(place).catch(() => {}); // the same fault again, most likely: the first says more
      throw fault;
    }
    const facts = (result: AuditResult) => ({ event, result, userId: user?.id ?? null, clientId, address, requestId });
    if (!mayTry) {
      audit.note(facts("limited"));
      return { user: null, refusal: LIMITED };
    }
    const isRight = await matches(user, password).catch(uncounted);
    // After the same work, and by the domain alone: that somebody is exempt shows in no refusal (U65).
    const elsewhere = policy.refusalFor(email, null) ?? (user === null ? null : policy.refusalFor(user.email, null));
    if (elsewhere !== null && !(isRight && user?.localSignIn === true)) {
      audit.note({ ...facts("refused"), detail: "the domain signs in elsewhere" });
      return { user: null, refusal: { ...WRONG, message: elsewhere, isElsewhere: true } };
    }
    if (!isRight || user === null) {
      audit.note(facts("refused"));
      return { user: null, refusal: WRONG };
    }
    await attempts.succeed(place);
    if (!isActive(user)) audit.note({ ...facts("refused"), detail: "the account will be deleted" });
    else if (event === "step-up") await audit.record(facts("ok"));
    else if (event === "sign-in")
      await audit.record({ ...facts("ok"), detail: secondStep.isNeeded(user) ? FIRST_STEP : null });
    return { user };
  };
}
