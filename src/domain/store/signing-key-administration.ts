import type { Administration } from "../administration.ts";
import type { SigningAlgorithm } from "../clients/client.ts";
import type { UserStore } from "../people/user.ts";
import type { SigningKey } from "./signing-keys.ts";

/**
 * `next`: published, does not sign yet. `signing`. `retired`: published for the tokens that it signed. `gone`: as
 * `retired`, but the last of them is gone too.
 */
export const KEY_STATES = ["next", "signing", "retired", "gone"] as const;
export type KeyState = (typeof KEY_STATES)[number];

/** A signing key without its private part. */
export interface ShownKey extends Omit<SigningKey, "privateKey"> {
  readonly state: KeyState;
  /** Until when it is published; null while that is not known. */
  readonly publishedUntil: string | null;
}

export interface KeyControl {
  /** Newest first. */
  list(): Promise<ShownKey[]>;
  /**
   * Creates new keys, which running nodes start to use.
   * @param isLeaked the old ones are not published any more, and what they signed is rejected
   * @throws AppError CONFLICT while an earlier rotation is under way
   */
  rotate(algorithms: readonly SigningAlgorithm[], isLeaked: boolean): Promise<void>;
}

interface KeyAdministration extends Administration<{ readonly users: UserStore }> {
  readonly signingKeys: KeyControl;
}

/** @throws AppError CONFLICT, KeyInUse */
export async function rotateKeys(
  { store, signingKeys, record, once, actorId }: KeyAdministration,
  algorithms: readonly SigningAlgorithm[],
  isLeaked: boolean,
): Promise<void> {
  const all = [...new Set(algorithms)];
  await signingKeys.rotate(all, isLeaked);
  if (once !== undefined && actorId !== null) await store.users.update(actorId, {}, once); // which notes the request
  const detail = `${all.join(" ")} rotated${isLeaked ? ", the old ones withdrawn" : ""}`;
  await record({ event: "keys", result: "ok", detail });
}
