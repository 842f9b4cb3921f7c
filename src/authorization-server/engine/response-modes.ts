import type Provider from "oidc-provider";
import type { KoaContextWithOIDC, Session } from "oidc-provider";
import { patch } from "./patches.ts";
import type { ResponseMode } from "./protocol-pages.ts";

/*
 * The engine adds its parameters to a redirect URI by parsing and rewriting the whole URI. This changes the query that the
 * client registered, although RFC 6749 section 3.1.2 requires it to stay.
 */

/** Adds parameters behind a URI and leaves each of its characters alone (A54). */
function withParameters(uri: string, mark: "?" | "#", parameters: Readonly<Record<string, unknown>>): string {
  const added = new URLSearchParams(parameters as Record<string, string>).toString();
  if (added === "") return uri;
  if (!uri.includes(mark)) return uri + mark + added;
  return /[?&#]$/.test(uri) ? uri + added : `${uri}&${added}`;
}

function redirectBy(mark: "?" | "#"): ResponseMode {
  return (ctx, redirectUri, payload) => {
    ctx.status = 303;
    ctx.set("location", withParameters(redirectUri, mark, payload));
    ctx.body = "";
  };
}

/** The ways in which an answer reaches its client, by the engine's names. Each also exists with a signed answer (JARM section 2.3). */
export function responseModes(formPost: ResponseMode): Readonly<Record<string, ResponseMode>> {
  return { query: redirectBy("?"), fragment: redirectBy("#"), form_post: formPost };
}

/** The same mode with one parameter, in which the server signs all others. */
export function signedMode(provider: Provider, mode: ResponseMode): ResponseMode {
  return async (ctx, redirectUri, payload) => {
    const token = new provider.IdToken({}, { ctx: ctx as KoaContextWithOIDC });
    for (const [claim, value] of Object.entries(payload)) token.set(claim, value);
    await mode(ctx, redirectUri, { response: await token.issue({ use: "authorization" }) });
  };
}

interface SignOut {
  readonly postLogoutRedirectUri?: string;
  readonly state?: string;
}

/** Leads people back after a sign-out to the URI that the client registered, with its query unchanged (A54). */
export function keepPostLogoutUris(provider: Provider): void {
  const asked = new WeakMap<object, SignOut | undefined>();
  // The engine forgets them before it redirects.
  patch<(ctx: object) => Promise<Session>>(
    provider,
    "Session.get",
    (get) =>
      async function (this: unknown, ctx) {
        const session = await get.call(this, ctx);
        asked.set(ctx, session.state as SignOut | undefined);
        return session;
      },
  );
  provider.use(async (ctx, next) => {
    await next();
    const { postLogoutRedirectUri: uri, state } = asked.get(ctx) ?? {};
    if (uri === undefined || ctx.status !== 303 || ctx.oidc?.route !== "end_session_confirm") return;
    ctx.set("location", withParameters(uri, "?", state == null ? {} : { state }));
    ctx.body = "";
  });
}
