import { createHash } from "node:crypto";
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { badInput } from "../../domain/errors.ts";
import { emailKey } from "../../domain/people/email.ts";
import { isSignUpDomain, nameDomains } from "../../domain/people/sign-up-domains.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { mountPath } from "../http/endpoints.ts";
import { openFormCookie } from "../http/form-cookie.ts";
import { readForm, redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { signUpDonePage, signUpFinishPage, signUpPage, signUpSentPage } from "../pages/sign-up.ts";
import { EXISTING_ACCOUNT, signInLinks } from "../sign-in/sign-in-links.ts";
import { openFinish } from "./finish.ts";
import { interactionIn, type TypedRequest, takeMailRequest } from "./mail-request.ts";
import type { MailedOptions } from "./mailed-services.ts";

/** Codes that one browser may try for one address within an hour (U13). */
const MOST_TRIES = 5;
const TRIES_SECONDS = 3_600;
const SENT = "sign-up that a mail was sent for";

/** The content of the sealed field of the page that says that a mail was sent. */
interface Sent extends TypedRequest {
  readonly browserHash: string;
}

/** Pages from the wish for an account to the account. Without any where sign-up is closed. */
export function signUpRoutes(options: MailedOptions): FastifyPluginAsync {
  const { settings, services } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer, SIGN_UP_DOMAINS: domains } = settings;
  const { store, secrets, sealer, signUp, now } = services;
  const forms = openSigner(services.secret, "sign-up forms", services.previousSecret);
  const cookie = openFormCookie(issuer);
  const mount = mountPath(issuer);
  const root = `${mount}/sign-up`;
  const byInvitation = signUp === "invitation";
  const mailboxHref = services.mailbox === null ? null : `${mount}/mailbox`;
  const { links, finish } = openFinish(options, {
    ...{ purpose: "sign-up", forms, cookie, path: `${root}/finish`, againHref: root, page: signUpFinishPage },
    isStillGood: async () => true,
    whyVoid: async () => "other",
    // Where the mail was asked for.
    signsIn: ({ token, browser }) => token.browserHash === hashToken(browser),
  });

  return async (server) => {
    if (signUp === "closed") return;
    server.get(root, showForm);
    server.post(root, (request, reply) =>
      takeMailRequest(options, { forms, cookie }, request, reply, {
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
    const csrf = forms.sign(`sign-up ${cookie.ensure(request, reply)}`);
    const { interaction } = typed;
    const signInHref =
      interaction === "" ? `${mount}/account` : `${mount}/interaction/${interaction}?${EXISTING_ACCOUNT}`;
    const page = signUpPage({ ...typed, operator, action: root, csrf, byInvitation, errors, signInHref });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400 });
  }

  /** A rule for everybody: it tells nothing about people. */
  function assertAllowed(email: string): void {
    if (!isSignUpDomain(email, domains))
      throw badInput("email", `Accounts here are for addresses at ${nameDomains(domains)}.`);
  }

  /** null in any other browser than the one that the mail was asked for in. */
  function openSent(request: FastifyRequest, about: unknown): Sent | null {
    const [browser, text] = [cookie.read(request), typeof about === "string" ? sealer.open(about, SENT) : null];
    if (browser === null || text === null) return null;
    const sent = JSON.parse(text) as Sent;
    return sent.browserHash === hashToken(browser) ? sent : null;
  }

  function sendSent(
    request: FastifyRequest,
    reply: FastifyReply,
    sent: Sent,
    { status = 200, error }: { status?: number; error?: string } = {},
  ): FastifyReply {
    const page = signUpSentPage({
      ...{ operator, action: `${root}/code`, csrf: forms.sign(`code ${cookie.read(request)}`), email: sent.email },
      about: sealer.seal(JSON.stringify(sent), SENT),
      ...{ byInvitation, mailboxHref },
      againHref: signInLinks(issuer, signUp, sent.interaction || null).signUp ?? root,
      ...(error === undefined ? {} : { error }),
    });
    return sendPage(reply, page, { status });
  }

  async function takeCode(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const field = readForm(request);
    const sent = openSent(request, field("about"));
    if (sent === null || !forms.verify(`code ${cookie.read(request)}`, field("csrf"))) return redirect(reply, root);
    const [email, code] = [sent.email, field("code").trim()];
    if (code === "") return sendSent(request, reply, sent, { status: 400, error: "Enter the code from the mail." });
    const address = createHash("sha256").update(emailKey(email)).digest("base64url");
    const key = `sign-up codes ${sent.browserHash} ${address}`;
    // In advance, so that many at the same time do not slip through.
    const tries = await store.attempts.add(key, TRIES_SECONDS, Math.floor(now() / 1_000));
    if (tries > MOST_TRIES) {
      reply.header("retry-after", String(TRIES_SECONDS));
      return sendSent(request, reply, sent, { status: 429, error: TOO_MANY_TRIES });
    }
    const link = await secrets.readCode(code, "sign-up", email, sent.browserHash);
    if (link.state === "unknown")
      return sendSent(request, reply, sent, { status: 400, error: `This code is not right. ${triesLeft(tries)}` });
    if (link.state !== "good") return links.refuse(request, reply, link);
    await store.attempts.clear(key);
    return finish.show(links.visit(request, reply, link.token));
  }
}

function triesLeft(tries: number): string {
  const left = MOST_TRIES - tries;
  if (left === 0) return "No tries are left. Open the link in the mail, or wait an hour.";
  return left === 1 ? "1 try is left." : `${left} tries are left.`;
}

const TOO_MANY_TRIES = "There were too many wrong codes. Open the link in the mail, or wait an hour.";

const NOT_SET_UP = {
  status: 404,
  title: "This service is not set up yet",
  message: "People can create accounts when it has an administrator. The terminal that runs it shows a link for that.",
  next: { label: "Go to the start page", href: "/" },
};
