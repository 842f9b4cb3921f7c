import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type Provider from "oidc-provider";
import type { AuditEvent } from "../../domain/audit.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import { assertPassword, hashPassword } from "../../secrets/passwords.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { fieldErrors, redirect, sendPage } from "../http/forms.ts";
import { type AccountNote, accountPage, isAccountNote, signedOutEverywherePage } from "../pages/account.ts";
import { passwordPage } from "../pages/password.ts";
import { openTimes } from "../pages/times.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import { refusalHeaders, type SignInCheck, type SignInRefusal } from "../sign-in/sign-in-check.ts";
import type { SignUpMode } from "../sign-in/sign-in-links.ts";
import type { Access } from "./access.ts";
import { openNameChange } from "./name.ts";
import { type AccountSignIn, openAccountSignIn } from "./sign-in.ts";
import { type Handler, openVisits, type Visit, type Visits } from "./visit.ts";

export interface AccountOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly provider: Provider;
  readonly store: Store;
  readonly access: Access;
  readonly checkSignIn: SignInCheck;
  readonly known: KnownBrowsers;
  readonly signUp: SignUpMode;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The routes below `/account`: GET shows a page, POST takes a form. */
const ROUTES = [
  "GET ",
  "GET /password",
  "GET /name",
  "POST /sign-in",
  "POST /end-session",
  "POST /end-client",
  "POST /sign-out",
  "POST /sign-out-everywhere",
  "POST /password",
  "POST /name",
] as const;

export type Account = Readonly<Record<(typeof ROUTES)[number], Handler>> &
  Pick<Visits, "personOf"> &
  Pick<AccountSignIn, "begin">;

/** @param handlers loads the engine, so it is called when somebody first comes */
export function accountRoutes(mount: string, handlers: () => Promise<Account>): FastifyPluginAsync {
  return async (server) => {
    for (const route of ROUTES) {
      const [method = "", path] = route.split(" ");
      const handler: Handler = async (request, reply) => (await handlers())[route](request, reply);
      server.route({ method, url: `${mount}/account${path}`, handler });
    }
  };
}

/** A person's own pages: what stands open in their name, and how it is ended. */
export function openAccount(options: AccountOptions): Account {
  const { operator, store, access, known, log, audit } = options;
  const forms = openSigner(options.secret, "account forms", options.previousSecret);
  const { root, personOf, signedIn, onPost, saveAnew, contextOf } = openVisits({ ...options, forms });
  const names = openNameChange({ operator, root, forms, users: store.users });
  const signIn = openAccountSignIn(options, forms, { root, saveAnew, contextOf });

  return {
    personOf,
    begin: signIn.begin,
    "GET ": signedIn(showAccount, signIn.show),
    "GET /password": signedIn((visit) => showPassword(visit), signIn.show),
    "GET /name": signedIn((visit) => names.show(visit), signIn.show),
    "POST /sign-in": signIn.submit,
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
    "POST /name": onPost(async (visit) => {
      const result = await names.change(visit);
      if (result === "changed") await tell(visit, "person", "changed their own name");
      return result === "changed" || result === "same" ? leave(visit, "name") : result;
    }),
  };

  async function showAccount({ request, reply, session, user }: Visit): Promise<FastifyReply> {
    const { done } = request.query as { done?: unknown };
    const current = hashToken(session.uid);
    const [sessions, clients] = await Promise.all([access.listSessions(user.id), access.listClients(user.id)]);
    const page = accountPage({
      operator,
      root,
      csrf: forms.sign(session.uid),
      person: user,
      sessions: sessions.map((open) => ({ ...open, isCurrent: open.id === current })),
      clients: clients.allowed,
      given: clients.given,
      times: openTimes(request.headers["accept-language"]),
      note: isAccountNote(done) ? done : null,
    });
    return sendPage(reply, page);
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
    const errors: Partial<Record<"current" | "password", string>> = {};
    try {
      assertPassword(password, { ...user, operator });
    } catch (error) {
      Object.assign(errors, fieldErrors(error));
    }
    const facts = { event: "password", clientId: null, address: request.ip, requestId: request.id } as const;
    const { cookies } = contextOf(request, reply);
    const cookie = cookies.get(known.cookieName);
    let status: SignInRefusal["status"] = 400;
    if (current === "") errors.current = "Enter your current password.";
    else {
      const typed = { email: user.email, password: current, browser: { cookie, session } };
      const checked = await options.checkSignIn({ ...facts, ...typed });
      if (checked.user === null) {
        status = checked.refusal.status;
        reply.headers(refusalHeaders(checked.refusal));
        errors.current = status === 429 ? checked.refusal.message : "This is not your current password.";
      } else if (current === password) errors.password ??= "This is your password already.";
    }
    if (Object.keys(errors).length > 0) return showPassword(visit, errors, status);
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
