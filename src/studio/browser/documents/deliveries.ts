// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { WebhookDeliveryFilter } from "./inputs.ts";
import type { WebhookFacts } from "./webhooks.ts";

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
  text: "fragment DeliveryFacts on WebhookDelivery{id event state attempts createdAt nextAttemptAt lastAttemptAt lastStatus lastError payload}query WebhookWithDeliveries($id:ID!$first:Int!$after:String$filter:WebhookDeliveryFilter){webhook(id:$id){...WebhookFacts}webhookDeliveries(first:$first after:$after filter:$filter){nodes{...DeliveryFacts}pageInfo{hasNextPage endCursor}}}fragment WebhookFacts on Webhook{id url events includesUnpublished previousUntil createdAt disabledAt disabledBy lastDay{delivered failed waiting}waiting oldestWaitingAt failingSince failingReason}",
  id: "sha256:d77450465a33b17920236ecf35e41370dfd20358ea479ec304ea5b4e84f0d67f",
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
  text: "fragment MadeCall on WebhookAttempt{at durationMs status answer error headers{name value}}mutation TestWebhook($id:ID!$event:WebhookEvent!){testWebhook(id:$id event:$event){test{event payload attempt{...MadeCall}}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:fd8d4e7272999d11cd5827dee9dce0af6f57001994a4267e7e6a01aeb076c6e4",
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
  text: "fragment DeliveryFacts on WebhookDelivery{id event state attempts createdAt nextAttemptAt lastAttemptAt lastStatus lastError payload}fragment MadeCall on WebhookAttempt{at durationMs status answer error headers{name value}}fragment WholeDelivery on WebhookDelivery{...DeliveryFacts webhookId eventId attemptLog{...MadeCall}}mutation ResendDelivery($id:ID!){resendWebhookDelivery(id:$id){delivery{...WholeDelivery}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:f77396c269557d7889b2cec4632e4ba6e1fb4747146c89cf3c5e8e6913480b53",
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
  text: "mutation ResendFailed($webhook:ID!$since:String!$limit:Int!){resendFailedDeliveries(webhook:$webhook since:$since limit:$limit){found resent errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:44f2d6bc5b285bb7d141a4991ebdac371b3d6e914ab1cd2b768673d1936ac4fa",
};
