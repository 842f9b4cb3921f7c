import type { Administration } from "../administration.ts";
import { AppError, badInput, badInputs } from "../errors.ts";
import type { Id } from "../id.ts";
import { ROLES, type Role } from "../viewer.ts";
import { assertEmail } from "./email.ts";
import { INVITATION_SECONDS, type Invitation, type InvitationStore } from "./invitation.ts";
import { assertMayMail, type MailAttempts } from "./mail-administration.ts";
import type { LinkWay, PeopleMail } from "./people-mail.ts";
import type { UserStore } from "./user.ts";

/** The part of the store that invitations need. */
export interface InvitationSlice {
  readonly users: Pick<UserStore, "findByEmail">;
  readonly invitations: InvitationStore;
  readonly attempts: MailAttempts;
}

export interface InvitationAdministration extends Administration<InvitationSlice> {
  readonly mail: PeopleMail;
  /** `mailed` unless given. */
  readonly way?: LinkWay;
}

export interface Invited {
  readonly invitation: Invitation;
  /** null when it is mailed. */
  readonly link: string | null;
}

/**
 * Keeps a place for somebody, with a role, and sends them the link to it. It is good for 7 days (U18).
 *
 * @param field before the names of the arguments in errors
 * @throws AppError BAD_USER_INPUT, CONFLICT with field `email` for an address that has an account or an open invitation,
 * RATE_LIMITED (U19), KeyInUse
 */
export async function inviteAccount(
  administration: InvitationAdministration,
  { email, role }: { readonly email: string; readonly role: Role },
  field = "",
): Promise<Invited> {
  badInputs([
    () => assertEmail(`${field}email`, email),
    () => {
      if (!ROLES.includes(role)) throw badInput(`${field}role`, `${field}role must be one of ${ROLES.join(", ")}.`);
    },
  ]);
  const { store, actorId, record, mail, way, once } = administration;
  await assertMayMail(administration);
  const about = { email, role, invitedBy: actorId, expiresAt: expiry(administration) };
  const invitation = await store.invitations.create(about, once);
  await record({ event: "invitation", result: "ok", detail: `${invitation.id} made as ${role}` });
  return { invitation, link: await mail.invite(invitation, way) };
}

/**
 * Sends another link, which is good for 7 days. Earlier ones stay good until their own end (U16).
 *
 * @throws AppError NOT_FOUND, CONFLICT for one that is accepted or withdrawn, or when its address has an account by now,
 * RATE_LIMITED, KeyInUse
 */
export async function resendInvitation(administration: InvitationAdministration, id: Id | null): Promise<Invited> {
  const { store, record, mail, way, once } = administration;
  const present = await getInvitation(store.invitations, id);
  if ((await store.users.findByEmail(present.email)) !== null)
    throw new AppError("CONFLICT", "The invited person has an account by now.", { field: "email" });
  await assertMayMail(administration);
  const invitation = await store.invitations.renew(present.id, expiry(administration), once);
  await record({ event: "invitation", result: "ok", detail: `${invitation.id} sent again` });
  return { invitation, link: await mail.invite(invitation, way) };
}

/**
 * Ends an invitation and its links at once. One that is withdrawn already stays so.
 *
 * @throws AppError NOT_FOUND, CONFLICT for one that is accepted, KeyInUse
 */
export async function withdrawInvitation(
  { store, now, record, once }: Administration<Pick<InvitationSlice, "invitations">>,
  id: Id | null,
): Promise<Invitation> {
  if (id === null) throw noInvitation();
  const invitation = await store.invitations.withdraw(id, new Date(now()).toISOString(), once);
  await record({ event: "invitation", result: "ok", detail: `${id} withdrawn` });
  return invitation;
}

/** @throws AppError NOT_FOUND */
async function getInvitation(invitations: InvitationStore, id: Id | null): Promise<Invitation> {
  const invitation = id === null ? null : await invitations.find(id);
  if (invitation === null) throw noInvitation();
  return invitation;
}

function noInvitation(): AppError {
  return new AppError("NOT_FOUND", "There is no invitation with this id.");
}

function expiry({ now }: Pick<InvitationAdministration, "now">): string {
  return new Date(now() + INVITATION_SECONDS * 1_000).toISOString();
}
