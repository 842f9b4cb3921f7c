import { type Id, parseId } from "../../domain/id.ts";
import type { AccessControl, PersonAccess } from "../../domain/people/person-access.ts";
import type { Artifact } from "../../domain/store/artifacts.ts";
import { type AdapterOptions, isTooOld, unseal } from "../engine/adapter.ts";
import { CONSENT } from "../grants/consent-memory.ts";
import { OPERATOR_GRANT } from "../grants/operator-token.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { type GivenParts, givenParts, shownNames } from "./given-parts.ts";
import type { SessionOrigin } from "./session-origin.ts";

/** Sessions, and clients, that are shown of one person. */
const SHOWN = 20;
/** Rows that are read of one person, of sessions and consents and of tokens. */
const READ = 100;

/** Sessions and allowed clients of people, for administrators. Two statements read them, however many people are asked about. */
export function openAccessOverview(options: AdapterOptions): Pick<AccessControl, "listOfEach" | "ownerOf"> {
  const { store, sealer, now } = options;
  const { artifacts } = store;
  const isLive = ({ expiresAtSeconds }: Artifact) => expiresAtSeconds === null || expiresAtSeconds * 1_000 > now();

  async function listOfEach(userIds: readonly Id[]): Promise<Map<Id, PersonAccess>> {
    const [held, tokens] = await Promise.all([
      artifacts.listOfEach(userIds, ["Session", CONSENT, "Grant"], READ),
      artifacts.listOfEach(userIds, ["AccessToken", "RefreshToken"], READ),
    ]);
    const [heldBy, tokensOf] = [held, tokens].map((all) => Map.groupBy(all.filter(isLive), ({ userId }) => userId));
    const parts = new Map(
      userIds.map((id) => {
        const own = (heldBy?.get(id) ?? []).filter(({ kind }) => kind !== "Session");
        return [id, givenParts(own, sealer)];
      }),
    );
    const names = await shownNames(
      store.clients,
      [...parts.values()].flatMap((own) => [...own.keys()]),
    );
    return new Map(
      userIds.map((id) => [
        id,
        {
          sessions: sessionsOf((heldBy?.get(id) ?? []).filter(({ kind }) => kind === "Session")),
          clients: clientsOf(parts.get(id) ?? new Map(), tokensOf?.get(id) ?? [], names),
        },
      ]),
    );
  }

  function sessionsOf(sessions: readonly Artifact[]): PersonAccess["sessions"] {
    const open = sessions.flatMap((session) => {
      const payload = unseal(session, sealer);
      if (payload === undefined || session.uidHash === null || isTooOld(payload, options)) return [];
      const { seen } = payload as { seen?: SessionOrigin };
      return [
        {
          id: session.uidHash,
          browser: seen === undefined ? null : nameBrowser(seen.agent),
          address: seen?.address ?? null,
          signedInAt: timeOf(payload.loginTs ?? payload.iat ?? 0),
          lastUsedAt: seen === undefined ? null : timeOf(seen.atSeconds),
        },
      ];
    });
    const lastUse = ({ lastUsedAt, signedInAt }: (typeof open)[number]) => lastUsedAt ?? signedInAt;
    return open.sort((a, b) => (lastUse(a) < lastUse(b) ? 1 : -1)).slice(0, SHOWN);
  }

  function clientsOf(
    parts: GivenParts,
    tokens: readonly Artifact[],
    names: ReadonlyMap<string, string>,
  ): PersonAccess["clients"] {
    const uses = new Map<string, { at: number; isGiven: boolean }>();
    for (const token of tokens) {
      const { iat = 0, gty } = unseal(token, sealer) ?? {};
      const before = uses.get(token.clientId ?? "");
      const isGiven = gty === OPERATOR_GRANT || before?.isGiven === true;
      uses.set(token.clientId ?? "", { at: Math.max(iat, before?.at ?? 0), isGiven });
    }
    return [...parts]
      .sort(([, a], [, b]) => b.sinceSeconds - a.sinceSeconds)
      .slice(0, SHOWN)
      .map(([clientId, { scopes, sinceSeconds }]) => {
        const use = uses.get(clientId);
        return {
          ...{ clientId, name: names.get(clientId) ?? clientId, scopes: [...scopes], since: timeOf(sinceSeconds) },
          lastUsedAt: use === undefined ? null : timeOf(use.at),
          isGiven: use?.isGiven === true,
        };
      });
  }

  return {
    listOfEach,
    async ownerOf(sessionId) {
      const session = await artifacts.findByUid("Session", sessionId);
      return session === null ? null : parseId(session.userId ?? "");
    },
  };
}

/** @param seconds Unix time. @returns RFC 3339, UTC, milliseconds */
function timeOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}
