import { randomBytes } from "node:crypto";
import type { UserStore } from "../../domain/people/user.ts";
import { isActive, mayKeep, type User } from "../../domain/people/user.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { UpstreamOrigin } from "../upstreams/upstream.ts";

/** Milliseconds for which the first step counts (U41). */
const LIFETIME = 10 * 60_000;

/**
 * Step that a sealed sign-in leads to; it counts for no other. `ask`: the second step. `wished`: the same, where only the client wishes for
 * it. `set-up`: the set-up of a second step. `done`: the end, after both steps.
 */
export type PendingStep = "ask" | "wished" | "set-up" | "done";

/** A sign-in whose first step was right. */
interface PendingSignIn {
  readonly user: User;
  readonly step: PendingStep;
  /** Its name in limits on guessing. */
  readonly round: string;
  /** Methods of the first step (RFC 8176). */
  readonly amr: readonly string[];
  /** The identity at another service that was the first step; undefined for any other. */
  readonly upstream: UpstreamOrigin | undefined;
}

/** Result of the first step. */
export type FirstStep = Pick<PendingSignIn, "amr"> & Partial<Pick<PendingSignIn, "upstream">>;

interface Sealed extends FirstStep {
  readonly id: string;
  readonly step: PendingStep;
  /** `User.credentialVersion` at the time of the first step. */
  readonly version: number;
  /** Milliseconds of Unix time. */
  readonly until: number;
  readonly round: string;
}

/** The time between the two steps. It stands in a sealed form field, so there is no session and no cookie of a person before the end. */
export interface PendingSignIns {
  /** @param bound form or interaction that the field stands in: it counts in no other */
  seal(user: User, bound: string, first: FirstStep, step: PendingStep): string;
  /**
   * @param steps that may go on with it
   * @returns null where the first step must be done again: it is too old, another's or for another step, or the person's credentials have
   * changed since (P25)
   */
  open(sealed: string, bound: string, steps?: readonly PendingStep[]): Promise<PendingSignIn | null>;
}

/** @param now Unix time in milliseconds */
export function openPendingSignIns(users: Pick<UserStore, "find">, sealer: Sealer, now: () => number): PendingSignIns {
  const placeOf = (bound: string) => `second step in ${bound}`;

  return {
    seal({ id, credentialVersion: version }, bound, { amr, upstream }, step) {
      const pending: Sealed = {
        ...{ id, step, version, until: now() + LIFETIME, round: randomBytes(12).toString("base64url"), amr },
        ...(upstream === undefined ? {} : { upstream }),
      };
      return sealer.seal(JSON.stringify(pending), placeOf(bound));
    },

    async open(sealed, bound, steps = ["ask"]) {
      const text = sealed.length > 2_000 ? null : sealer.open(sealed, placeOf(bound));
      if (text === null) return null;
      const { id, step, version, until, round, amr, upstream } = JSON.parse(text) as Sealed;
      const user = until < now() || !steps.includes(step) ? null : await users.find(id as User["id"]);
      if (user === null || user.credentialVersion !== version) return null;
      if (!isActive(user) && !mayKeep(user)) return null;
      return { user, step, round, amr, upstream };
    },
  };
}
