import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import { isActive } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { readForm, redirect, sendPage } from "../http/forms.ts";
import { keepAccountPage } from "../pages/deletion.ts";
import { openTimes } from "../pages/times.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { AfterSignIn } from "../sign-in/after-sign-in.ts";
import type { KeptAccounts } from "../sign-in/kept-accounts.ts";
import { type Entrant, PASSWORD_PROOF, passkeyProof, sessionFacts } from "../sign-in/proof.ts";
import type { SignInCheck } from "../sign-in/sign-in-check.ts";
import { type SignUpMode, signInLinks } from "../sign-in/sign-in-links.ts";
import { type Refused, sendSignInPage } from "../sign-in/sign-in-page.ts";
import type { SeenSession } from "./session-origin.ts";
import type { Handler, Visits } from "./visit.ts";

export interface AccountSignInOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly provider: Provider;
  readonly checkSignIn: SignInCheck;
  readonly kept: KeptAccounts;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly afterSignIn: AfterSignIn;
  readonly signUp: SignUpMode;
  readonly log: Log;
}

export interface AccountSignIn {
  readonly show: Handler;
  readonly submit: Handler;
  readonly submitPasskey: Handler;
  /** Keeps an account that was to be deleted, and signs its person in. */
  readonly keep: Handler;
  /** Signs in somebody who has shown to be the person, and remembers the browser. */
  begin(request: FastifyRequest, reply: FastifyReply, entrant: Entrant): Promise<void>;
}

/** Pages below `/account` that a sign-in leads back to. The form names one of them, and never a URL (U03). */
const PAGES: readonly string[] = [
  ...["email", "email/finish", "password", "passkeys", "second-step", "authenticator", "name", "export", "delete"],
];

const FORM = "sign-in";

/** The sign-in form at `/account`: a person who comes here has no client that asks for a sign-in. */
export function openAccountSignIn(
  { issuer, operator, provider, checkSignIn, kept, passkeys, afterSignIn, signUp, log }: AccountSignInOptions,
  signer: Signer,
  { root, saveAnew, contextOf }: Pick<Visits, "root" | "saveAnew" | "contextOf">,
): AccountSignIn {
  const forms = openBrowserForms(issuer, signer);

  return { show: async (request, reply) => send(request, reply, pageOf(request)), submit, submitPasskey, keep, begin };

  /** The page that was asked for; null for the account page, and for one that is shown on the way to another. */
  function pageOf(request: FastifyRequest): string | null {
    const path = request.routeOptions.url?.slice(root.length + 1);
    return PAGES.find((page) => page === path) ?? null;
  }

  function send(request: FastifyRequest, reply: FastifyReply, page: string | null, refused?: Refused): FastifyReply {
    const csrf = forms.prove(request, reply, FORM);
    const about = { operator, root, csrf, page, clientName: null, links: signInLinks(issuer, signUp, null) };
    return sendSignInPage(reply, passkeys, about, refused);
  }

  async function submit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    if (!forms.verify(request, FORM, field("csrf"))) return redirect(reply, root);
    const page = PAGES.find((name) => name === field("for")) ?? null;
    const email = field("email").trim();
    const about = { event: "sign-in", clientId: null } as const;
    const session = await provider.Session.get(contextOf(request, reply));
    const checked = await checkSignIn({ ...about, email, password: field("password"), request, session });
    if (checked.user !== null) return admit(request, reply, page, { user: checked.user, proof: PASSWORD_PROOF });
    log.warn({ ...about, address: request.ip, requestId: request.id }, "refused");
    return send(request, reply, page, { email, password: checked.refusal });
  }

  async function submitPasskey(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const form = field("csrf");
    if (passkeys === null || !forms.verify(request, FORM, form)) return redirect(reply, root);
    const page = PAGES.find((name) => name === field("for")) ?? null;
    const about = { event: "sign-in", clientId: null } as const;
    const checked = await passkeys.signIn({ ...about, form, field, request });
    if (checked.user !== null)
      return admit(request, reply, page, { user: checked.user, proof: passkeyProof(checked.passkey) });
    log.warn({ ...about, address: request.ip, requestId: request.id }, "refused");
    return send(request, reply, page, { passkey: checked.refusal });
  }

  /** Nobody is signed in to an account that will be deleted. */
  async function admit(request: FastifyRequest, reply: FastifyReply, page: string | null, entrant: Entrant) {
    return isActive(entrant.user) ? enter(request, reply, page, entrant) : offerToKeep(request, reply, page, entrant);
  }

  function offerToKeep(
    request: FastifyRequest,
    reply: FastifyReply,
    page: string | null,
    entrant: Entrant,
  ): FastifyReply {
    const csrf = forms.prove(request, reply, FORM);
    const text = keepAccountPage({
      ...{ operator, action: `${root}/keep`, csrf, page, proof: kept.prove(entrant, csrf) },
      deletesAtSeconds: Date.parse(entrant.user.deletesAt ?? "") / 1_000,
      times: openTimes(request.headers["accept-language"]),
    });
    return sendPage(reply, text);
  }

  async function keep(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const csrf = field("csrf");
    if (!forms.verify(request, FORM, csrf)) return redirect(reply, root);
    const page = PAGES.find((name) => name === field("for")) ?? null;
    const entrant = await kept.keep(field("proof"), csrf, request);
    return entrant === null ? redirect(reply, root) : enter(request, reply, page, entrant);
  }

  async function enter(
    request: FastifyRequest,
    reply: FastifyReply,
    page: string | null,
    entrant: Entrant,
  ): Promise<FastifyReply> {
    await begin(request, reply, entrant);
    return redirect(reply, page === null ? root : `${root}/${page}`);
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, { user, proof }: Entrant): Promise<void> {
    afterSignIn(request, reply, user);
    let session = (await provider.Session.get(contextOf(request, reply))) as SeenSession;
    if (session.accountId !== undefined && session.accountId !== user.id) {
      await session.destroy();
      session = new provider.Session();
    }
    session.loginAccount({ accountId: user.id, ...sessionFacts(proof) });
    await saveAnew(session, request, reply);
    log.info({ event: "sign-in", userId: user.id, clientId: null, requestId: request.id }, "signed in");
  }
}
