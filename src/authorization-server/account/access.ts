import type Provider from "oidc-provider";
import type { AdapterPayload } from "oidc-provider";
import { levelOf } from "../../domain/agent-level.ts";
import type { Artifact } from "../../domain/store/artifacts.ts";
import { describeFault } from "../../observe/describe-fault.ts";
import type { Log } from "../../observe/log.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { type AdapterOptions, ENDED_SESSION, isTooOld, unseal } from "../engine/adapter.ts";
import { CONSENT } from "../grants/consent-memory.ts";
import { OPERATOR_GRANT } from "../grants/operator-token.ts";
import type { ActingClient } from "../pages/account-sections.ts";
import type { UpstreamOrigin } from "../upstreams/upstream.ts";
import { givenParts, shownNames } from "./given-parts.ts";
import type { SessionOrigin } from "./session-origin.ts";

/** A browser in which the person is signed in. */
interface OpenSession {
  /** A name that opens nothing. */
  readonly id: string;
  /** Unix time. */
  readonly signedInAtSeconds: number;
  readonly seen: SessionOrigin | null;
}

/** Sessions and grants of a person, and how to end them. Their tokens are rejected within a second. */
export interface Access {
  /** Sessions of the person, last used first. */
  listSessions(userId: string): Promise<OpenSession[]>;
  /**
   * Clients that may act for the person: `allowed` by the person, or `given` access by the operator (`token create`), who
   * did not ask. The latest come first.
   */
  listClients(userId: string): Promise<Record<"allowed" | "given", ActingClient[]>>;
  /**
   * Ends a session of the person, and what clients were given in it: all of it, or, as when the person signs out of a
   * browser, all but what was agreed to go on without it (`offline_access`).
   * @returns whether there was one
   */
  endSession(userId: string, sessionId: string, options?: { readonly keepsOffline?: boolean }): Promise<boolean>;
  /** Ends the sessions that began with a passkey, and what clients were given in them. @param mark as `passkeyMark` gives it */
  endSessionsOfPasskey(userId: string, mark: string): Promise<void>;
  /** Ends the sessions that began with the identity at another service: of its session `sid` alone, where one is given. @returns how many */
  endSessionsOfUpstream(userId: string, origin: EndedOrigin): Promise<number>;
  /** Ends all that the client has of the person; it has to ask again. */
  endClient(userId: string, clientId: string): Promise<void>;
  /** Ends every session and every token. @param keptSession `idHash` of one that stays; what was agreed to stays then as well */
  endAll(userId: string, keptSession?: string): Promise<void>;
  /**
   * Does what ends every session and token in its own transaction, such as a new password by mail. Clients are notified, and no request
   * writes a session back. null: it had no effect, and nothing has ended.
   */
  endAllBy<T>(userId: string, act: () => Promise<T | null>): Promise<T | null>;
}

/** An identity at another service, or a session of it, or both. */
type EndedOrigin = Pick<UpstreamOrigin, "provider" | "sid"> & { readonly subject: string | null };

export interface AccessOptions extends AdapterOptions {
  readonly provider: Provider;
  readonly log: Log;
}

/** Longer than any request that could still write an ended session back. */
const ENDED_SECONDS = 24 * 3_600;

export function openAccess(options: AccessOptions): Access {
  const { store, sealer, now, provider, log } = options;
  const { artifacts } = store;
  const nowSeconds = () => Math.floor(now() / 1_000);
  const isLive = ({ expiresAtSeconds }: Artifact) => expiresAtSeconds === null || expiresAtSeconds > nowSeconds();
  const list = async (userId: string, kinds: readonly string[]) =>
    (await artifacts.listOfUser(userId, kinds)).filter(isLive);

  /** No request that is under way writes the session back: see the adapter. */
  async function markEnded(session: Artifact): Promise<void> {
    const { uidHash } = session;
    if (uidHash === null) return;
    await artifacts.put({
      ...session,
      kind: ENDED_SESSION,
      idHash: uidHash,
      userId: null,
      uidHash: null,
      payload: "",
      expiresAtSeconds: nowSeconds() + ENDED_SECONDS,
    });
  }

  async function describeClients(artifacts: readonly Artifact[]): Promise<ActingClient[]> {
    const found = givenParts(artifacts, sealer);
    const names = await shownNames(store.clients, [...found.keys()]);
    const clients = [...found].map(([clientId, { scopes, elsewhere, sinceSeconds, isAgent }]) => {
      const [name, agent] = [names.get(clientId) ?? clientId, isAgent ? levelOf(scopes) : null];
      return { clientId, name, scopes: [...scopes], elsewhere: [...elsewhere], sinceSeconds, agent };
    });
    return clients.sort((a, b) => b.sinceSeconds - a.sinceSeconds);
  }

  /** OpenID Connect Back-Channel Logout 1.0. Nobody waits for the clients. */
  function tellClients(userId: string, sessions: readonly Artifact[]): void {
    for (const session of sessions) {
      const { authorizations = {} } = unseal(session, sealer) ?? {};
      for (const [clientId, { sid }] of Object.entries(authorizations)) void tell(clientId, userId, sid);
    }
  }

  async function tell(clientId: string, userId: string, sid: string | undefined): Promise<void> {
    const facts = { event: "back-channel sign-out", userId, toldClientId: clientId };
    try {
      const client = (await provider.Client.find(clientId)) as TellingClient | undefined;
      if (client?.backchannelLogoutUri === undefined || sid === undefined) return;
      await client.backchannelLogout(userId, sid);
      log.info(facts, "client told");
    } catch (error) {
      log.warn({ ...facts, error: describeFault(error) }, "the client could not be told");
    }
  }

  return {
    async listSessions(userId) {
      const sessions = await list(userId, ["Session"]);
      const open = sessions.flatMap((session) => {
        const payload = unseal(session, sealer);
        if (payload === undefined || session.uidHash === null || isTooOld(payload, options)) return [];
        return [describe(session.uidHash, payload)];
      });
      return open.sort((a, b) => lastUse(b) - lastUse(a));
    },

    async listClients(userId) {
      const operators = new Set<string>();
      for (const token of await list(userId, ["AccessToken"])) {
        const { gty, grantId } = unseal(token, sealer) ?? {};
        if (gty === OPERATOR_GRANT && grantId !== undefined) operators.add(hashToken(grantId));
      }
      const parts = await list(userId, [CONSENT, "Grant"]);
      const isGiven = ({ idHash }: Artifact) => operators.has(idHash);
      const [allowed, given] = await Promise.all([
        describeClients(parts.filter((part) => !isGiven(part))),
        describeClients(parts.filter(isGiven)),
      ]);
      return { allowed, given };
    },

    endSession,

    async endSessionsOfPasskey(userId, mark) {
      for (const session of await list(userId, ["Session"])) {
        const payload = unseal(session, sealer) as { passkey?: string } | undefined;
        if (payload?.passkey === mark && session.uidHash !== null) await endSession(userId, session.uidHash);
      }
    },

    async endSessionsOfUpstream(userId, { provider, subject, sid }) {
      let ended = 0;
      for (const session of await list(userId, ["Session"])) {
        const { upstream } = (unseal(session, sealer) ?? {}) as { upstream?: UpstreamOrigin };
        const isMeant =
          upstream?.provider === provider &&
          (subject === null || upstream.subject === subject) &&
          (sid === null || upstream.sid === sid);
        if (isMeant && session.uidHash !== null && (await endSession(userId, session.uidHash))) ended++;
      }
      return ended;
    },

    endClient: (userId, clientId) => artifacts.revokeClientOfUser(userId, clientId),

    endAll,

    async endAllBy(userId, act) {
      const sessions = await artifacts.listOfUser(userId, ["Session"]);
      const result = await act();
      if (result === null) return null;
      for (const session of sessions) await markEnded(session);
      await endAll(userId); // those that were written since
      tellClients(userId, sessions);
      return result;
    },
  };

  async function endSession(
    userId: string,
    sessionId: string,
    { keepsOffline = false }: { readonly keepsOffline?: boolean } = {},
  ): Promise<boolean> {
    const session = await artifacts.findByUid("Session", sessionId);
    if (session === null || session.userId !== userId) return false;
    await markEnded(session);
    // Its id changes while it is in use, its uid does not.
    for (let left: Artifact | null = session; left !== null; left = await artifacts.findByUid("Session", sessionId)) {
      await artifacts.destroy("Session", left.idHash);
      const { authorizations = {} } = unseal(left, sealer) ?? {};
      for (const { grantId, persistsLogout } of Object.values(authorizations)) {
        if (grantId !== undefined && !(keepsOffline && persistsLogout)) await artifacts.revokeGrant(grantId);
      }
    }
    tellClients(userId, [session]);
    return true;
  }

  async function endAll(userId: string, keptSession?: string): Promise<void> {
    const sessions = (await artifacts.listOfUser(userId, ["Session"])).filter(({ idHash }) => idHash !== keptSession);
    for (const session of sessions) await markEnded(session);
    await artifacts.revokeUser(userId, keptSession === undefined ? {} : { kinds: [CONSENT], idHashes: [keptSession] });
    tellClients(userId, sessions);
  }
}

interface TellingClient {
  readonly backchannelLogoutUri?: string;
  backchannelLogout(sub: string, sid: string): Promise<void>;
}

function describe(id: string, payload: AdapterPayload): OpenSession {
  const seen = (payload as { seen?: SessionOrigin }).seen ?? null;
  return { id, signedInAtSeconds: payload.loginTs ?? payload.iat ?? 0, seen };
}

function lastUse({ seen, signedInAtSeconds }: OpenSession): number {
  return seen?.atSeconds ?? signedInAtSeconds;
}
