import type { Artifact } from "../../domain/store/artifacts.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";

/** The kind of its artifacts. */
export const CONSENT = "Consent";

/**
 * Consents of people for clients, in any browser. They outlive the engine's grants, which come and go with sessions.
 * Consents for our API and for each `elsewhere` are stored separately.
 */
export interface ConsentMemory {
  find(userId: string, clientId: string, elsewhere?: string): Promise<ReadonlySet<string>>;
  /** Adds to what is remembered. */
  add(userId: string, clientId: string, scopes: Iterable<string>, elsewhere?: string): Promise<void>;
}

interface Consent {
  readonly scopes: readonly string[];
  /** The API where, if it is not ours. */
  readonly elsewhere?: string;
  /** Unix time of the first. */
  readonly sinceSeconds: number;
}

/** Null for what does not open. */
export function readConsent({ kind, idHash, payload }: Artifact, sealer: Sealer): Consent | null {
  const text = sealer.open(payload, `${kind} ${idHash}`);
  return text === null ? null : (JSON.parse(text) as Consent);
}

export function openConsentMemory({ artifacts }: Store, sealer: Sealer, now: () => number): ConsentMemory {
  async function read(idHash: string): Promise<Consent | null> {
    const artifact = await artifacts.find(CONSENT, idHash);
    return artifact === null ? null : readConsent(artifact, sealer);
  }
  return {
    find: async (...place) => new Set((await read(nameOf(...place)))?.scopes),
    async add(userId, clientId, scopes, elsewhere) {
      const idHash = nameOf(userId, clientId, elsewhere);
      const before = await read(idHash);
      const all = [...new Set([...(before?.scopes ?? []), ...scopes])];
      const sinceSeconds = before?.sinceSeconds ?? Math.floor(now() / 1_000);
      const consent: Consent = { scopes: all, sinceSeconds, ...(elsewhere === undefined ? {} : { elsewhere }) };
      await artifacts.put({
        kind: CONSENT,
        idHash,
        grantId: null,
        userId,
        clientId,
        scope: all.join(" "),
        uidHash: null,
        userCodeHash: null,
        payload: sealer.seal(JSON.stringify(consent), `${CONSENT} ${idHash}`),
        expiresAtSeconds: null,
        consumedAtSeconds: null,
      });
    },
  };
}

function nameOf(userId: string, clientId: string, elsewhere?: string): string {
  return hashToken(elsewhere === undefined ? `${userId} ${clientId}` : JSON.stringify([userId, clientId, elsewhere]));
}
