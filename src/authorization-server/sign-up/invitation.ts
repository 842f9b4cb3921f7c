import type { FastifyPluginAsync } from "fastify";
import type { AccountToken } from "../../domain/people/account-token.ts";
import { type Invitation, invitationState } from "../../domain/people/invitation.ts";
import { findActiveUser } from "../../domain/people/user.ts";
import { openSigner } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { mountPath } from "../http/endpoints.ts";
import { invitationPage } from "../pages/invitation.ts";
import { openFinish } from "./finish.ts";
import type { MailedOptions } from "./mailed-services.ts";

/** The page that the link in an invitation opens (U18). It is there however sign-up is set, and without mail too. */
export function invitationRoutes(options: MailedOptions): FastifyPluginAsync {
  const { settings, services } = options;
  const { store, now } = services;
  const path = `${mountPath(settings.AUTH_URL)}/invitation`;
  const signer = openSigner(services.secret, "invitation forms", services.previousSecret);
  const { links, finish } = openFinish(options, {
    ...{ purpose: "invitation", path, againHref: null, isStillGood, whyVoid },
    forms: openBrowserForms(settings.AUTH_URL, signer),
    async page(model, token) {
      const invitedBy = (await invitationOf(token))?.invitedBy ?? null;
      const inviter = invitedBy === null ? null : await store.users.find(invitedBy);
      return invitationPage({ ...model, inviter: inviter?.name ?? null });
    },
    // An administrator asked for the link, and not somebody who waits in another browser.
    signsIn: () => true,
  });

  return async (server) => {
    server.get(path, links.onGet(finish.show));
    server.post(path, links.onPost(finish.take));
  };

  async function invitationOf({ invitationId }: AccountToken): Promise<Invitation | null> {
    return invitationId === null ? null : store.invitations.find(invitationId);
  }

  /** As the database decides in the end: the invitation is open, and its inviter is still an administrator. */
  async function isStillGood(token: AccountToken): Promise<boolean> {
    const invitation = await invitationOf(token);
    if (invitation === null || invitationState(invitation, now()) !== "open") return false;
    return invitation.invitedBy === null || (await findActiveUser(store, invitation.invitedBy))?.role === "admin";
  }

  async function whyVoid(token: AccountToken): Promise<"other" | "withdrawn"> {
    return (await invitationOf(token))?.acceptedAt == null ? "withdrawn" : "other";
  }
}
