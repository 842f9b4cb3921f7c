import { type AgentLevel, levelOf } from "../../domain/agent-level.ts";
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
  /** Adds to what is remembered. What is new was agreed to on the page for any client, so an agent has to ask about it again. */
  add(userId: string, clientId: string, scopes: Iterable<string>, elsewhere?: string): Promise<void>;
  /** The level that the person has chosen for the client as an agent; null where they have not been asked. */
  findLevel(userId: string, clientId: string, elsewhere?: string): Promise<AgentLevel | null>;
  /**
   * Remembers what the person has chosen for an agent. If they had agreed to something that they decline now, everything that the
   * client got from them ends: its tokens would go on without regard to the choice.
   */
  choose(userId: string, clientId: string, choice: AgentConsent, elsewhere?: string): Promise<void>;
}

interface AgentConsent {
  readonly scopes: readonly string[];
  /** The scopes that they were offered and did not choose. */
  readonly declined: readonly string[];
}

interface Consent {
  readonly scopes: readonly string[];
  /** Whether the person was asked about an agent. */
  readonly isAgent?: boolean;
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
  async function write(
    [userId, clientId, elsewhere]: Place,
    { isAgent = false, sinceSeconds = Math.floor(now() / 1_000) }: Partial<Consent>,
    scopes: readonly string[],
  ): Promise<void> {
    const idHash = nameOf(userId, clientId, elsewhere);
    const all = [...new Set(scopes)];
    const consent: Consent = {
      ...{ scopes: all, sinceSeconds },
      ...(isAgent ? { isAgent } : {}),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    };
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
  }

  async function endGrants(userId: string, clientId: string): Promise<void> {
    for (const grant of await artifacts.listOfUser(userId, ["Grant"]))
      if (grant.clientId === clientId && grant.grantId !== null) await artifacts.revokeGrant(grant.grantId);
  }

  return {
    find: async (...place) => new Set((await read(nameOf(...place)))?.scopes),
    async findLevel(...place) {
      const consent = await read(nameOf(...place));
      return consent?.isAgent === true ? levelOf(consent.scopes) : null;
    },
    async add(userId, clientId, scopes, elsewhere) {
      const before = await read(nameOf(userId, clientId, elsewhere));
      const added = [...scopes];
      const isAgent = before?.isAgent === true && added.every((scope) => before.scopes.includes(scope));
      await write([userId, clientId, elsewhere], { ...before, isAgent }, [...(before?.scopes ?? []), ...added]);
    },
    async choose(userId, clientId, { scopes, declined }, elsewhere) {
      const before = await read(nameOf(userId, clientId, elsewhere));
      const agreed = before?.scopes ?? [];
      if (agreed.some((scope) => declined.includes(scope))) await endGrants(userId, clientId);
      const kept = agreed.filter((scope) => !declined.includes(scope));
      await write([userId, clientId, elsewhere], { ...before, isAgent: true }, [...kept, ...scopes]);
    },
  };
}

type Place = readonly [userId: string, clientId: string, elsewhere?: string | undefined];

function nameOf(userId: string, clientId: string, elsewhere?: string): string {
  return hashToken(elsewhere === undefined ? `${userId} ${clientId}` : JSON.stringify([userId, clientId, elsewhere]));
}
