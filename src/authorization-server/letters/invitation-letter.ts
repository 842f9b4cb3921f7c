import type { Invitation } from "../../domain/people/invitation.ts";
import { outside } from "../../mail/outside.ts";
import type { LetterServices, LetterText } from "./composer.ts";
import { linkTo } from "./links.ts";
import { readableTime } from "./notice-letters.ts";

/** The letter for an open invitation, with a new link that is good for as long as the invitation is. */
export async function invitationText(
  { id, email, invitedBy, expiresAt }: Invitation,
  { settings, store, secrets, now }: LetterServices,
): Promise<LetterText> {
  const inviter = invitedBy === null ? null : await store.users.find(invitedBy);
  const seconds = Math.max(1, Math.floor((Date.parse(expiresAt) - now()) / 1_000));
  const { secret } = await secrets.issue({ purpose: "invitation", email, invitationId: id, seconds });
  const name = inviter === null ? settings.OPERATOR_NAME : `${outside(inviter.name)} of ${settings.OPERATOR_NAME}`;
  return {
    subject: `An invitation to ${settings.OPERATOR_NAME}`,
    heading: "You are invited",
    parts: [
      { text: `${name} invites you to create an account with this e-mail address.` },
      { button: { label: "Accept the invitation", href: linkTo(settings.AUTH_URL, "invitation", secret) } },
      { facts: [["Good until", readableTime(expiresAt)]] },
      { quiet: "If you do not want an account, do nothing." },
    ],
  };
}
