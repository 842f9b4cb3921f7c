// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";
import type { RevertAgentChangesInput } from "./inputs.ts";

export interface HealthPageData {
  readonly health: {
    readonly state: ("OK" | "WARNING" | "FAILING");
    readonly checkedAt: string;
    readonly checks: readonly {
      readonly name: string;
      readonly state: ("OK" | "WARNING" | "FAILING");
      readonly detail: string;
      readonly advice: string | null;
    }[];
  };
}

export type HealthPageVariables = Record<string, never>;

export const HealthPage: StudioDocument<HealthPageData, HealthPageVariables> = {
  text: "query HealthPage{health{state checkedAt checks{name state detail advice}}}",
  id: "sha256:2a1ad3bb6b301d75aa3f5ff24fe03c18d86cce9ce10131956f95f15096fafc21",
};

export interface SettingsPageData {
  readonly settings: readonly {
    readonly name: string;
    readonly value: string | null;
    readonly isSecret: boolean;
    readonly default: string | null;
    readonly source: ("ENVIRONMENT" | "FILE" | "DEFAULT");
    readonly help: string;
    readonly section: string;
  }[];
  readonly signingKeys: readonly KeyFacts[];
}

export type SettingsPageVariables = Record<string, never>;

export const SettingsPage: StudioDocument<SettingsPageData, SettingsPageVariables> = {
  text: "query SettingsPage{settings{name value isSecret default source help section}signingKeys{...KeyFacts}}fragment KeyFacts on SigningKey{kid algorithm state createdAt signsFrom retiredAt publishedUntil}",
  id: "sha256:3749c213fb1fd0ed8852795cbc27cd406ac3775c2167e3ccee6a68ffe83264bd",
};

export interface RotateSigningKeysData {
  readonly rotateSigningKeys: {
    readonly signingKeys: readonly KeyFacts[] | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RotateSigningKeysVariables {
  readonly isLeaked: boolean;
}

export const RotateSigningKeys: StudioDocument<RotateSigningKeysData, RotateSigningKeysVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RotateSigningKeys($isLeaked:Boolean!){rotateSigningKeys(isLeaked:$isLeaked){signingKeys{...KeyFacts}errors{...Refusal}}}fragment KeyFacts on SigningKey{kid algorithm state createdAt signsFrom retiredAt publishedUntil}",
  id: "sha256:80152d2969af4dbdb1c28520a9aa05d0e30ce9218700ea2899da043cf22280cc",
};

export interface KeyFacts {
  readonly kid: string;
  readonly algorithm: ("ES256" | "RS256");
  readonly state: ("NEXT" | "SIGNING" | "RETIRED" | "GONE");
  readonly createdAt: string;
  readonly signsFrom: string;
  readonly retiredAt: string | null;
  readonly publishedUntil: string | null;
}

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

export interface AgentsPageData {
  readonly agents: {
    readonly nodes: readonly AgentFacts[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
    readonly stoppedAt: string | null;
  };
}

export interface AgentsPageVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly clientId?: string | null;
}

export const AgentsPage: StudioDocument<AgentsPageData, AgentsPageVariables> = {
  text: "query AgentsPage($first:Int!$after:String$clientId:ID){agents(first:$first after:$after clientId:$clientId){nodes{...AgentFacts}pageInfo{hasNextPage endCursor}stoppedAt}}fragment AgentFacts on Agent{id clientId clientName personId personName isStopped firstUsedAt lastUsedAt writesLastDay}",
  id: "sha256:de90aae39a4653ded2cc7df936362c0dfe683fcd4d36cb08a03cffb43151b9bc",
};

export interface StopAgentData {
  readonly stopAgent: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface StopAgentVariables {
  readonly id: string;
}

export const StopAgent: StudioDocument<StopAgentData, StopAgentVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation StopAgent($id:ID!){stopAgent(id:$id){errors{...Refusal}}}",
  id: "sha256:01551f11215751adf0a6073fe2f2cadaf5b39abf65c12fa85f5da1a1a8f7db91",
};

export interface LetAgentInData {
  readonly enableClient: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface LetAgentInVariables {
  readonly id: string;
}

export const LetAgentIn: StudioDocument<LetAgentInData, LetAgentInVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation LetAgentIn($id:ID!){enableClient(id:$id){errors{...Refusal}}}",
  id: "sha256:b56030480ab82e5e161b37e333ff678ef5e9691bbf7621e56e8d4ab190766157",
};

export interface StopAllAgentsData {
  readonly stopAllAgents: {
    readonly stoppedAt: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export type StopAllAgentsVariables = Record<string, never>;

export const StopAllAgents: StudioDocument<StopAllAgentsData, StopAllAgentsVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation StopAllAgents{stopAllAgents{stoppedAt errors{...Refusal}}}",
  id: "sha256:25768e30aa161fb1e0eea899bc3edcc3a357e08b5a0cea9e92e732b5885ca1cb",
};

export interface ResumeAgentsData {
  readonly resumeAgents: {
    readonly stoppedAt: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export type ResumeAgentsVariables = Record<string, never>;

export const ResumeAgents: StudioDocument<ResumeAgentsData, ResumeAgentsVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ResumeAgents{resumeAgents{stoppedAt errors{...Refusal}}}",
  id: "sha256:75f59a0ff1bb284a3ec4247830698cc50c92c185a79e3275314e0c44741c3ab3",
};

export interface RevertAgentChangesData {
  readonly revertAgentChanges: {
    readonly reverted: readonly {
      readonly postId: string;
      readonly as: ("DELETED" | "RESTORED" | "CREATED_AGAIN");
    }[] | null;
    readonly left: readonly {
      readonly postId: string;
      readonly reason: string;
    }[] | null;
    readonly isComplete: boolean | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RevertAgentChangesVariables {
  readonly input: RevertAgentChangesInput;
}

export const RevertAgentChanges: StudioDocument<RevertAgentChangesData, RevertAgentChangesVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RevertAgentChanges($input:RevertAgentChangesInput!){revertAgentChanges(input:$input){reverted{postId as}left{postId reason}isComplete errors{...Refusal}}}",
  id: "sha256:5e2f435a37e43ce17de5b574e6704493825fa1f4124255deae58b083140189dd",
};

export interface AgentFacts {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string | null;
  readonly personId: string | null;
  readonly personName: string | null;
  readonly isStopped: boolean;
  readonly firstUsedAt: string;
  readonly lastUsedAt: string;
  readonly writesLastDay: number;
}
