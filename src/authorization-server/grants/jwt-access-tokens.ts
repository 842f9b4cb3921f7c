import type Provider from "oidc-provider";
import type { AdapterPayload, Client, KoaContextWithOIDC } from "oidc-provider";
import { readCompactJws } from "../../domain/clients/compact-jws.ts";
import { AppError } from "../../domain/errors.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import type { Artifact } from "../../domain/store/artifacts.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { resourceServerOf } from "../clients/engine-client.ts";
import { type AdapterOptions, JWT_ACCESS_TOKEN, unseal } from "../engine/adapter.ts";
import { patch } from "../engine/patches.ts";
import { BUSY_ANSWER } from "../http/client-errors.ts";
import { openReduceScope } from "./present-scopes.ts";

interface EngineToken {
  readonly kind: string;
  readonly jti: string;
  getValueAndPayload(): Promise<{ value: string; payload?: AdapterPayload }>;
  readonly [property: string]: unknown;
}

/** Facts about a JWT besides its claims, by the engine's names. */
const KEPT = [
  "kind",
  "jti",
  "accountId",
  "clientId",
  "grantId",
  "gty",
  "scope",
  "aud",
  "jkt",
  "x5t#S256",
  "extra",
] as const;

/**
 * Has a note of each JWT access token kept, as of the opaque ones, in the same commit: so a grant that ends takes it along,
 * and introspection tells. The note is of a kind, and by a hash, by which the token opens nothing here.
 */
export function keepJwtAccessTokens(provider: Provider): void {
  for (const name of ["AccessToken", "ClientCredentials"] as const)
    patch<EngineToken["getValueAndPayload"]>(
      provider,
      `${name}.prototype.getValueAndPayload`,
      (original) =>
        async function (this: EngineToken) {
          const made = await original.call(this);
          if (made.payload !== undefined) return made;
          const { iat, exp } = (readCompactJws(made.value)?.payload ?? {}) as { iat: number; exp: number };
          const kept = Object.fromEntries(KEPT.map((property) => [property, this[property]]));
          return { ...made, payload: { ...kept, iat, exp, format: "jwt", jwtHash: hashToken(made.value) } };
        },
    );
}

/**
 * Answers what clients ask about their JWT access tokens at `/introspect` and `/revoke`, once the engine knows the client
 * and has found that the token is no opaque one. Only the client that it was given to ends anything (RFC 7009 section 2.1); of a
 * person's token, the whole grant ends with it. The API that a token is for learns of it too (RFC 7662 section 2.2).
 */
export function openJwtAnswers(
  provider: Provider,
  { store, sealer, now }: Omit<AdapterOptions, "SESSION_MAX">,
): (ctx: KoaContextWithOIDC) => Promise<void> {
  const { artifacts } = store;
  const reduceScope = openReduceScope(provider, store);

  return async (ctx) => {
    const { client, params, route } = ctx.oidc;
    try {
      const isIntrospection = route === "introspection";
      const found = await find(String(params?.token), client, isIntrospection);
      if (isIntrospection) await answer(ctx, found === null ? INACTIVE : await describe(found));
      else {
        if (found !== null) await end(ctx, found);
        ctx.body = "";
      }
      ctx.status = 200;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") throw error;
      ctx.status = 503;
      ctx.body = BUSY_ANSWER;
    }
  };

  /** By the whole text, signature included: nothing that was not issued is found, and no key is asked. */
  async function find(token: string, client: Client | undefined, isIntrospection: boolean): Promise<Artifact | null> {
    const found = await artifacts.find(JWT_ACCESS_TOKEN, hashToken(token));
    if (found === null || client === undefined) return null;
    if (found.clientId === client.clientId) return found;
    const own = isIntrospection ? resourceServerOf(client) : null;
    return own !== null && (unseal(found, sealer) as Note | undefined)?.aud === own ? found : null;
  }

  /** As JSON, or as a signed JWT where the client prefers it (RFC 9701). The engine does the same for opaque tokens. */
  async function answer(ctx: KoaContextWithOIDC, body: object): Promise<void> {
    ctx.body = body;
    if (ctx.accepts("json", JWT_ANSWER) !== JWT_ANSWER) return;
    const token = new provider.IdToken({}, { ctx });
    token.set("token_introspection", body);
    ctx.body = await token.issue({ use: "introspection" } as unknown as Parameters<typeof token.issue>[0]);
    ctx.type = `${JWT_ANSWER}; charset=utf-8`;
  }

  async function describe(artifact: Artifact): Promise<object> {
    const isLive = (artifact.expiresAtSeconds ?? 0) > Math.floor(now() / 1_000);
    const note = isLive ? (unseal(artifact, sealer) as Note | undefined) : undefined;
    if (note === undefined) return INACTIVE;
    const { accountId, clientId, jkt, "x5t#S256": x5t, aud, exp, iat, jti, extra } = note;
    if (accountId !== undefined && (await findActiveUser(store, accountId)) === null) return INACTIVE;
    const scope = await reduceScope(note);
    if (scope === "" && note.scope) return INACTIVE;
    return {
      ...extra,
      active: true,
      iss: provider.issuer,
      sub: accountId ?? clientId,
      client_id: clientId,
      ...{ aud, scope, exp, iat, jti },
      token_type: jkt === undefined ? "Bearer" : "DPoP",
      ...(jkt === undefined && x5t === undefined ? {} : { cnf: { jkt, "x5t#S256": x5t } }),
    };
  }

  async function end(ctx: KoaContextWithOIDC, { kind, idHash, grantId, userId }: Artifact): Promise<void> {
    await artifacts.destroy(kind, idHash);
    if (grantId === null) return;
    await artifacts.revokeGrant(grantId);
    if (userId !== null) ctx.oidc.entity("Account", { accountId: userId }); // for the audit
    provider.emit("grant.revoked", ctx, grantId);
  }
}

const JWT_ANSWER = "application/token-introspection+jwt";

const INACTIVE = { active: false };

type Note = AdapterPayload & { readonly jkt?: string; readonly "x5t#S256"?: string };
