import type { Id } from "../../domain/id.ts";
import { type Invitation, invitationState } from "../../domain/people/invitation.ts";
import {
  type InvitationAdministration,
  type Invited,
  inviteAccount,
  resendInvitation,
  withdrawInvitation,
} from "../../domain/people/invitation-administration.ts";
import type { Role } from "../../domain/viewer.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import {
  type AdministrationContext,
  type Change,
  enumName,
  enumValue,
  idOf,
  newestFirst,
  type Query,
} from "./field.ts";

export const INVITATION_QUERIES: Readonly<Record<string, Query>> = {
  invitations: ({ store, tools, first }, { after }) =>
    newestFirst(
      "invitations",
      { first, after },
      (place, limit) => store.invitations.list(place?.id, limit),
      (invitation) => invitationValue(invitation, tools),
    ),
};

export const INVITATION_CHANGES: Readonly<Record<string, Change>> = {
  inviteAccount: {
    async make(context, args) {
      const { email, role } = args.input as { readonly email: string; readonly role: string };
      const input = { email, role: enumValue(role) as Role };
      return invitedValue(context, await inviteAccount(administrationOf(context), input, "input."));
    },
    recall: recallLink,
  },
  resendInvitation: {
    make: async (context, args) => invitedValue(context, await resendInvitation(administrationOf(context), idOf(args))),
    recall: recallLink,
  },
  withdrawInvitation: {
    make: async (context, args) => ({
      invitation: invitationValue(await withdrawInvitation(administrationOf(context), idOf(args)), context.tools),
    }),
    recall: async ({ store, tools }, id) => ({
      invitation: invitationValue(stillThere(await store.invitations.find(id)), tools),
    }),
  },
};

/** Nobody knows whether the first mail was written down, or the first link was seen: there is another one. */
async function recallLink(context: AdministrationContext, id: Id): Promise<Value> {
  const { store, tools } = context;
  const invitation = stillThere(await store.invitations.find(id));
  const isOpen = invitationState(invitation, tools.now()) === "open";
  return invitedValue(context, { invitation, link: isOpen ? await tools.mail.invite(invitation) : null });
}

function administrationOf({ tools, ...context }: AdministrationContext): InvitationAdministration {
  return { ...context, now: tools.now, mail: tools.mail };
}

function invitedValue({ tools }: AdministrationContext, { invitation, link }: Invited): Value {
  return { invitation: invitationValue(invitation, tools), link };
}

function invitationValue(
  { invitedBy, ...invitation }: Invitation,
  { now }: Pick<AdministrationContext["tools"], "now">,
): Value {
  return {
    ...invitation,
    role: enumName(invitation.role),
    invitedById: invitedBy,
    state: enumName(invitationState({ ...invitation, invitedBy }, now())),
  };
}
