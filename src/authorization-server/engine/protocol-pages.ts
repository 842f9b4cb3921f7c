import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import { errors } from "oidc-provider";
import { BUSY, FAILED } from "../../domain/failure-texts.ts";
import { isClientPath } from "../http/endpoints.ts";
import type { EngineRequest } from "../http/engine-request.ts";
import { errorPage, foreignRedirectPage, OVER, unknownClientPage } from "../pages/error.ts";
import { formPostHeaders, formPostPage } from "../pages/form-post.ts";
import { trustedHtml } from "../pages/layout/html.ts";
import { pageHeaders } from "../pages/layout/layout.ts";
import { signedOutPage, signOutPage } from "../pages/sign-out.ts";

export interface ProtocolPages {
  renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): Promise<void>;
  renderSignOut(ctx: KoaContextWithOIDC, form: string): Promise<void>;
  renderSignedOut(ctx: KoaContextWithOIDC): Promise<void>;
  renderFormPost: ResponseMode;
}

interface ErrorOut {
  readonly error: string;
  readonly error_description?: string | undefined;
}

/** Pages that the engine shows to people. */
export function openProtocolPages(options: {
  operator: string;
  /** The words before a command, such as `bin/content-api`. */
  command: string;
  /** The link with which a person continues after an interaction has ended. */
  wayBack(uid: string): Promise<{ label: string; href: string } | null>;
}): ProtocolPages {
  const { operator } = options;
  return {
    async renderError(ctx, out, error) {
      if (isClientPath(ctx.path)) {
        ctx.body = out;
        return;
      }
      const uid: unknown = ctx.params?.uid;
      const isOver = error instanceof errors.SessionNotFound;
      const next = isOver && typeof uid === "string" ? await options.wayBack(uid) : null;
      const { requestId } = ctx.req as EngineRequest;
      ctx.set(pageHeaders());
      const asked = { ...askedFor(ctx), operator, requestId, command: options.command };
      if (out.error === "invalid_client" && asked.clientId !== "") ctx.body = unknownClientPage(asked);
      else if (out.error === "invalid_redirect_uri")
        ctx.body = foreignRedirectPage({ ...asked, clientName: ctx.oidc.client?.clientName ?? asked.clientId });
      else ctx.body = errorPage({ operator, ...explain(out, isOver), next, ...(isOver ? {} : { requestId }) });
    },
    async renderSignOut(ctx, form) {
      const uri = ctx.oidc.params?.post_logout_redirect_uri;
      ctx.set(pageHeaders({ formAction: typeof uri === "string" ? [uri] : [] }));
      const clientName = ctx.oidc.client?.clientName ?? null;
      ctx.body = signOutPage({ operator, form: trustedHtml(form), clientName });
    },
    async renderSignedOut(ctx) {
      ctx.set(pageHeaders());
      const session = await ctx.oidc.provider.Session.get(ctx);
      const isSignedIn = session.accountId !== undefined;
      ctx.body = signedOutPage({ operator, clientName: ctx.oidc.client?.clientName ?? null, isSignedIn });
    },
    renderFormPost(ctx, action, fields) {
      // The engine has set the status of an error, or none; a redirect's would keep the page from being shown.
      if (ctx.status < 400) ctx.status = 200;
      ctx.set(formPostHeaders());
      ctx.body = formPostPage({ operator, action, fields, clientName: ctx.oidc.client?.clientName ?? null });
    },
  };
}

/** The client id and the redirect URI in an authorization request, also in one that is refused; empty text for a missing one. */
export function askedFor({ oidc, query }: KoaContextWithOIDC): { clientId: string; redirectUri: string } {
  const { client_id: clientId, redirect_uri: redirectUri } = oidc?.params ?? query;
  return {
    clientId: typeof clientId === "string" ? clientId : "",
    redirectUri: typeof redirectUri === "string" ? redirectUri : "",
  };
}

function explain(out: ErrorOut, isOver: boolean): { title: string; message: string } {
  if (isOver) return OVER;
  switch (out.error) {
    case "invalid_client":
      return {
        title: "This client is not registered",
        message: "The client that sent you here is not registered, or was disabled. Nothing was shared with it.",
      };
    case "server_error":
      return { title: FAILED.title, message: `Nothing was shared. ${FAILED.message}` };
    case "temporarily_unavailable":
      return BUSY;
    default:
      return {
        title: "This request cannot be answered",
        message: `The client that sent you here made a mistake: ${out.error_description ?? out.error}.`,
      };
  }
}

/** Takes an answer to the client's address. */
export type ResponseMode = Parameters<Provider["registerResponseMode"]>[1];
