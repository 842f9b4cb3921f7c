// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { CreateWebhookInput, UpdateWebhookInput, WebhookDeliveryFilter } from "./inputs.ts";

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

export interface DeliveryFacts {
  readonly id: string;
  readonly event: ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED");
  readonly state: ("PENDING" | "DELIVERED" | "FAILED");
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly lastAttemptAt: string | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly payload: string;
}

export interface MadeCall {
  readonly at: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly headers: readonly {
    readonly name: string;
    readonly value: string;
  }[];
}

export type WholeDelivery = (DeliveryFacts & {
  readonly webhookId: string;
  readonly eventId: string;
  readonly attemptLog: readonly MadeCall[];
});

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

export interface WebhookWithDeliveriesData {
  readonly webhook: WebhookFacts | null;
  readonly webhookDeliveries: {
    readonly nodes: readonly DeliveryFacts[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface WebhookWithDeliveriesVariables {
  readonly id: string;
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: WebhookDeliveryFilter | null;
}

export const WebhookWithDeliveries: StudioDocument<WebhookWithDeliveriesData, WebhookWithDeliveriesVariables> = {
  text: "fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}fragment DeliveryFacts on WebhookDelivery{id event state attempts createdAt nextAttemptAt lastAttemptAt lastStatus lastError payload}query WebhookWithDeliveries($id:ID!$first:Int!$after:String$filter:WebhookDeliveryFilter){webhook(id:$id){...WebhookFacts}webhookDeliveries(first:$first after:$after filter:$filter){nodes{...DeliveryFacts}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:021078fe3811ba589837983174143429c235ef62442ce0a0dd971cf7aaa583a3",
};

export interface OneDeliveryData {
  readonly webhook: {
    readonly id: string;
    readonly url: string;
    readonly disabledAt: string | null;
  } | null;
  readonly webhookDelivery: WholeDelivery | null;
}

export interface OneDeliveryVariables {
  readonly webhook: string;
  readonly id: string;
}

export const OneDelivery: StudioDocument<OneDeliveryData, OneDeliveryVariables> = {
  text: "fragment DeliveryFacts on WebhookDelivery{id event state attempts createdAt nextAttemptAt lastAttemptAt lastStatus lastError payload}fragment MadeCall on WebhookAttempt{at durationMs status answer error headers{name value}}fragment WholeDelivery on WebhookDelivery{...DeliveryFacts webhookId eventId attemptLog{...MadeCall}}query OneDelivery($webhook:ID!$id:ID!){webhook(id:$webhook){id url disabledAt}webhookDelivery(id:$id){...WholeDelivery}}",
  id: "sha256:56b20a92fc40725905f74c0fb545e730dd9190648d798408f2c767a733b35ac4",
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

export interface TestWebhookData {
  readonly testWebhook: {
    readonly test: {
      readonly event: ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED");
      readonly payload: string;
      readonly attempt: MadeCall;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface TestWebhookVariables {
  readonly id: string;
  readonly event: ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED");
}

export const TestWebhook: StudioDocument<TestWebhookData, TestWebhookVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment MadeCall on WebhookAttempt{at durationMs status answer error headers{name value}}mutation TestWebhook($id:ID!$event:WebhookEvent!){testWebhook(id:$id event:$event){test{event payload attempt{...MadeCall}}errors{...Refusal}}}",
  id: "sha256:d3057bb8a8ae5788e2038fcee47811984dfe8b56fce19a7574a877c760458dea",
};

export interface ResendDeliveryData {
  readonly resendWebhookDelivery: {
    readonly delivery: WholeDelivery | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ResendDeliveryVariables {
  readonly id: string;
}

export const ResendDelivery: StudioDocument<ResendDeliveryData, ResendDeliveryVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment DeliveryFacts on WebhookDelivery{id event state attempts createdAt nextAttemptAt lastAttemptAt lastStatus lastError payload}fragment MadeCall on WebhookAttempt{at durationMs status answer error headers{name value}}fragment WholeDelivery on WebhookDelivery{...DeliveryFacts webhookId eventId attemptLog{...MadeCall}}mutation ResendDelivery($id:ID!){resendWebhookDelivery(id:$id){delivery{...WholeDelivery}errors{...Refusal}}}",
  id: "sha256:49a2fb67e2c296469478b27dfbf2f4966cf0459bf51c736e6c4c3944316c71d5",
};

export interface ResendFailedData {
  readonly resendFailedDeliveries: {
    readonly found: number | null;
    readonly resent: number | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ResendFailedVariables {
  readonly webhook: string;
  readonly since: string;
  readonly limit: number;
}

export const ResendFailed: StudioDocument<ResendFailedData, ResendFailedVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ResendFailed($webhook:ID!$since:String!$limit:Int!){resendFailedDeliveries(webhook:$webhook since:$since limit:$limit){found resent errors{...Refusal}}}",
  id: "sha256:bb36cd7eb299ad2a38135174f78f6973e5a8d8a6bac027d7266ada033e85441e",
};
