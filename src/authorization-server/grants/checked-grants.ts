import Provider, {
  type CanBePromise,
  errors,
  type KoaContextWithOIDC,
  type TokenEndpointGrantContext,
  type UnknownObject,
} from "oidc-provider";
import { DEVICE_GRANT } from "../../domain/clients/client.ts";
import type { ArtifactStore } from "../../domain/store/artifacts.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { ResponseMode } from "../engine/protocol-pages.ts";
import { type RefreshRetries, redeem } from "../engine/redemption.ts";
import { responseModes, signedMode } from "../engine/response-modes.ts";
import type { RequestLimit } from "../http/request-limit.ts";
import type { Resources } from "../tokens/resources.ts";
import { pollDeviceCode } from "./device-code.ts";
import { prolongKeptToken } from "./kept-refresh-tokens.ts";
import { assertWithinLimit, limitOwnScope } from "./request-checks.ts";

export interface EngineOptions {
  readonly resources: Resources;
  readonly limit: RequestLimit;
  readonly artifacts: ArtifactStore;
  readonly attempts: AttemptStore;
  readonly now: () => number;
  /** Null for clients whose refresh tokens work once. */
  readonly retriesOf: (ctx: KoaContextWithOIDC) => RefreshRetries | null;
  readonly formPost: ResponseMode;
}

type Names = string | readonly string[] | ReadonlySet<string>;

/**
 * The engine, with our checks before every grant of the token endpoint and one commit after it, and our way of
 * answering clients. It registers its own grants and modes through the same public methods as anyone else's, which is where
 * they are taken in hand.
 */
export function engineFor({
  resources,
  limit,
  artifacts,
  attempts,
  now,
  retriesOf,
  formPost,
}: EngineOptions): typeof Provider {
  const modes = responseModes(formPost);
  return class Engine extends Provider {
    override registerResponseMode(name: string, mode: ResponseMode): void {
      const [base = "", isSigned] = name.split(".");
      const own = modes[base === "jwt" ? "query" : base]; // For codes, jwt means query.jwt (JARM section 2.3.4).
      if (own === undefined) super.registerResponseMode(name, mode);
      else super.registerResponseMode(name, base === "jwt" || isSigned === "jwt" ? signedMode(this, own) : own);
    }

    override registerGrantType<Params extends object = UnknownObject>(
      name: string,
      handler: (ctx: TokenEndpointGrantContext<Params>) => CanBePromise<void>,
      params: Names = [],
      duplicates: Names = [],
    ): void {
      const checked = (ctx: TokenEndpointGrantContext<Params>) => {
        assertWithinLimit(ctx.oidc.client, limit);
        resources.choose(ctx);
        assertVerifier((ctx.oidc.params as UnknownObject).code_verifier);
        if (name === "client_credentials") limitOwnScope(ctx);
        const handle = async () => {
          await handler(ctx);
          if (name === "refresh_token") await prolongKeptToken(ctx);
        };
        const grant = () => redeem(ctx, { artifacts, retries: retriesOf(ctx) }, handle);
        return name === DEVICE_GRANT ? pollDeviceCode(ctx, attempts, Math.floor(now() / 1000), grant) : grant();
      };
      // RFC 8707 section 2 lets a request name several resources.
      super.registerGrantType(name, checked, [...listOf(params), "resource"], [...listOf(duplicates), "resource"]);
    }
  };
}

/** A malformed verifier is as wrong as any other (RFC 7636 section 4.6); the engine would call it invalid_request. */
function assertVerifier(verifier: unknown): void {
  if (verifier !== undefined && !(typeof verifier === "string" && /^[\w.~-]{43,128}$/.test(verifier)))
    throw new errors.InvalidGrant({ detail: "malformed code_verifier" });
}

function listOf(names: Names): readonly string[] {
  return typeof names === "string" ? [names] : [...names];
}
