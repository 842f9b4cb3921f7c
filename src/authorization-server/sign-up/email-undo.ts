import type { FastifyPluginAsync, FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { emailKey } from "../../domain/people/email.ts";
import { openSigner } from "../../secrets/seal.ts";
import { ADDRESS_TAKEN } from "../account/email.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { mountPath } from "../http/endpoints.ts";
import { sendErrorPage, sendPage } from "../http/forms.ts";
import { LINK_PATHS } from "../letters/links.ts";
import { emailUndonePage, emailUndoPage } from "../pages/email.ts";
import { type LinkVisit, openLinkPages } from "./link-pages.ts";
import type { MailedOptions } from "./mailed-services.ts";

/**
 * The way back to the former address, by the link that it was mailed (U25). It needs no session: somebody else may have taken the account
 * over. The address is typed once more, because scanners of mail open links and press buttons (U02).
 */
export function emailUndoRoutes(options: MailedOptions): FastifyPluginAsync {
  const { settings, services, protocol } = options;
  const { OPERATOR_NAME: operator, AUTH_URL: issuer } = settings;
  const { store, outgoing, audit, log, now } = services;
  const mount = mountPath(issuer);
  const path = mount + LINK_PATHS["email-undo"];
  const signer = openSigner(services.secret, "e-mail undo forms", services.previousSecret);
  const links = openLinkPages(options, {
    ...{ purpose: "email-undo", againHref: null, forms: openBrowserForms(issuer, signer) },
  });

  return async (server) => {
    server.get(
      path,
      links.onGet(async (visit) => show(visit)),
    );
    server.post(path, links.onPost(take));
  };

  function show({ reply, ticket, csrf }: LinkVisit, errors: { email?: string } = {}): FastifyReply {
    const page = emailUndoPage({ operator, action: path, csrf, ticket, errors });
    return sendPage(reply, page, { status: errors.email === undefined ? 200 : 400 });
  }

  async function take(visit: LinkVisit): Promise<FastifyReply> {
    const { request, reply, field } = visit;
    const { hash, email, userId } = visit.token;
    if (emailKey(field("email").trim()) !== emailKey(email)) return show(visit, { email: OTHER });
    if (userId === null) throw new Error("an undo belongs to a person");
    try {
      // A thief of the account may have asked for its deletion (P57).
      if ((await store.users.find(userId))?.deletesAt != null) await store.deletions.undo(userId);
      const { access } = await protocol();
      const undo = () => store.accountTokens.undoEmail(hash, Math.floor(now() / 1_000));
      const user = await access.endAllBy(userId, undo);
      if (user === null) return links.refuseSpent(visit);
      const facts = { event: "email", userId, requestId: request.id } as const;
      log.info(facts, "took the former address back");
      await audit.record({ ...facts, result: "ok", address: request.ip, detail: "took the former address back" });
      await outgoing.toAddress("recovery", user.email);
      return sendPage(reply, emailUndonePage({ operator, email: user.email, recoverHref: `${mount}/recover` }));
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return sendErrorPage(reply, operator, ADDRESS_TAKEN);
      throw error;
    }
  }
}

const OTHER = "This is not the address at which you got the mail.";
