import type { FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { mayKeep, type User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import type { Entrant, Proof } from "./proof.ts";

export interface KeptAccountsOptions {
  readonly store: Pick<Store, "users" | "deletions">;
  readonly sealer: Sealer;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Milliseconds for which the proof counts. */
const LIFETIME = 10 * 60_000;

/** Accounts that will be deleted, and whose person has shown to be theirs (U72). */
export interface KeptAccounts {
  /** Seals what was shown. @param csrf of the form that it stands in: it counts in no other browser */
  prove(entrant: Entrant, csrf: string): string;
  /** Keeps the account. @returns the person, who may be signed in then; null where the proof is not good, or it is too late */
  keep(sealed: string, csrf: string, request: FastifyRequest): Promise<Entrant | null>;
}

interface Kept {
  readonly id: string;
  readonly proof: Proof;
  /** `User.credentialVersion` at that time. */
  readonly version: number;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

export function openKeptAccounts({ store, sealer, outgoing, audit, now }: KeptAccountsOptions): KeptAccounts {
  const placeOf = (csrf: string) => `account to keep in ${csrf}`;

  async function read(sealed: string, csrf: string): Promise<Entrant | null> {
    const opened = sealed.length > 2_000 ? null : sealer.open(sealed, placeOf(csrf));
    if (opened === null) return null;
    const { id, proof, version, until } = JSON.parse(opened) as Kept;
    const user = until < now() ? null : await store.users.find(id as User["id"]);
    return user !== null && user.credentialVersion === version && mayKeep(user) ? { user, proof } : null;
  }

  return {
    prove({ user: { id, credentialVersion: version }, proof }, csrf) {
      const kept: Kept = { id, proof, version, until: now() + LIFETIME };
      return sealer.seal(JSON.stringify(kept), placeOf(csrf));
    },

    async keep(sealed, csrf, { ip: address, id: requestId, headers }) {
      const found = await read(sealed, csrf);
      if (found === null) return null;
      try {
        const user = await store.deletions.undo(found.user.id);
        const facts = { result: "ok", userId: user.id, address, requestId } as const;
        audit.note({ ...facts, event: "deletion", detail: "undone" }); // written with the next
        await audit.record({ ...facts, event: "sign-in" });
        await outgoing.notice("deletion-undone", user, { browser: nameBrowser(headers["user-agent"]) });
        return { user, proof: found.proof };
      } catch (error) {
        // It was kept in another window, or deletion has begun.
        if (error instanceof AppError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")) return null;
        throw error;
      }
    },
  };
}
