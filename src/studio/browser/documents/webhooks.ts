// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { CreateWebhookInput, UpdateWebhookInput } from "./inputs.ts";

export interface WebhookFacts {
  readonly id: string;
  readonly url: string;
  readonly events: readonly ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED")[];
  readonly includesUnpublished: boolean;
  readonly previousUntil: string | null;
  readonly createdAt: string;
  readonly disabledAt: string | null;
  readonly disabledBy: ("ADMINISTRATOR" | "RECEIVER") | null;
  readonly lastDay: {
    readonly delivered: number;
    readonly failed: number;
    readonly waiting: number;
  };
  readonly waiting: number;
  readonly oldestWaitingAt: string | null;
  readonly failingSince: string | null;
  readonly failingReason: string | null;
}

export interface WebhooksData {
  readonly webhooks: readonly WebhookFacts[];
}

export type WebhooksVariables = Record<string, never>;

export const Webhooks: StudioDocument<WebhooksData, WebhooksVariables> = {
  text: "fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}query Webhooks{webhooks{...WebhookFacts}}",
  id: "sha256:62cde6b28f60386a2c7b19269066a79bbda5d59d11fea99cda35c7715597b5c4",
};

export interface WebhookRulesData {
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | null;
  }[];
}

export type WebhookRulesVariables = Record<string, never>;

export const WebhookRules: StudioDocument<WebhookRulesData, WebhookRulesVariables> = {
  text: "query WebhookRules{settings{name value}}",
  id: "sha256:ad63a7179beea81934de506480d374bdad2d237540202ca1b4ee4187d10b9ce0",
};

export interface WebhookAloneData {
  readonly webhook: WebhookFacts | null;
}

export interface WebhookAloneVariables {
  readonly id: string;
}

export const WebhookAlone: StudioDocument<WebhookAloneData, WebhookAloneVariables> = {
  text: "fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}query WebhookAlone($id:ID!){webhook(id:$id){...WebhookFacts}}",
  id: "sha256:9504016e4559e7cfcbb2d83ba9ee023f578195c129cb7be1c07904b2fe9b3fde",
};

export interface WebhookWithRulesData {
  readonly webhook: WebhookFacts | null;
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | null;
  }[];
}

export interface WebhookWithRulesVariables {
  readonly id: string;
}

export const WebhookWithRules: StudioDocument<WebhookWithRulesData, WebhookWithRulesVariables> = {
  text: "fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}query WebhookWithRules($id:ID!){webhook(id:$id){...WebhookFacts}settings{name value}}",
  id: "sha256:6bfe00fe777c45e047ce182e4de14fc6230bb305f760ca63e6c89e59232c132a",
};

export interface CreateWebhookData {
  readonly createWebhook: {
    readonly webhook: WebhookFacts | null;
    readonly secret: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CreateWebhookVariables {
  readonly input: CreateWebhookInput;
}

export const CreateWebhook: StudioDocument<CreateWebhookData, CreateWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}mutation CreateWebhook($input:CreateWebhookInput!){createWebhook(input:$input){webhook{...WebhookFacts}secret errors{...Refusal}}}",
  id: "sha256:4886415f4ede13a07b3768ff53a94cb7c72e5547f0c5b11336ef4a3ca02a2a7b",
};

export interface UpdateWebhookData {
  readonly updateWebhook: {
    readonly webhook: WebhookFacts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface UpdateWebhookVariables {
  readonly id: string;
  readonly input: UpdateWebhookInput;
}

export const UpdateWebhook: StudioDocument<UpdateWebhookData, UpdateWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}mutation UpdateWebhook($id:ID!$input:UpdateWebhookInput!){updateWebhook(id:$id input:$input){webhook{...WebhookFacts}errors{...Refusal}}}",
  id: "sha256:d458aa2115a91c0b4fb76df6c1a6736e47ffa04e95673ca3efdf489e596d1b2d",
};

export interface RotateWebhookSecretData {
  readonly rotateWebhookSecret: {
    readonly webhook: WebhookFacts | null;
    readonly secret: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RotateWebhookSecretVariables {
  readonly id: string;
  readonly isLeaked: boolean;
}

export const RotateWebhookSecret: StudioDocument<RotateWebhookSecretData, RotateWebhookSecretVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}mutation RotateWebhookSecret($id:ID!$isLeaked:Boolean!){rotateWebhookSecret(id:$id isLeaked:$isLeaked){webhook{...WebhookFacts}secret errors{...Refusal}}}",
  id: "sha256:d01f12092ff8fa209827ac82dfd04800da3f8bf7a8351a997cb2790baba8e9a9",
};

export interface DisableWebhookData {
  readonly disableWebhook: {
    readonly webhook: WebhookFacts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DisableWebhookVariables {
  readonly id: string;
}

export const DisableWebhook: StudioDocument<DisableWebhookData, DisableWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}mutation DisableWebhook($id:ID!){disableWebhook(id:$id){webhook{...WebhookFacts}errors{...Refusal}}}",
  id: "sha256:3c05168096a8699d2691df92a6dd6d2d260f8e0e16de9b1f22b780387cc65a61",
};

export interface EnableWebhookData {
  readonly enableWebhook: {
    readonly webhook: WebhookFacts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface EnableWebhookVariables {
  readonly id: string;
}

export const EnableWebhook: StudioDocument<EnableWebhookData, EnableWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}mutation EnableWebhook($id:ID!){enableWebhook(id:$id){webhook{...WebhookFacts}errors{...Refusal}}}",
  id: "sha256:b80782da40093c6897c037a8806ae2a87870cb1298e3452dc2818c443a884b46",
};

export interface DeleteWebhookData {
  readonly deleteWebhook: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteWebhookVariables {
  readonly id: string;
}

export const DeleteWebhook: StudioDocument<DeleteWebhookData, DeleteWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation DeleteWebhook($id:ID!){deleteWebhook(id:$id){deletedId errors{...Refusal}}}",
  id: "sha256:408ceb00fff40808e3c72abdbede657214a8ac4455739ffce97d3daf857796b9",
};
