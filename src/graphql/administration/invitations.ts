import type { Id } from "../../domain/id.ts";
import { type Invitation, invitationState } from "../../domain/people/invitation.ts";
import {
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
  invitations: ({ store, now, first }, { after }) =>
    newestFirst(
      "invitations",
      { first, after },
      (place, limit) => store.invitations.list(place?.id, limit),
      (invitation) => invitationValue(invitation, now),
    ),
};

export const INVITATION_CHANGES: Readonly<Record<string, Change>> = {
  inviteAccount: {
    async make(context, args) {
      const { email, role } = args.input as { readonly email: string; readonly role: string };
      const input = { email, role: enumValue(role) as Role };
      return invitedValue(context, await inviteAccount(context, input, "input."));
    },
    recall: recallLink,
  },
  resendInvitation: {
    make: async (context, args) => invitedValue(context, await resendInvitation(context, idOf(args))),
    recall: recallLink,
  },
  withdrawInvitation: {
    make: async (context, args) => ({
      invitation: invitationValue(await withdrawInvitation(context, idOf(args)), context.now),
    }),
    recall: async ({ store, now }, id) => ({
      invitation: invitationValue(stillThere(await store.invitations.find(id)), now),
    }),
  },
};

/** Nobody knows whether the first mail was written down, or the first link was seen: there is another one. */
async function recallLink(context: AdministrationContext, id: Id): Promise<Value> {
  const { store, now, mail } = context;
  const invitation = stillThere(await store.invitations.find(id));
  const isOpen = invitationState(invitation, now()) === "open";
  return invitedValue(context, { invitation, link: isOpen ? await mail.invite(invitation) : null });
}

function invitedValue({ now }: AdministrationContext, { invitation, link }: Invited): Value {
  return { invitation: invitationValue(invitation, now), link };
}

function invitationValue({ invitedBy, ...invitation }: Invitation, now: () => number): Value {
  return {
    ...invitation,
    role: enumName(invitation.role),
    invitedById: invitedBy,
    state: enumName(invitationState({ ...invitation, invitedBy }, now())),
  };
}
