import type { FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";

export interface KeptAccountsOptions {
  readonly store: Pick<Store, "users" | "deletions">;
  readonly sealer: Sealer;
  readonly outgoing: Outgoing;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Milliseconds for which a right password counts. */
const LIFETIME = 10 * 60_000;

/** Accounts that will be deleted, and whose person has entered the right password (U72). */
export interface KeptAccounts {
  /** @param csrf of the form that the proof stands in: it counts in no other browser */
  prove(user: User, csrf: string): string;
  /** Keeps the account. @returns the person, who may be signed in then; null where the proof is not good, or it is too late */
  keep(proof: string, csrf: string, request: FastifyRequest): Promise<User | null>;
}

interface Proof {
  readonly id: string;
  /** `User.credentialVersion` at the time of the password. */
  readonly version: number;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

export function openKeptAccounts({ store, sealer, outgoing, audit, now }: KeptAccountsOptions): KeptAccounts {
  const placeOf = (csrf: string) => `right password in ${csrf}`;

  async function read(proof: string, csrf: string): Promise<User | null> {
    const opened = proof.length > 2_000 ? null : sealer.open(proof, placeOf(csrf));
    if (opened === null) return null;
    const { id, version, until } = JSON.parse(opened) as Proof;
    const user = until < now() ? null : await store.users.find(id as User["id"]);
    return user !== null && user.credentialVersion === version && mayKeep(user) ? user : null;
  }

  return {
    prove({ id, credentialVersion: version }, csrf) {
      const proof: Proof = { id, version, until: now() + LIFETIME };
      return sealer.seal(JSON.stringify(proof), placeOf(csrf));
    },

    async keep(proof, csrf, { ip: address, id: requestId, headers }) {
      const found = await read(proof, csrf);
      if (found === null) return null;
      try {
        const user = await store.deletions.undo(found.id);
        const facts = { result: "ok", userId: user.id, address, requestId } as const;
        audit.note({ ...facts, event: "deletion", detail: "undone" }); // written with the next
        await audit.record({ ...facts, event: "sign-in" });
        await outgoing.notice("deletion-undone", user, { browser: nameBrowser(headers["user-agent"]) });
        return user;
      } catch (error) {
        // It was kept in another window, or deletion has begun.
        if (error instanceof AppError && (error.code === "CONFLICT" || error.code === "NOT_FOUND")) return null;
        throw error;
      }
    },
  };
}

/** Whether the person of this account may keep it: it is neither disabled nor gone. */
export function mayKeep({ disabledAt, deletesAt, deletedAt }: User): boolean {
  return disabledAt === null && deletesAt !== null && deletedAt === null;
}
