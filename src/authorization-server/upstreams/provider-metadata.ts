import type { JWTVerifyGetKey } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import { RemoteKeys } from "../../domain/clients/remote-keys.ts";
import type { Log } from "../../observe/log.ts";
import { UpstreamDown } from "./refusal.ts";
import type { Upstream } from "./upstream.ts";
import { openUpstreamFetch, type UpstreamFetch, type UpstreamFetchOptions } from "./upstream-fetch.ts";

const HOUR = 3_600_000;
/** Milliseconds for which metadata count as fresh, and for which they serve while they cannot be read again (U67). */
const [FRESH, STALE] = [HOUR, 24 * HOUR];

/** Signatures that others can check and not make: neither `none` nor one with the client's secret. */
const ALGORITHMS: ReadonlySet<string> = new Set(
  "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" "),
);

/** An OpenID provider as its metadata describe it (OpenID Connect Discovery 1.0). */
export interface OpenidProvider {
  /** For openid-client. It checks signatures too. */
  readonly configuration: Configuration;
  /** For jose: keys of the provider, read again when an unknown one is named. */
  readonly keys: JWTVerifyGetKey;
  /** The provider's that count here; never empty. */
  readonly algorithms: readonly string[];
  readonly hasUserinfo: boolean;
  /** False where its list of claims has no `auth_time`. A provider without a list may still tell it. */
  readonly tellsSignInTime: boolean;
}

export interface ProviderMetadata {
  /** @throws UpstreamDown where they are neither known nor to be had, or do not fit the entry */
  of(upstream: Upstream & { readonly issuer: string }): Promise<OpenidProvider>;
}

export interface ProviderMetadataOptions extends UpstreamFetchOptions {
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** Reads metadata at the first use of an upstream; then they are kept. */
export function openProviderMetadata(options: ProviderMetadataOptions): ProviderMetadata {
  const { log, now } = options;
  const known = new Map<string, RemoteKeys<OpenidProvider>>();

  function remoteOf(upstream: Upstream & { readonly issuer: string }): RemoteKeys<OpenidProvider> {
    const fetch = openUpstreamFetch(options, upstream);
    const read = async () => ({ keys: await readProvider(upstream, fetch), lifetime: FRESH });
    const remote = known.get(upstream.id) ?? new RemoteKeys(read, now, STALE);
    known.set(upstream.id, remote);
    return remote;
  }

  return {
    async of(upstream) {
      const remote = remoteOf(upstream);
      const fresh = remote.fresh();
      if (fresh !== null) return fresh;
      let reason = "asked a moment ago";
      if (!remote.isPaused)
        await remote.refresh().catch((error: Error) => {
          reason = error instanceof UpstreamDown ? error.reason : error.message;
          log.warn({ event: "upstream metadata", upstream: upstream.id, reason }, "not read");
        });
      const provider = remote.stale();
      if (provider === null) throw new UpstreamDown(upstream.name, reason);
      return provider;
    },
  };
}

async function readProvider(
  upstream: Upstream & { readonly issuer: string },
  fetch: UpstreamFetch,
): Promise<OpenidProvider> {
  const { issuer, clientId, clientSecret } = upstream;
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  if (answer.status !== 200) throw new Error(`the metadata answer ${answer.status}`);
  const metadata = ((await answer.json().catch(() => null)) ?? {}) as Readonly<Record<string, unknown>>;
  if (metadata.issuer !== issuer) throw new Error("the metadata name another issuer");
  const listed = metadata.id_token_signing_alg_values_supported ?? ["RS256"];
  const algorithms = Array.isArray(listed) ? listed.filter((one) => ALGORITHMS.has(one)) : [];
  if (algorithms.length === 0) throw new Error("the metadata list no algorithm that counts here");
  const hasUserinfo = metadata.userinfo_endpoint !== undefined;
  const server: ServerMetadata = {
    issuer,
    authorization_endpoint: endpointOf(metadata, "authorization_endpoint", issuer),
    token_endpoint: endpointOf(metadata, "token_endpoint", issuer),
    jwks_uri: endpointOf(metadata, "jwks_uri", issuer),
    id_token_signing_alg_values_supported: algorithms,
    authorization_response_iss_parameter_supported: metadata.authorization_response_iss_parameter_supported === true,
    ...(hasUserinfo ? { userinfo_endpoint: endpointOf(metadata, "userinfo_endpoint", issuer) } : {}),
  };
  const [openid, { createRemoteJWKSet, customFetch }] = await Promise.all([import("openid-client"), import("jose")]);
  // Without a list, Basic is the method that every server has (OpenID Connect Discovery section 3).
  const methods = metadata.token_endpoint_auth_methods_supported;
  const isPost = Array.isArray(methods) && methods.includes("client_secret_post");
  const authentication = isPost ? openid.ClientSecretPost(clientSecret) : openid.ClientSecretBasic(clientSecret);
  const configuration = new openid.Configuration(server, clientId, {}, authentication);
  configuration[openid.customFetch] = fetch;
  openid.enableNonRepudiationChecks(configuration);
  if (issuer.startsWith("http:")) openid.allowInsecureRequests(configuration);
  const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ""), { [customFetch]: fetch });
  const { claims_supported: claims } = metadata;
  const tellsSignInTime = !Array.isArray(claims) || claims.includes("auth_time");
  return { configuration, keys, algorithms, hasUserinfo, tellsSignInTime };
}

/** https; http only where the issuer, which the operator chose, is at the same host by http. */
function endpointOf(metadata: Readonly<Record<string, unknown>>, name: string, issuer: string): string {
  const value = metadata[name];
  const url = typeof value === "string" && value.length <= 2_000 ? URL.parse(value) : null;
  const { protocol, hostname } = new URL(issuer);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && protocol === "http:" && url.hostname === hostname))
    return url.href;
  throw new Error(`the metadata have no ${name} that may be used`);
}
