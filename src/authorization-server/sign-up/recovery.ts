import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { AccountToken } from "../../domain/people/account-token.ts";
import { isActive, type User } from "../../domain/people/user.ts";
import { hashPassword } from "../../secrets/passwords.ts";
import { openSigner } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { mountPath } from "../http/endpoints.ts";
import { fieldErrors, redirect, sendPage } from "../http/forms.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import {
  recoverDonePage,
  recoverFinishPage,
  recoverPage,
  recoverSentPage,
  recoverWithoutMailPage,
} from "../pages/recover.ts";
import { unlockAccount } from "../sign-in/attempts.ts";
import { backToSignIn, signInLinks } from "../sign-in/sign-in-links.ts";
import { type LinkVisit, openLinkPages } from "./link-pages.ts";
import { interactionIn, type TypedRequest, takeMailRequest } from "./mail-request.ts";
import type { MailedOptions } from "./mailed-services.ts";

/** Pages from the lost password to the new one. They sign nobody in, so a second step is asked as ever (U24). */
export function recoveryRoutes(options: MailedOptions): FastifyPluginAsync {
  const { settings, services, protocol } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer, SUPPORT_CONTACT: supportContact } = settings;
  const { store, outgoing, signUp, upstreams, audit, log, now } = services;
  const forms = openBrowserForms(issuer, openSigner(services.secret, "recovery forms", services.previousSecret));
  const mount = mountPath(issuer);
  const root = `${mount}/recover`;
  const mailboxHref = services.mailbox === null ? null : `${mount}/mailbox`;
  const links = openLinkPages(options, {
    ...{ purpose: "recovery", forms, againHref: root },
    isStillGood: async (token) => (await personOf(token)) !== null,
  });

  return async (server) => {
    server.get(root, async (request, reply) => sendForm(request, reply, typedIn(request)));
    server.post(root, async (request, reply) => {
      if (!outgoing.isOn) return sendForm(request, reply, typedIn(request));
      return takeMailRequest(options, forms, request, reply, {
        kind: "recovery",
        assertAllowed() {},
        params: () => ({ browser: nameBrowser(request.headers["user-agent"]) }),
        refused: (typed, errors) => sendForm(request, reply, typed, errors),
        sent: ({ interaction }) => redirect(reply, `${root}/sent${queryOf(interaction)}`),
      });
    });
    server.get(`${root}/sent`, async (request, reply) => {
      const againHref = signInLinks(issuer, signUp, typedIn(request).interaction || null).recover;
      return sendPage(reply, recoverSentPage({ operator, againHref, mailboxHref }));
    });
    server.get(
      `${root}/finish`,
      links.onGet(async (visit) => show(visit)),
    );
    server.post(`${root}/finish`, links.onPost(take));
    server.get(`${root}/done`, async (request, reply) => {
      const { interaction } = typedIn(request);
      const signInHref = interaction === "" ? `${mount}/account` : `${mount}/interaction/${interaction}/continue`;
      return sendPage(reply, recoverDonePage({ operator, signInHref }));
    });
  };

  function typedIn(request: FastifyRequest): TypedRequest {
    const { interaction } = request.query as { interaction?: unknown };
    return { email: "", interaction: interactionIn(interaction) };
  }

  function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    typed: TypedRequest,
    errors: Partial<Record<"email" | "form", string>> = {},
  ): FastifyReply {
    const signInHref = backToSignIn(issuer, typed.interaction);
    if (!outgoing.isOn) return sendPage(reply, recoverWithoutMailPage({ operator, supportContact, signInHref }));
    const csrf = forms.prove(request, reply, "recovery");
    const page = recoverPage({ ...typed, operator, action: root, csrf, errors, signInHref });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400 });
  }

  /** null where what the person signs in with has changed since the mail, or they may not sign in here any more (U23, U65). */
  async function personOf({ userId, credentialVersion }: AccountToken): Promise<User | null> {
    const user = userId === null ? null : await store.users.find(userId);
    if (user === null || upstreams.policy.refusalOf(user, null) !== null) return null;
    return isActive(user) && user.credentialVersion === credentialVersion ? user : null;
  }

  function show({ token, ticket, csrf, goodUntil, reply }: LinkVisit, errors: Record<string, string> = {}) {
    const page = recoverFinishPage({
      ...{ operator, action: `${root}/finish`, csrf, ticket, email: token.email, goodUntil, errors },
    });
    return sendPage(reply, page, { status: Object.keys(errors).length === 0 ? 200 : 400 });
  }

  async function take(visit: LinkVisit): Promise<FastifyReply> {
    const { token, field, request, reply } = visit;
    const password = field("password");
    const person = await personOf(token);
    if (person === null) return links.refuseSpent(visit);
    try {
      await services.passwords.assert(password, person);
    } catch (error) {
      return show(visit, fieldErrors(error));
    }
    const passwordHash = await hashPassword(password);
    const { access } = await protocol();
    const user = await access.endAllBy(person.id, () =>
      store.accountTokens.resetPassword(token.hash, passwordHash, Math.floor(now() / 1_000)),
    );
    if (user === null) return links.refuseSpent(visit);
    const facts = { event: "recovery", userId: user.id, requestId: request.id } as const;
    await audit.record({ ...facts, result: "ok", address: request.ip, detail: "new password by a mailed link" });
    log.info(facts, "new password");
    // Somebody who does not know the password has often tried too many.
    await unlockAccount(store.attempts, user.email);
    await outgoing.notice("password-changed", user, { browser: nameBrowser(request.headers["user-agent"]) });
    return redirect(reply, `${root}/done${queryOf(token.interaction ?? "")}`);
  }
}

function queryOf(interaction: string): string {
  return interaction === "" ? "" : `?interaction=${interaction}`;
}
