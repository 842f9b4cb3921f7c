import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { badInput } from "../../domain/errors.ts";
import { isSignUpDomain, nameDomains } from "../../domain/people/sign-up-domains.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { type CodeRefusal, openTypedCodes } from "../account/typed-codes.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { mountPath } from "../http/endpoints.ts";
import { readForm, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { signUpDonePage, signUpFinishPage, signUpPage, signUpSentPage } from "../pages/sign-up.ts";
import { backToSignIn, signInLinks } from "../sign-in/sign-in-links.ts";
import { openFinish } from "./finish.ts";
import { interactionIn, type TypedRequest, takeMailRequest } from "./mail-request.ts";
import type { MailedOptions } from "./mailed-services.ts";

const SENT = "sign-up that a mail was sent for";

/** The content of the sealed field of the page that says that a mail was sent. */
interface Sent extends TypedRequest {
  readonly browserHash: string;
}

/** Pages from the wish for an account to the account. Without any where sign-up is closed. */
export function signUpRoutes(options: MailedOptions): FastifyPluginAsync {
  const { settings, services } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer, SIGN_UP_DOMAINS: domains } = settings;
  const { store, sealer, signUp, upstreams } = services;
  const forms = openBrowserForms(issuer, openSigner(services.secret, "sign-up forms", services.previousSecret));
  const judgeCode = openTypedCodes(services, "sign-up");
  const mount = mountPath(issuer);
  const root = `${mount}/sign-up`;
  const byInvitation = signUp === "invitation";
  const mailboxHref = services.mailbox === null ? null : `${mount}/mailbox`;
  const { links, finish } = openFinish(options, {
    ...{ purpose: "sign-up", forms, path: `${root}/finish`, againHref: root, page: signUpFinishPage },
    whyVoid: async () => "other",
    signsIn({ request, token }) {
      const browser = forms.browserOf(request);
      return browser !== null && token.browserHash === hashToken(browser);
    },
  });

  return async (server) => {
    if (signUp === "closed") return;
    server.get(root, showForm);
    server.post(root, (request, reply) =>
      takeMailRequest(options, forms, request, reply, {
        kind: "sign-up",
        assertAllowed,
        params: (browser) => ({ browser: hashToken(browser) }),
        refused: (typed, errors) => sendForm(request, reply, typed, errors),
        sent(typed, browser) {
          const sent: Sent = { ...typed, browserHash: hashToken(browser) };
          return redirect(reply, `${root}/sent?about=${sealer.seal(JSON.stringify(sent), SENT)}`);
        },
      }),
    );
    server.get(`${root}/sent`, async (request, reply) => {
      const { about } = request.query as { about?: unknown };
      const sent = openSent(request, about);
      return sent === null ? redirect(reply, root) : sendSent(request, reply, sent);
    });
    if (signUp !== "open") return;
    server.post(`${root}/code`, takeCode);
    server.get(`${root}/finish`, links.onGet(finish.show));
    server.post(`${root}/finish`, links.onPost(finish.take));
    server.get(`${root}/done`, async (_request, reply) =>
      sendPage(reply, signUpDonePage({ operator, signInHref: `${mount}/account` })),
    );
  };

  async function showForm(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (await store.users.isEmpty()) return sendErrorPage(reply, operator, NOT_SET_UP);
    const { interaction } = request.query as { interaction?: unknown };
    return sendForm(request, reply, { email: "", interaction: interactionIn(interaction) });
  }

  function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    typed: TypedRequest,
    errors: Partial<Record<"email" | "form", string>> = {},
  ): FastifyReply {
    const csrf = forms.prove(request, reply, "sign-up");
    const signInHref = backToSignIn(issuer, typed.interaction);
    const page = signUpPage({ ...typed, operator, action: root, csrf, byInvitation, errors, signInHref });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400 });
  }

  /** A rule for everybody: it tells nothing about people. */
  function assertAllowed(email: string): void {
    if (!isSignUpDomain(email, domains))
      throw badInput("email", `Accounts here are for addresses at ${nameDomains(domains)}.`);
    const elsewhere = upstreams.policy.refusalFor(email, null);
    if (elsewhere !== null) throw badInput("email", elsewhere);
  }

  /** null in any other browser than the one that the mail was asked for in. */
  function openSent(request: FastifyRequest, about: unknown): Sent | null {
    const [browser, text] = [forms.browserOf(request), typeof about === "string" ? sealer.open(about, SENT) : null];
    if (browser === null || text === null) return null;
    const sent = JSON.parse(text) as Sent;
    return sent.browserHash === hashToken(browser) ? sent : null;
  }

  function sendSent(request: FastifyRequest, reply: FastifyReply, sent: Sent, refused?: CodeRefusal): FastifyReply {
    const page = signUpSentPage({
      ...{ operator, action: `${root}/code`, csrf: forms.prove(request, reply, "code"), email: sent.email },
      about: sealer.seal(JSON.stringify(sent), SENT),
      ...{ byInvitation, mailboxHref },
      againHref: signInLinks(issuer, signUp, sent.interaction || null).signUp ?? root,
      ...(refused === undefined ? {} : { error: refused.message }),
    });
    return sendPage(reply.headers(refused?.headers ?? {}), page, { status: refused?.status ?? 200 });
  }

  async function takeCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const sent = openSent(request, field("about"));
    if (sent === null || !forms.verify(request, "code", field("csrf"))) return redirect(reply, root);
    const link = await judgeCode(field("code"), sent.email, sent.browserHash);
    if (link.state === "refused") return sendSent(request, reply, sent, link);
    if (link.state !== "good") return links.refuse(request, reply, link);
    return finish.show(links.visit(request, reply, link.token));
  }
}

const NOT_SET_UP = {
  status: 404,
  title: "This service is not set up yet",
  message: "People can create accounts when it has an administrator. The terminal that runs it shows a link for that.",
  next: { label: "Go to the start page", href: "/" },
};
