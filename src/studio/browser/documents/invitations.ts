// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { InviteAccountInput } from "./inputs.ts";

export interface ListInvitationsData {
  readonly invitations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly email: string;
      readonly role: ("MEMBER" | "EDITOR" | "ADMIN");
      readonly state: ("OPEN" | "ACCEPTED" | "WITHDRAWN" | "EXPIRED");
      readonly invitedById: string | null;
      readonly createdAt: string;
      readonly expiresAt: string;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface ListInvitationsVariables {
  readonly first: number;
  readonly after?: string | null;
}

export const ListInvitations: StudioDocument<ListInvitationsData, ListInvitationsVariables> = {
  text: "query ListInvitations($first:Int!$after:String){invitations(first:$first after:$after){nodes{id email role state invitedById createdAt expiresAt}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:1f8870b2f7bb2a276b761b1dd181ae4a35bcb46235a282a780f8f2253558bafb",
};

export interface InvitePersonData {
  readonly inviteAccount: {
    readonly invitation: {
      readonly id: string;
      readonly email: string;
      readonly expiresAt: string;
    } | null;
    readonly link: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface InvitePersonVariables {
  readonly input: InviteAccountInput;
}

export const InvitePerson: StudioDocument<InvitePersonData, InvitePersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation InvitePerson($input:InviteAccountInput!){inviteAccount(input:$input){invitation{id email expiresAt}link errors{...Refusal}}}",
  id: "sha256:e63193fed0377563049819598caf1aa30e048b79187878174881a28e2cfaa88a",
};

export interface ResendInvitationData {
  readonly resendInvitation: {
    readonly invitation: {
      readonly id: string;
      readonly email: string;
      readonly expiresAt: string;
    } | null;
    readonly link: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ResendInvitationVariables {
  readonly id: string;
}

export const ResendInvitation: StudioDocument<ResendInvitationData, ResendInvitationVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ResendInvitation($id:ID!){resendInvitation(id:$id){invitation{id email expiresAt}link errors{...Refusal}}}",
  id: "sha256:36b98d8e2c1e76273876e758a3a45b2a4b67914571fa07c4b0cf989228ca013a",
};

export interface WithdrawInvitationData {
  readonly withdrawInvitation: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface WithdrawInvitationVariables {
  readonly id: string;
}

export const WithdrawInvitation: StudioDocument<WithdrawInvitationData, WithdrawInvitationVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation WithdrawInvitation($id:ID!){withdrawInvitation(id:$id){errors{...Refusal}}}",
  id: "sha256:73c3a54f5df991e9cd9f161bf45d9ba135cfa31988fcd55718f905605fdd7b1c",
};
