import { parseId } from "../../domain/id.ts";
import { type Invitation, invitationState } from "../../domain/people/invitation.ts";
import { outside } from "../../mail/outside.ts";
import type { Composers, LetterServices, LetterText } from "./composer.ts";
import { linkTo } from "./links.ts";
import { readableTime } from "./notice-letters.ts";
import { secondsUntil } from "./people-mail.ts";

/**
 * An invitation with a new link, which is good as long as the invitation. Its only text from outside is the administrator's own name
 * (U52).
 */
export async function invitationText(
  { id: invitationId, email, invitedBy, expiresAt }: Invitation,
  { settings, store, secrets, now }: LetterServices,
): Promise<LetterText> {
  const { AUTH_URL: issuer, OPERATOR_NAME: operator } = settings;
  const inviter = invitedBy === null ? null : await store.users.find(invitedBy);
  const { secret } = await secrets.issue({
    ...{ purpose: "invitation", email, invitationId, seconds: secondsUntil(expiresAt, now()) },
  });
  const invites = inviter === null ? `${operator} invites you` : `${outside(inviter.name)} of ${operator} invites you`;
  return {
    subject: `Your invitation to ${operator}`,
    heading: "You are invited",
    parts: [
      { text: `${invites} to create an account. Open the link, enter your name and choose a password.` },
      { button: { label: "Accept the invitation", href: linkTo(issuer, "invitation", secret) } },
      { facts: [["Good until", readableTime(expiresAt)]] },
      { quiet: "If you do not expect an invitation, do nothing. Without the link, no account is created." },
    ],
  };
}

export const INVITATION_LETTERS: Composers = {
  // Nothing is sent for one that is open no more, or to a person who has an account meanwhile.
  async invitation({ params }, services) {
    const id = parseId(params.invitationId ?? "");
    const invitation = id === null ? null : await services.store.invitations.find(id);
    if (invitation === null || invitationState(invitation, services.now()) !== "open") return null;
    if ((await services.store.users.findByEmail(invitation.email)) !== null) return null;
    return invitationText(invitation, services);
  },
};
