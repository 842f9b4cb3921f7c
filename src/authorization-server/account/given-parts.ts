import type { AdapterPayload } from "oidc-provider";
import type { Artifact } from "../../domain/store/artifacts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { readConsent } from "../grants/consent-memory.ts";

/** Scopes that a client was given at one time. */
interface Part {
  readonly scopes: readonly string[];
  readonly elsewhere: readonly string[];
  readonly sinceSeconds: number;
  /** Whether it was given to an agent. */
  readonly isAgent?: boolean;
}

export function readAgreed(artifact: Artifact, sealer: Sealer): Part | null {
  const consent = readConsent(artifact, sealer);
  if (consent === null) return null;
  return { ...consent, elsewhere: consent.elsewhere === undefined ? [] : [consent.elsewhere] };
}

export function readGrant(payload: AdapterPayload | undefined): Part | null {
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
