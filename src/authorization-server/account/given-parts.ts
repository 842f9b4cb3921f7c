import type { AdapterPayload } from "oidc-provider";
import type { ClientStore } from "../../domain/clients/client-store.ts";
import type { Artifact } from "../../domain/store/artifacts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { shownName } from "../clients/engine-client.ts";
import { unseal } from "../engine/adapter.ts";
import { CONSENT, readConsent } from "../grants/consent-memory.ts";

/** Scopes that a client was given at one time. */
interface Part {
  readonly scopes: readonly string[];
  readonly elsewhere: readonly string[];
  readonly sinceSeconds: number;
  /** Whether it was given to an agent. */
  readonly isAgent?: boolean;
}

/** All that each client was given, by its id. */
export type GivenParts = ReadonlyMap<
  string,
  {
    readonly scopes: ReadonlySet<string>;
    readonly elsewhere: ReadonlySet<string>;
    readonly sinceSeconds: number;
    readonly isAgent: boolean;
  }
>;

/** @param artifacts consents and grants of one person */
export function givenParts(artifacts: readonly Artifact[], sealer: Sealer): GivenParts {
  const found = new Map<string, GivenParts extends ReadonlyMap<string, infer Part> ? Part : never>();
  for (const artifact of artifacts) {
    const { clientId } = artifact;
    const part = artifact.kind === CONSENT ? readAgreed(artifact, sealer) : readGrant(unseal(artifact, sealer));
    if (clientId === null || part === null || part.scopes.length === 0) continue;
    const before = found.get(clientId);
    found.set(clientId, {
      scopes: new Set([...(before?.scopes ?? []), ...part.scopes]),
      elsewhere: new Set([...(before?.elsewhere ?? []), ...part.elsewhere]),
      sinceSeconds: Math.min(before?.sinceSeconds ?? Number.POSITIVE_INFINITY, part.sinceSeconds),
      isAgent: before?.isAgent === true || part.isAgent === true,
    });
  }
  return found;
}

/** Names of clients as people see them, read by one statement. */
export async function shownNames(clients: ClientStore, ids: readonly string[]): Promise<Map<string, string>> {
  const names = await clients.namesOf([...new Set(ids)]);
  return new Map([...names].map(([clientId, clientName]) => [clientId, shownName({ clientId, clientName })]));
}

function readAgreed(artifact: Artifact, sealer: Sealer): Part | null {
  const consent = readConsent(artifact, sealer);
  if (consent === null) return null;
  return { ...consent, elsewhere: consent.elsewhere === undefined ? [] : [consent.elsewhere] };
}

function readGrant(payload: AdapterPayload | undefined): Part | null {
  const {
    openid,
    resources = {},
    iat = 0,
  } = (payload ?? {}) as {
    openid?: { scope?: string };
    resources?: Record<string, string>;
    iat?: number;
  };
  const given = [openid?.scope ?? "", ...Object.values(resources)].flatMap((scope) => scope.split(" "));
  const scopes = [...new Set(given)].filter((scope) => scope !== "");
  return scopes.length === 0 ? null : { scopes, elsewhere: Object.keys(resources), sinceSeconds: iat };
}
