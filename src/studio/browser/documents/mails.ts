// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";

export interface MailsPageData {
  readonly mails: {
    readonly nodes: readonly MailFacts[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface MailsPageVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly state?: ("PENDING" | "SENT" | "FAILED" | "DROPPED") | null;
}

export const MailsPage: StudioDocument<MailsPageData, MailsPageVariables> = {
  text: "query MailsPage($first:Int!$after:String$state:MailState){mails(first:$first after:$after state:$state){nodes{...MailFacts}pageInfo{hasNextPage endCursor}}}fragment MailFacts on Mail{id kind personId address state attempts error createdAt expiresAt sentAt}",
  id: "sha256:604e2f591f209f7b5adabbb0904870636503434d4e806657b8fbb4d07c929d8e",
};

export interface SendTestMailData {
  readonly sendTestMail: {
    readonly mail: MailFacts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SendTestMailVariables {
  readonly to: string;
}

export const SendTestMail: StudioDocument<SendTestMailData, SendTestMailVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation SendTestMail($to:String!){sendTestMail(to:$to){mail{...MailFacts}errors{...Refusal}}}fragment MailFacts on Mail{id kind personId address state attempts error createdAt expiresAt sentAt}",
  id: "sha256:997a5548344db79a0a46ef6d92122a16534b08abf655906e5c7b0bdcbf08fa8d",
};

export interface RetryMailData {
  readonly retryMail: {
    readonly mail: MailFacts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RetryMailVariables {
  readonly id: string;
}

export const RetryMail: StudioDocument<RetryMailData, RetryMailVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RetryMail($id:ID!){retryMail(id:$id){mail{...MailFacts}errors{...Refusal}}}fragment MailFacts on Mail{id kind personId address state attempts error createdAt expiresAt sentAt}",
  id: "sha256:00f36e1632025204b4c2f91d7dd051f8a745b37ee777c96c78ca64156dfec638",
};

export interface MailFacts {
  readonly id: string;
  readonly kind: ("SIGN_UP" | "RECOVERY" | "RECOVERY_BY_ADMINISTRATOR" | "RECOVERY_TOLD" | "INVITATION" | "EMAIL_CHANGE" | "EMAIL_CHANGE_ASKED" | "EMAIL_CHANGED" | "NEW_BROWSER" | "PASSWORD_CHANGED" | "PASSKEY_ADDED" | "PASSKEY_REMOVED" | "PASSKEY_REFUSED" | "TOTP_ADDED" | "TOTP_REMOVED" | "RECOVERY_CODES_MADE" | "RECOVERY_CODE_USED" | "SECOND_STEP_ON" | "SECOND_STEP_OFF" | "SECOND_STEP_REFUSED" | "UPSTREAM_LINKED" | "UPSTREAM_UNLINKED" | "LOCAL_SIGN_IN" | "ROLE_ADMIN" | "EXPORT_MADE" | "DELETION_ASKED" | "DELETION_UNDONE" | "DELETION_DONE" | "TEST");
  readonly personId: string | null;
  readonly address: string | null;
  readonly state: ("PENDING" | "SENT" | "FAILED" | "DROPPED");
  readonly attempts: number;
  readonly error: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly sentAt: string | null;
}
