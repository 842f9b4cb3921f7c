import type { Store } from "../domain/store.ts";
import type { Sealer } from "./seal.ts";
import { hashToken } from "./tokens.ts";

const KIND = "Consent";

/** What a person has allowed a client, in any browser. It outlives the engine's grants, which come and go with sessions. */
export interface ConsentMemory {
  find(userId: string, clientId: string): Promise<ReadonlySet<string>>;
  /** Adds to what is remembered. */
  add(userId: string, clientId: string, scopes: Iterable<string>): Promise<void>;
}

export function openConsentMemory({ artifacts }: Store, sealer: Sealer): ConsentMemory {
  async function find(userId: string, clientId: string): Promise<ReadonlySet<string>> {
    const idHash = hashToken(`${userId} ${clientId}`);
    const artifact = await artifacts.find(KIND, idHash);
    const text = artifact === null ? null : sealer.open(artifact.payload, `${KIND} ${idHash}`);
    return new Set(text === null ? [] : (JSON.parse(text) as string[]));
  }
  return {
    find,
    async add(userId, clientId, scopes) {
      const idHash = hashToken(`${userId} ${clientId}`);
      const all = new Set([...(await find(userId, clientId)), ...scopes]);
      await artifacts.put({
        kind: KIND,
        idHash,
        grantId: null,
        userId,
        clientId,
        scope: [...all].join(" "),
        uidHash: null,
        userCodeHash: null,
        payload: sealer.seal(JSON.stringify([...all]), `${KIND} ${idHash}`),
        expiresAtSeconds: null,
        consumedAtSeconds: null,
      });
    },
  };
}
