import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { User } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { openSigner } from "../../secrets/seal.ts";
import { readForm, redirect, sendPage } from "../http/forms.ts";
import { hostCookieName, hostCookieOptions } from "../http/host-cookies.ts";
import { signInPage } from "../pages/sign-in.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import { refusalHeaders, type SignInCheck, type SignInRefusal } from "../sign-in/sign-in-check.ts";
import { type SignUpMode, signInLinks } from "../sign-in/sign-in-links.ts";
import type { SeenSession } from "./session-origin.ts";
import type { Handler, Visits } from "./visit.ts";

export interface AccountSignInOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly provider: Provider;
  readonly known: KnownBrowsers;
  readonly checkSignIn: SignInCheck;
  readonly signUp: SignUpMode;
  readonly log: Log;
}

export interface AccountSignIn {
  readonly show: Handler;
  readonly submit: Handler;
  /** Signs a person in whose password is known to be right, and remembers the browser. */
  begin(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void>;
}

/** The sign-in form at `/account`: a person who comes here has no client that asks for a sign-in. */
export function openAccountSignIn(
  { issuer, operator, provider, known, checkSignIn, signUp, log }: AccountSignInOptions,
  forms: ReturnType<typeof openSigner>,
  { root, saveAnew, contextOf }: Pick<Visits, "root" | "saveAnew" | "contextOf">,
): AccountSignIn {
  /** Ties the form to the browser, which has no session yet. */
  const formCookie = hostCookieName(issuer, "account");

  return { show: async (request, reply) => send(request, reply), submit, begin };

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    refused?: { email: string; refusal: SignInRefusal },
  ): FastifyReply {
    const { cookies } = contextOf(request, reply);
    const known = cookies.get(formCookie);
    const browser = known ?? randomBytes(16).toString("base64url");
    if (known === undefined) cookies.set(formCookie, browser, { ...hostCookieOptions(issuer), signed: false });
    const page = signInPage({
      operator,
      action: `${root}/sign-in`,
      csrf: forms.sign(`sign-in ${browser}`),
      clientName: null,
      links: signInLinks(issuer, signUp, null),
      ...(refused === undefined ? {} : { email: refused.email, error: refused.refusal.message }),
    });
    if (refused !== undefined) reply.headers(refusalHeaders(refused.refusal));
    return sendPage(reply, page, { status: refused?.refusal.status ?? 200 });
  }

  async function submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const context = contextOf(request, reply);
    const browser = context.cookies.get(formCookie);
    if (browser === undefined || !forms.verify(`sign-in ${browser}`, field("csrf"))) return redirect(reply, root);
    const email = field("email").trim();
    const facts = { event: "sign-in", clientId: null, address: request.ip, requestId: request.id } as const;
    const cookie = context.cookies.get(known.cookieName);
    const open = (await provider.Session.get(context)) as SeenSession;
    const typed = { email, password: field("password"), browser: { cookie, session: open } };
    const checked = await checkSignIn({ ...facts, ...typed });
    if (checked.user === null) {
      log.warn(facts, "refused");
      return send(request, reply, { email, refusal: checked.refusal });
    }
    await begin(request, reply, checked.user);
    return redirect(reply, root);
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void> {
    const context = contextOf(request, reply);
    const cookie = known.remember(context.cookies.get(known.cookieName), user);
    context.cookies.set(known.cookieName, cookie, known.cookieOptions);
    let session = (await provider.Session.get(context)) as SeenSession;
    if (session.accountId !== undefined && session.accountId !== user.id) {
      await session.destroy();
      session = new provider.Session();
    }
    session.loginAccount({ accountId: user.id, amr: ["pwd"] });
    await saveAnew(session, request, reply);
    log.info({ event: "sign-in", userId: user.id, clientId: null, requestId: request.id }, "signed in");
  }
}
