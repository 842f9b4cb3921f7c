import { randomBytes } from "node:crypto";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { AuditEvent } from "../../domain/audit.ts";
import { AppError } from "../../domain/errors.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import { assertPassword, hashPassword } from "../../secrets/passwords.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { readForm, redirect, sendPage } from "../http/forms.ts";
import { type AccountNote, accountPage, signedOutEverywherePage } from "../pages/account.ts";
import { passwordPage } from "../pages/password.ts";
import { signInPage } from "../pages/sign-in.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import { refusalHeaders, type SignInCheck, type SignInRefusal } from "../sign-in/sign-in-check.ts";
import type { Access } from "./access.ts";
import type { SeenSession } from "./session-origin.ts";
import { type Handler, openVisits, type Visit } from "./visit.ts";

export interface AccountOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly secret: Uint8Array;
  readonly provider: Provider;
  readonly store: Store;
  readonly access: Access;
  readonly checkSignIn: SignInCheck;
  readonly known: KnownBrowsers;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The routes below `/account`: GET shows a page, POST takes a form. */
const ROUTES = [
  "GET ",
  "GET /password",
  "POST /sign-in",
  "POST /end-session",
  "POST /end-client",
  "POST /sign-out",
  "POST /sign-out-everywhere",
  "POST /password",
] as const;

export type AccountHandlers = Readonly<Record<(typeof ROUTES)[number], Handler>>;

/** @param handlers loads the engine, so it is called when somebody first comes */
export function accountRoutes(mount: string, handlers: () => Promise<AccountHandlers>): FastifyPluginAsync {
  return async (server) => {
    for (const route of ROUTES) {
      const [method = "", path] = route.split(" ");
      const handler: Handler = async (request, reply) => (await handlers())[route](request, reply);
      server.route({ method, url: `${mount}/account${path}`, handler });
    }
  };
}

const NOTES: readonly string[] = ["session", "client", "password", "stale"] satisfies AccountNote[];

/** A person's own pages: what stands open in their name, and how it is ended. */
export function openAccount(options: AccountOptions): AccountHandlers {
  const { operator, provider, store, access, known, log, audit } = options;
  const secure = options.issuer.startsWith("https:");
  const forms = openSigner(options.secret, "account forms");
  const { root, signedIn, onPost, saveAnew, contextOf } = openVisits({ ...options, forms });
  /** Ties the sign-in form to the browser, which has no session yet. */
  const formCookie = secure ? "__Host-account" : "content-api-account";

  return {
    "GET ": signedIn(showAccount, showSignIn),
    "GET /password": signedIn((visit) => showPassword(visit), showSignIn),
    "POST /sign-in": signIn,
    "POST /end-session": onPost(async (visit) => {
      const id = visit.field("session");
      const isEnded = await access.endSession(visit.user.id, id);
      if (isEnded) await tell(visit, "session", "one session ended");
      return leave(visit, "session");
    }),
    "POST /end-client": onPost(async (visit) => {
      const clientId = visit.field("client");
      await access.endClient(visit.user.id, clientId);
      await tell(visit, "session", "client ended", clientId);
      return leave(visit, "client");
    }),
    "POST /sign-out": onPost(async (visit) => {
      await access.endSession(visit.user.id, hashToken(visit.session.uid), { keepsOffline: true });
      await tell(visit, "sign-out", "at the account page");
      return redirect(visit.reply, root);
    }),
    "POST /sign-out-everywhere": onPost(async (visit) => {
      await access.endAll(visit.user.id);
      await tell(visit, "sign-out", "everywhere");
      return sendPage(visit.reply, signedOutEverywherePage({ operator, signInHref: root }));
    }),
    "POST /password": onPost(changePassword),
  };

  async function showAccount({ request, reply, session, user }: Visit): Promise<FastifyReply> {
    const { done } = request.query as { done?: unknown };
    const current = hashToken(session.uid);
    const sessions = await access.listSessions(user.id);
    const page = accountPage({
      operator,
      root,
      csrf: forms.sign(session.uid),
      person: user,
      sessions: sessions.map((open) => ({ ...open, isCurrent: open.id === current })),
      clients: await access.listClients(user.id),
      note: typeof done === "string" && NOTES.includes(done) ? (done as AccountNote) : null,
    });
    return sendPage(reply, page);
  }

  async function showSignIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    return sendSignIn(request, reply);
  }

  function sendSignIn(
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: { email: string; refusal: SignInRefusal },
  ): FastifyReply {
    const { cookies } = contextOf(request, reply);
    const known = cookies.get(formCookie);
    const browser = known ?? randomBytes(16).toString("base64url");
    if (known === undefined)
      cookies.set(formCookie, browser, {
        httpOnly: true,
        sameSite: "lax",
        secure,
        path: "/",
        overwrite: true,
        signed: false,
      });
    const page = signInPage({
      operator,
      action: `${root}/sign-in`,
      csrf: forms.sign(`sign-in ${browser}`),
      clientName: null,
      ...(refused === undefined ? {} : { email: refused.email, error: refused.refusal.message }),
    });
    if (refused !== undefined) reply.headers(refusalHeaders(refused.refusal));
    return sendPage(reply, page, { status: refused?.refusal.status ?? 200 });
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const context = contextOf(request, reply);
    const browser = context.cookies.get(formCookie);
    if (browser === undefined || !forms.verify(`sign-in ${browser}`, field("csrf"))) return redirect(reply, root);
    const email = field("email").trim();
    const facts = { event: "sign-in", clientId: null, address: request.ip, requestId: request.id } as const;
    const cookie = context.cookies.get(known.cookieName);
    const open = (await provider.Session.get(context)) as SeenSession;
    const typed = { email, password: field("password"), browser: { cookie, session: open } };
    const checked = await options.checkSignIn({ ...facts, ...typed });
    if (checked.user === null) {
      log.warn(facts, "refused");
      return sendSignIn(request, reply, { email, refusal: checked.refusal });
    }
    const { user } = checked;
    context.cookies.set(known.cookieName, known.remember(cookie, user), known.cookieOptions);
    let session = open;
    if (session.accountId !== undefined && session.accountId !== user.id) {
      await session.destroy();
      session = new provider.Session();
    }
    session.loginAccount({ accountId: user.id, amr: ["pwd"] });
    await saveAnew(session, request, reply);
    log.info({ event: "sign-in", userId: user.id, clientId: null, requestId: request.id }, "signed in");
    return redirect(reply, root);
  }

  function showPassword(
    { reply, session, user }: Visit,
    errors: Partial<Record<"current" | "password", string>> = {},
    status = Object.keys(errors).length === 0 ? 200 : 400,
  ): FastifyReply {
    const page = passwordPage({
      operator,
      action: `${root}/password`,
      back: root,
      csrf: forms.sign(session.uid),
      email: user.email,
      errors,
    });
    return sendPage(reply, page, { status });
  }

  async function changePassword(visit: Visit): Promise<FastifyReply> {
    const { request, reply, session, user, field } = visit;
    const [current, password] = [field("current"), field("password")];
    try {
      assertPassword(password, user);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "BAD_USER_INPUT") throw error;
      return showPassword(visit, { password: error.message });
    }
    const facts = { event: "password", clientId: null, address: request.ip, requestId: request.id } as const;
    const { cookies } = contextOf(request, reply);
    const cookie = cookies.get(known.cookieName);
    const typed = { email: user.email, password: current, browser: { cookie, session } };
    const checked = await options.checkSignIn({ ...facts, ...typed });
    if (checked.user === null) {
      const { status, message } = checked.refusal;
      reply.headers(refusalHeaders(checked.refusal));
      return showPassword(visit, { current: status === 429 ? message : "This is not your password now." }, status);
    }
    if (current === password) return showPassword(visit, { password: "This is your password already." });
    const changed = await store.users.update(user.id, { passwordHash: await hashPassword(password) });
    cookies.set(known.cookieName, known.remember(cookie, changed), known.cookieOptions);
    // Its grants end with those of the other sessions; nothing is kept under its old id.
    delete session.authorizations;
    await saveAnew(session, request, reply);
    await access.endAll(user.id, hashToken(session.jti));
    await tell(visit, "password", "changed");
    return leave(visit, "password");
  }

  function leave({ reply }: Visit, done: AccountNote): FastifyReply {
    return redirect(reply, `${root}?done=${done}`);
  }

  async function tell(
    { request, user }: Visit,
    event: AuditEvent["event"],
    detail: string,
    clientId: string | null = null,
  ): Promise<void> {
    const facts = { event, userId: user.id, clientId, requestId: request.id };
    log.info(facts, detail);
    await audit.record({ ...facts, result: "ok", address: request.ip, detail });
  }
}
