import type { FastifyReply } from "fastify";
import type { Signer } from "../../secrets/seal.ts";
import { redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { authenticatorPage } from "../pages/authenticator.ts";
import type { ShownAuthenticator } from "../pages/authenticator-form.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import { mayAddAuthenticator, type OwnSecondStep } from "./second-step.ts";
import type { Visit, Visits } from "./visit.ts";

export interface OwnAuthenticatorOptions {
  readonly operator: string;
  readonly forms: Signer;
  readonly secondStep: SecondStep;
}

/** The page on which people set up an authenticator app, and the form that removes it (U42). */
export function openOwnAuthenticator(
  { operator, forms, secondStep }: OwnAuthenticatorOptions,
  { root }: Pick<Visits, "root">,
  own: OwnSecondStep,
) {
  const action = `${root}/authenticator`;
  const { setUp, factors } = secondStep;
  const formOf = ({ session }: Visit) => forms.sign(session.uid);

  async function send(
    { reply, user }: Visit,
    csrf: string,
    authenticator: ShownAuthenticator,
    error: string | null = null,
  ): Promise<FastifyReply> {
    const page = authenticatorPage({
      ...{ operator, action, back: `${root}/second-step`, csrf, authenticator, error },
      isReplacement: (await secondStep.factorsOf(user)).totp,
    });
    return sendPage(reply, page, { status: error === null ? 200 : 400 });
  }

  return {
    async show(visit: Visit): Promise<FastifyReply> {
      const { user, reply } = visit;
      if (!mayAddAuthenticator(user, await secondStep.factorsOf(user))) return redirect(reply, `${root}/second-step`);
      const csrf = formOf(visit);
      return send(visit, csrf, await setUp.begin(user, csrf));
    },

    /** The first app comes with recovery codes, so that a lost phone locks nobody out. */
    async confirm(visit: Visit): Promise<FastifyReply> {
      const { request, reply, user, field } = visit;
      const { totp, codesLeft } = await secondStep.factorsOf(user);
      if (!mayAddAuthenticator(user, { totp })) return redirect(reply, `${root}/second-step`);
      const bound = formOf(visit);
      const sealed = field("app");
      const added = await factors.confirmTotp(user, { sealed, bound, typed: field("digits") }, request);
      if (added.user === null) {
        const shown = await setUp.show(user, sealed, bound);
        if (shown !== null) return send(visit, bound, shown, added.message);
        const next = { label: "Open the page again", href: action };
        return sendErrorPage(reply, operator, { title: "The page is out of date", message: added.message, next });
      }
      if (added.user.secondStep && codesLeft > 0) return own.leave(visit, "app");
      return own.sendNewCodes({ ...visit, user: added.user }, { hasShownApp: true });
    },

    async remove(visit: Visit): Promise<FastifyReply> {
      const { request, user } = visit;
      const removed = await factors.removeTotp(user, request);
      if (removed.user === null) return own.showError(visit, removed.message);
      return own.leave(visit, user.secondStep && !removed.user.secondStep ? "removed-off" : "removed");
    },
  };
}
