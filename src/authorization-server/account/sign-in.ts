import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { User } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { readForm, redirect, sendPage } from "../http/forms.ts";
import { keepAccountPage } from "../pages/deletion.ts";
import { signInPage } from "../pages/sign-in.ts";
import { openTimes } from "../pages/times.ts";
import type { AfterSignIn } from "../sign-in/after-sign-in.ts";
import type { KeptAccounts } from "../sign-in/kept-accounts.ts";
import { refusalHeaders, type SignInCheck, type SignInRefusal } from "../sign-in/sign-in-check.ts";
import { type SignUpMode, signInLinks } from "../sign-in/sign-in-links.ts";
import type { SeenSession } from "./session-origin.ts";
import type { Handler, Visits } from "./visit.ts";

export interface AccountSignInOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly provider: Provider;
  readonly checkSignIn: SignInCheck;
  readonly kept: KeptAccounts;
  readonly afterSignIn: AfterSignIn;
  readonly signUp: SignUpMode;
  readonly log: Log;
}

export interface AccountSignIn {
  readonly show: Handler;
  readonly submit: Handler;
  /** Keeps an account that was to be deleted, and signs its person in. */
  readonly keep: Handler;
  /** Signs a person in whose password is known to be right, and remembers the browser. */
  begin(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void>;
}

/** Pages below `/account` that a sign-in leads back to. The form names one of them, and never a URL (U03). */
const PAGES: readonly string[] = ["email", "email/finish", "password", "name", "export", "delete"];

const FORM = "sign-in";

/** The sign-in form at `/account`: a person who comes here has no client that asks for a sign-in. */
export function openAccountSignIn(
  { issuer, operator, provider, checkSignIn, kept, afterSignIn, signUp, log }: AccountSignInOptions,
  signer: Signer,
  { root, saveAnew, contextOf }: Pick<Visits, "root" | "saveAnew" | "contextOf">,
): AccountSignIn {
  const forms = openBrowserForms(issuer, signer);

  return { show: async (request, reply) => send(request, reply, pageOf(request)), submit, keep, begin };

  /** The page that was asked for; null for the account page, and for one that is shown on the way to another. */
  function pageOf(request: FastifyRequest): string | null {
    const path = request.routeOptions.url?.slice(root.length + 1);
    return PAGES.find((page) => page === path) ?? null;
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: string | null,
    refused?: { email: string; refusal: SignInRefusal },
  ): FastifyReply {
    const text = signInPage({
      operator,
      action: `${root}/sign-in`,
      csrf: forms.prove(request, reply, FORM),
      page,
      clientName: null,
      links: signInLinks(issuer, signUp, null),
      ...(refused === undefined ? {} : { email: refused.email, error: refused.refusal.message }),
    });
    if (refused !== undefined) reply.headers(refusalHeaders(refused.refusal));
    return sendPage(reply, text, { status: refused?.refusal.status ?? 200 });
  }

  async function submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    if (!forms.verify(request, FORM, field("csrf"))) return redirect(reply, root);
    const page = PAGES.find((name) => name === field("for")) ?? null;
    const email = field("email").trim();
    const about = { event: "sign-in", clientId: null } as const;
    const session = await provider.Session.get(contextOf(request, reply));
    const checked = await checkSignIn({ ...about, email, password: field("password"), request, session });
    if (checked.user !== null) return enter(request, reply, page, checked.user);
    if (checked.leaving !== null) return offerToKeep(request, reply, page, checked.leaving);
    log.warn({ ...about, address: request.ip, requestId: request.id }, "refused");
    return send(request, reply, page, { email, refusal: checked.refusal });
  }

  /** Nobody is signed in to an account that will be deleted. */
  function offerToKeep(request: FastifyRequest, reply: FastifyReply, page: string | null, user: User): FastifyReply {
    const csrf = forms.prove(request, reply, FORM);
    const text = keepAccountPage({
      ...{ operator, action: `${root}/keep`, csrf, page, proof: kept.prove(user, csrf) },
      deletesAtSeconds: Date.parse(user.deletesAt ?? "") / 1_000,
      times: openTimes(request.headers["accept-language"]),
    });
    return sendPage(reply, text);
  }

  async function keep(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const csrf = field("csrf");
    if (!forms.verify(request, FORM, csrf)) return redirect(reply, root);
    const page = PAGES.find((name) => name === field("for")) ?? null;
    const user = await kept.keep(field("proof"), csrf, request);
    return user === null ? redirect(reply, root) : enter(request, reply, page, user);
  }

  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    page: string | null,
    user: User,
  ): Promise<FastifyReply> {
    await begin(request, reply, user);
    return redirect(reply, page === null ? root : `${root}/${page}`);
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, user: User): Promise<void> {
    afterSignIn(request, reply, user);
    let session = (await provider.Session.get(contextOf(request, reply))) as SeenSession;
    if (session.accountId !== undefined && session.accountId !== user.id) {
      await session.destroy();
      session = new provider.Session();
    }
    session.loginAccount({ accountId: user.id, amr: ["pwd"] });
    await saveAnew(session, request, reply);
    log.info({ event: "sign-in", userId: user.id, clientId: null, requestId: request.id }, "signed in");
  }
}
