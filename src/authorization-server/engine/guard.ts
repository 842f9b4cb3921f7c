import type Provider from "oidc-provider";
import type { ClientAuthMethod, KoaContextWithOIDC } from "oidc-provider";
import type { Log } from "../../observe/log.ts";
import { lacksClientAuthentication } from "../http/client-authentication.ts";
import { EXPOSED_HEADERS } from "../http/client-cors.ts";
import { RETRY_AFTER } from "../http/client-errors.ts";
import { AUTHENTICATED_PATHS, CLIENT_PATHS, PATHS, PUBLIC_PATHS } from "../http/endpoints.ts";
import type { EngineRequest } from "../http/engine-request.ts";
import { isForm } from "../http/forms.ts";

/**
 * For the few pages that the engine makes itself: forms that post themselves to a client's address. It adds the hash
 * of its script to the empty `script-src`; `form-action` stays open, because Chromium holds every redirect after a post against it.
 */
const ENGINE_PAGE_POLICY = "default-src 'none'; script-src; frame-ancestors 'none'; base-uri 'none'";

export interface GuardOptions {
  readonly isClientOrigin: (origin: string) => Promise<boolean>;
  /** Seconds for which the published keys may be kept. */
  readonly jwksMaxAge: () => number;
  /** Those that are offered. */
  readonly clientAuthMethods: readonly ClientAuthMethod[];
  /** Answers what is asked about a JWT. */
  readonly answerForJwt: (ctx: KoaContextWithOIDC) => Promise<void>;
  readonly log: Log;
}

/** Goes around every request to the engine, and puts right what it gives no knob for. */
export function guardEngine(provider: Provider, options: GuardOptions): void {
  const { isClientOrigin, jwksMaxAge, log } = options;
  const takesAssertions = options.clientAuthMethods.includes("private_key_jwt");
  provider.use(async (ctx, next) => {
    ctx.set({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": cacheControl(ctx.path, jwksMaxAge),
      "content-security-policy": ENGINE_PAGE_POLICY,
    });
    if (CLIENT_PATHS.has(ctx.path) && ctx.query.client_secret !== undefined) {
      // RFC 6749 section 2.3.1. The secret has been in the address, where logs keep it.
      refuse(400, "invalid_request", "client_secret must not be in the query");
    } else if (
      AUTHENTICATED_PATHS.has(ctx.path) &&
      ctx.method === "POST" &&
      lacks(ctx.req as EngineRequest, takesAssertions)
    ) {
      refuse(401, "invalid_client", "client authentication failed");
      if (ctx.get("Authorization") !== "") {
        const fields = 'error="invalid_client", error_description="client authentication failed"';
        ctx.set("www-authenticate", `Basic realm="${provider.issuer}", ${fields}`);
      }
    } else await next();
    // RFC 7662 section 2.2: what is no token of ours is not active, whatever it looks like.
    // Nothing needs to be revoked (RFC 7009 section 2.2).
    if (isError(ctx.body, "unsupported_token_type")) await options.answerForJwt(ctx as unknown as KoaContextWithOIDC);
    if (ctx.status === 503) ctx.set("retry-after", RETRY_AFTER);
    await removeForeignCors(ctx as unknown as KoaContextWithOIDC, isClientOrigin);
    if (ctx.response.get("retry-after") !== "" && ctx.response.get("access-control-allow-origin") !== "")
      ctx.set("access-control-expose-headers", EXPOSED_HEADERS);
    // RFC 7009 section 2.2 gives no body; oidc-client-ts takes a type without one for a failure and stops the sign-out.
    if (ctx.path === PATHS.revocation && ctx.body === "") ctx.remove("content-type");
    if (ctx.path.startsWith("/.well-known/")) correctMetadata(ctx.body);

    function refuse(status: number, error: string, description: string): void {
      ctx.status = status;
      ctx.body = { error, error_description: description };
      const origin = ctx.get("Origin");
      if (origin !== "") ctx.set({ "access-control-allow-origin": origin, vary: "Origin" });
      const { requestId } = ctx.req as EngineRequest;
      log.warn({ event: "client", requestId, error, detail: description }, "refused");
    }
  });
}

/** A body of another type is the engine's to refuse. */
function lacks({ headers, form }: EngineRequest, takesAssertions: boolean): boolean {
  const { authorization, "content-type": type } = headers;
  if (type !== undefined && !isForm(type)) return false;
  return lacksClientAuthentication({ authorization, form }, takesAssertions);
}

function isError(body: unknown, error: string): boolean {
  return typeof body === "object" && body !== null && (body as { error?: unknown }).error === error;
}

function cacheControl(path: string, jwksMaxAge: () => number): string {
  if (path === PATHS.jwks) return `public, max-age=${jwksMaxAge()}`;
  return PUBLIC_PATHS.has(path) ? "public, max-age=300" : "no-store";
}

/** The engine lets any origin read what it answers before it knows the client: preflights, unknown clients, bad tokens. */
async function removeForeignCors(
  ctx: KoaContextWithOIDC,
  isClientOrigin: (origin: string) => Promise<boolean>,
): Promise<void> {
  const origin = ctx.get("Origin");
  if (origin === "" || !CLIENT_PATHS.has(ctx.path) || ctx.oidc?.client !== undefined) return;
  if (await isClientOrigin(origin)) return;
  for (const name of Object.keys(ctx.response.headers)) {
    if (name.startsWith("access-control-")) ctx.remove(name);
  }
}

function correctMetadata(metadata: unknown): void {
  if (typeof metadata !== "object" || metadata === null) return;
  const {
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    response_modes_supported: modes,
  } = metadata as {
    token_endpoint_auth_methods_supported?: unknown;
    token_endpoint_auth_signing_alg_values_supported?: unknown;
    response_modes_supported?: readonly string[];
  };
  Object.assign(metadata, {
    // The engine names the fragment modes always.
    response_modes_supported: ["query", "form_post", "jwt", "query.jwt", "form_post.jwt"].filter((mode) =>
      modes?.includes(mode),
    ),
    // RFC 8414 section 2. Clients say who they are in the same ways everywhere.
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
  });
}
