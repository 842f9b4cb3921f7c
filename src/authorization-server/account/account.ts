import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { AuditEvent } from "../../domain/audit.ts";
import { AppError } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import { assertPassword, hashPassword } from "../../secrets/passwords.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { findActiveUser } from "../engine/accounts.ts";
import type { Audit } from "../engine/audit.ts";
import { SESSION_SECONDS } from "../grants/lifetimes.ts";
import { engineRequest } from "../http/engine-request.ts";
import { readForm, redirect, sendPage } from "../http/forms.ts";
import { type ACCOUNT_STEPS, mountPath } from "../http/paths.ts";
import { type AccountNote, accountPage, signedOutEverywherePage } from "../pages/account.ts";
import { passwordPage } from "../pages/password.ts";
import { signInPage } from "../pages/sign-in.ts";
import { REFUSED, type SignInCheck } from "../sign-in/sign-in-check.ts";
import type { Access } from "./access.ts";
import { originOf, type SeenSession } from "./session-origin.ts";

export interface AccountOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly secret: Uint8Array;
  readonly provider: Provider;
  readonly store: Store;
  readonly access: Access;
  readonly checkSignIn: SignInCheck;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** One request of a person who is signed in. */
interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly session: SeenSession;
  readonly user: User;
  readonly field: (name: string) => string;
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** What the pages at `/account` answer, by what the person does. */
export type AccountHandlers = Readonly<Record<"show" | "show-password" | (typeof ACCOUNT_STEPS)[number], Handler>>;

const NOTES: readonly string[] = ["session", "client", "password", "stale"] satisfies AccountNote[];

/** A person's own pages: what stands open in their name, and how it is ended. */
export function openAccount(options: AccountOptions): AccountHandlers {
  const { operator, provider, store, access, log, audit, now } = options;
  const issuer = new URL(options.issuer);
  const root = `${mountPath(options.issuer)}/account`;
  const secure = issuer.protocol === "https:";
  const forms = openSigner(options.secret, "account forms");
  const cookie = { httpOnly: true, sameSite: "lax", secure, path: "/", overwrite: true } as const;
  /** Ties the sign-in form to the browser, which has no session yet. */
  const formCookie = secure ? "__Host-account" : "content-api-account";

  return {
    show: signedIn(showAccount, showSignIn),
    "show-password": signedIn((visit) => showPassword(visit), showSignIn),
    "sign-in": signIn,
    "end-session": onPost(async (visit) => {
      const id = visit.field("session");
      const isEnded = await access.endSession(visit.user.id, id);
      if (isEnded) await tell(visit, "session", "one session ended");
      return leave(visit, "session");
    }),
    "end-client": onPost(async (visit) => {
      const clientId = visit.field("client");
      await access.endClient(visit.user.id, clientId);
      await tell(visit, "session", "client ended", clientId);
      return leave(visit, "client");
    }),
    "sign-out": onPost(async (visit) => {
      await access.endSession(visit.user.id, hashToken(visit.session.uid), { keepsOffline: true });
      await tell(visit, "sign-out", "at the account page");
      return redirect(visit.reply, root);
    }),
    "sign-out-everywhere": onPost(async (visit) => {
      await access.endAll(visit.user.id);
      await tell(visit, "sign-out", "everywhere");
      return sendPage(visit.reply, signedOutEverywherePage({ operator, signInHref: root }));
    }),
    password: onPost(changePassword),
  };

  /** Shows a page to a person who is signed in in this browser, and another to whoever is not. */
  function signedIn(show: (visit: Visit) => Promise<FastifyReply> | FastifyReply, other: Handler): Handler {
    return async (request, reply) => {
      const session = (await provider.Session.get(contextOf(request, reply))) as SeenSession;
      const user = session.accountId === undefined ? null : await findActiveUser(store, session.accountId);
      return user === null ? other(request, reply) : show({ request, reply, session, user, field: readForm(request) });
    };
  }

  /** A form of ours, with its proof that it came from this session (A12). */
  function onPost(act: (visit: Visit) => Promise<FastifyReply>): Handler {
    return signedIn(
      (visit) => (forms.verify(visit.session.uid, visit.field("csrf")) ? act(visit) : leave(visit, "stale")),
      async (_request, reply) => redirect(reply, root),
    );
  }

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

  function sendSignIn(request: FastifyRequest, reply: FastifyReply, refused?: { email: string }): FastifyReply {
    const { cookies } = contextOf(request, reply);
    const known = cookies.get(formCookie);
    const browser = known ?? randomBytes(16).toString("base64url");
    if (known === undefined) cookies.set(formCookie, browser, { ...cookie, signed: false });
    const page = signInPage({
      operator,
      action: `${root}/sign-in`,
      csrf: forms.sign(`sign-in ${browser}`),
      clientName: null,
      ...(refused === undefined ? {} : { email: refused.email, error: REFUSED }),
    });
    return sendPage(reply, page, { status: refused === undefined ? 200 : 400 });
  }

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const context = contextOf(request, reply);
    const browser = context.cookies.get(formCookie);
    if (browser === undefined || !forms.verify(`sign-in ${browser}`, field("csrf"))) return redirect(reply, root);
    const email = field("email").trim();
    const facts = { event: "sign-in", clientId: null, address: request.ip, requestId: request.id } as const;
    const user = await options.checkSignIn({ ...facts, email, password: field("password") });
    if (user === null) {
      log.warn(facts, "refused");
      return sendSignIn(request, reply, { email });
    }
    let session = (await provider.Session.get(context)) as SeenSession;
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
  ): FastifyReply {
    const page = passwordPage({
      operator,
      action: `${root}/password`,
      back: root,
      csrf: forms.sign(session.uid),
      email: user.email,
      errors,
    });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400 });
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
    if ((await options.checkSignIn({ ...facts, email: user.email, password: current })) === null) {
      return showPassword(visit, { current: "This is not your password now, or there were too many attempts." });
    }
    if (current === password) return showPassword(visit, { password: "This is your password already." });
    await store.users.update(user.id, { passwordHash: await hashPassword(password) });
    // What it gave ends with the others; nothing of it is to be found under its old id.
    delete session.authorizations;
    await saveAnew(session, request, reply);
    await access.endAll(user.id, hashToken(session.jti));
    await tell(visit, "password", "changed");
    return leave(visit, "password");
  }

  /** Under a new id, which the browser is given: nobody who knew the old one comes along (A13). */
  async function saveAnew(session: SeenSession, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const context = contextOf(request, reply);
    session.seen = originOf({ headers: request.headers, address: request.ip }, now());
    session.resetIdentifier();
    await session.save(SESSION_SECONDS);
    const expires = new Date(session.exp * 1_000);
    context.cookies.set(provider.cookieName("session"), session.jti, { ...cookie, expires, signed: true });
  }

  function contextOf(request: FastifyRequest, reply: FastifyReply) {
    return provider.createContext(engineRequest(request, issuer), reply.raw);
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
