import type { Configuration } from "openid-client";
import { MOST_AHEAD } from "../../domain/clients/compact-jws.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import { equalInConstantTime, type Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { readOAuth2Identity } from "./oauth2-identity.ts";
import { readOpenidIdentity } from "./openid-identity.ts";
import { openProviderMetadata, type ProviderMetadata, type ProviderMetadataOptions } from "./provider-metadata.ts";
import { judged, UpstreamDown, UpstreamRefusal, unconfirmed } from "./refusal.ts";
import { openTransaction, sealTransaction, TRANSACTION_SECONDS, type Transaction } from "./transaction.ts";
import type { Bound, Identity, Upstream, Visitor } from "./upstream.ts";
import { openUpstreamFetch } from "./upstream-fetch.ts";

export interface RelyingPartyOptions extends ProviderMetadataOptions {
  /** The setting AUTH_URL: no header has a say in where the upstream sends people back to (R1). */
  readonly issuer: string;
  readonly sealer: Sealer;
  readonly attempts: Pick<AttemptStore, "claimOnce">;
  readonly metadata?: ProviderMetadata;
}

interface Callback {
  /** The query of the request at `/upstream/ID/callback`. */
  readonly parameters: URLSearchParams;
  /** The cookie `upstream`; undefined without it. */
  readonly cookie: string | undefined;
  readonly visitor: Visitor;
}

export interface RelyingParty {
  /**
   * Begins a round trip. Its answer counts once, in this browser, within ten minutes, for what it is bound to. For a step-up, the upstream
   * asks its person anew, and an answer that does not say so is refused.
   *
   * @returns the address to send the browser to, and the value of the cookie `upstream`
   * @throws UpstreamDown; UpstreamRefusal for a step-up at a service that does not tell when its people have signed in
   */
  begin(upstream: Upstream, bound: Bound): Promise<{ readonly url: string; readonly cookie: string }>;
  /**
   * Ends a round trip. The upstream's tokens are dropped.
   *
   * @throws UpstreamRefusal, the same for everything that is wrong with it; UpstreamDown
   */
  finish(upstream: Upstream, callback: Callback): Promise<{ readonly identity: Identity; readonly bound: Bound }>;
  /** The act that a round trip of this browser was begun for, to lead back to it. null for a cookie that is not ours. */
  boundOf(cookie: string | undefined): Bound | null;
}

/** This server as a client of others (OpenID Connect Core section 3.1, OAuth 2.0 Security BCP, RFC 9700). */
export function openRelyingParty(options: RelyingPartyOptions): RelyingParty {
  const { issuer, sealer, attempts, log, now, metadata = openProviderMetadata(options) } = options;
  const seconds = () => Math.floor(now() / 1_000);
  const redirectUriOf = ({ id }: Upstream) => `${issuer}/upstream/${id}/callback`;

  /** @param iss the parameter of a callback */
  async function oauth2ConfigurationOf(upstream: Upstream, iss: string | null): Promise<Configuration> {
    const openid = await import("openid-client");
    const { oauth2, clientId, clientSecret } = upstream;
    const { authorize = "", token = "" } = oauth2 ?? {};
    const server = { issuer: issuerOf(authorize, iss), authorization_endpoint: authorize, token_endpoint: token };
    // GitHub documents the secret in the form.
    const configuration = new openid.Configuration(server, clientId, {}, openid.ClientSecretPost(clientSecret));
    configuration[openid.customFetch] = openUpstreamFetch(options, upstream);
    if ([authorize, token].some((url) => url.startsWith("http:"))) openid.allowInsecureRequests(configuration);
    return configuration;
  }

  /** The transaction that the callback belongs to. @throws UpstreamRefusal */
  function assertOwn(upstream: Upstream, { parameters, cookie, visitor }: Callback): Transaction {
    const transaction = openTransaction(sealer, cookie);
    if (transaction === null) throw new UpstreamRefusal("no transaction in this browser");
    const { provider, expiresAtSeconds, state, bound } = transaction;
    if (provider !== upstream.id) throw new UpstreamRefusal("begun with another upstream");
    if (expiresAtSeconds <= seconds()) throw new UpstreamRefusal("begun too long ago");
    const [sent = "", ...more] = parameters.getAll("state");
    if (more.length > 0 || !equalInConstantTime(state, sent)) throw new UpstreamRefusal("another state");
    if (!isHeld(bound, visitor)) throw new UpstreamRefusal("begun by another person or browser");
    return transaction;
  }

  async function read(
    upstream: Upstream,
    { nonce, state, verifier, bound, expiresAtSeconds }: Transaction,
    parameters: URLSearchParams,
  ) {
    const url = new URL(`${redirectUriOf(upstream)}?${parameters}`);
    const checks = { expectedState: state, pkceCodeVerifier: verifier };
    if (isOpenid(upstream)) {
      const provider = await metadata.of(upstream);
      const identity = await readOpenidIdentity(
        upstream,
        provider,
        url,
        { ...checks, expectedNonce: nonce },
        seconds(),
      );
      const beganAtSeconds = expiresAtSeconds - TRANSACTION_SECONDS;
      // Clocks may differ by a few seconds.
      if (bound.for === "step-up" && (identity.signedInAtSeconds ?? 0) < beganAtSeconds - MOST_AHEAD)
        throw unconfirmed(upstream, "auth_time is from before the step-up");
      return identity;
    }
    if (bound.for === "step-up") throw new UpstreamRefusal("oauth2 does not say when somebody signed in");
    const configuration = await oauth2ConfigurationOf(upstream, parameters.get("iss"));
    const { authorizationCodeGrant } = await import("openid-client");
    const { access_token: token } = await authorizationCodeGrant(configuration, url, checks);
    return readOAuth2Identity(upstream, openUpstreamFetch(options, upstream), token);
  }

  return {
    boundOf: (cookie) => openTransaction(sealer, cookie)?.bound ?? null,

    async begin(upstream, bound) {
      const provider = isOpenid(upstream) ? await metadata.of(upstream) : null;
      if (bound.for === "step-up" && provider?.tellsSignInTime === false)
        throw unconfirmed(upstream, "the metadata list no auth_time");
      const configuration = provider?.configuration ?? (await oauth2ConfigurationOf(upstream, null));
      const openid = await import("openid-client");
      const [state, nonce, verifier] = [openid.randomState(), openid.randomNonce(), openid.randomPKCECodeVerifier()];
      const url = openid.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUriOf(upstream),
        scope: upstream.scopes.join(" "),
        state,
        ...(isOpenid(upstream) ? { nonce } : {}),
        // OpenID Connect Core section 3.1.2.1.
        ...(bound.for === "step-up" ? { prompt: "login", max_age: "0" } : {}),
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      const expiresAtSeconds = seconds() + TRANSACTION_SECONDS;
      const transaction: Transaction = { provider: upstream.id, state, nonce, verifier, bound, expiresAtSeconds };
      return { url: url.href, cookie: sealTransaction(sealer, transaction) };
    },

    async finish(upstream, callback) {
      try {
        const transaction = assertOwn(upstream, callback);
        const { state, bound, expiresAtSeconds } = transaction;
        if (!(await attempts.claimOnce(`upstream ${hashToken(state)}`, expiresAtSeconds, seconds())))
          throw new UpstreamRefusal("used before");
        return { identity: await read(upstream, transaction, callback.parameters).catch(rethrow), bound };
      } catch (error) {
        if (error instanceof UpstreamRefusal || error instanceof UpstreamDown)
          log.warn({ event: "upstream", upstream: upstream.id, reason: error.reason }, "sign-in refused");
        throw error;
      }
    },
  };
}

function rethrow(error: unknown): never {
  throw judged(error);
}

function isOpenid(upstream: Upstream): upstream is Upstream & { readonly issuer: string } {
  return upstream.issuer !== null;
}

function isHeld(bound: Bound, { browser, person }: Visitor): boolean {
  if (bound.for === "interaction") return true; // by its own cookie, which the engine checks
  if (bound.for === "account") return bound.browser === browser;
  return person !== null && bound.userId === person.userId && bound.session === person.session;
}

/**
 * The issuer that the parameter `iss` must name (RFC 9207). A service without metadata names none beforehand; one that is sent must be
 * above the endpoint that the browser was sent to, as `https://github.com/login/oauth` is.
 */
function issuerOf(authorize: string, iss: string | null): string {
  const isAbove =
    iss !== null && URL.parse(iss)?.origin === new URL(authorize).origin && authorize.startsWith(`${iss}/`);
  return isAbove ? iss : new URL(authorize).origin;
}
