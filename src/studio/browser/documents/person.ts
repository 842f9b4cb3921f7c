// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";
import type { Refusal } from "./frame.ts";

export interface OpenPersonData {
  readonly accountBy: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly emailVerified: boolean;
    readonly role: ("MEMBER" | "EDITOR" | "ADMIN");
    readonly state: ("ACTIVE" | "DISABLED" | "DELETING" | "DELETED");
    readonly hasPassword: boolean;
    readonly signInMethods: readonly ("PASSWORD" | "PASSKEY" | "UPSTREAM")[];
    readonly secondStep: boolean;
    readonly localSignIn: boolean;
    readonly mailState: ("OK" | "FAILING");
    readonly lastSignInAt: string | null;
    readonly createdAt: string;
    readonly disabledAt: string | null;
    readonly deletesAt: string | null;
    readonly deletedAt: string | null;
    readonly upstreams: readonly {
      readonly provider: string;
      readonly subject: string;
      readonly email: string | null;
      readonly linkedAt: string;
      readonly usedAt: string | null;
    }[];
    readonly sessions: readonly {
      readonly id: string;
      readonly browser: string | null;
      readonly address: string | null;
      readonly signedInAt: string;
      readonly lastUsedAt: string | null;
    }[];
    readonly clients: readonly {
      readonly clientId: string;
      readonly name: string;
      readonly scopes: readonly string[];
      readonly since: string;
      readonly lastUsedAt: string | null;
      readonly isGiven: boolean;
    }[];
  } | null;
  readonly clients: readonly {
    readonly id: string;
    readonly name: string;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly disabledAt: string | null;
  }[];
  readonly auditEntries: {
    readonly nodes: readonly {
      readonly id: string;
      readonly at: string;
      readonly event: ("SIGN_IN" | "CONSENT" | "AUTHORIZATION" | "TOKEN" | "REVOCATION" | "INTROSPECTION" | "USERINFO" | "SIGN_OUT" | "SESSION" | "PASSWORD" | "PASSKEY" | "PERSON" | "CLIENT" | "WEBHOOK" | "KEYS" | "SET_UP" | "SIGN_UP" | "RECOVERY" | "INVITATION" | "EMAIL" | "MAIL" | "EXPORT" | "DELETION" | "STEP_UP" | "SECOND_STEP" | "RECOVERY_CODE" | "SCIM" | "UPSTREAM" | "LINK" | "AGENT" | "AUDIT");
      readonly result: ("OK" | "REFUSED" | "DENIED" | "LIMITED" | "REUSE" | "FAILED");
      readonly address: string | null;
      readonly detail: string | null;
      readonly actor: {
        readonly id: string;
        readonly name: string;
      } | null;
      readonly client: {
        readonly id: string;
        readonly name: string;
      } | null;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  };
  readonly administrators: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
    };
  };
}

export interface OpenPersonVariables {
  readonly id: string;
}

export const OpenPerson: StudioDocument<OpenPersonData, OpenPersonVariables> = {
  text: "query OpenPerson($id:ID!){accountBy(by:{id:$id}){id name email emailVerified role state hasPassword signInMethods secondStep localSignIn mailState lastSignInAt createdAt disabledAt deletesAt deletedAt upstreams{provider subject email linkedAt usedAt}sessions{id browser address signedInAt lastUsedAt}clients{clientId name scopes since lastUsedAt isGiven}}clients(first:20 filter:{ownerId:$id}){id name createdAt lastUsedAt disabledAt}auditEntries(first:20 filter:{personId:$id}){nodes{id at event result address detail actor{id name}client{id name}}pageInfo{hasNextPage}}administrators:accounts(first:6 filter:{role:ADMIN state:ACTIVE}){nodes{id name}pageInfo{hasNextPage}}}",
  id: "sha256:12e3f00534c0170265d4a44134eafe78b6562bd3c6a0fbd00e600cd0fc943f07",
};

export interface ExportPersonData {
  readonly accountExport: string;
}

export interface ExportPersonVariables {
  readonly id: string;
}

export const ExportPerson: StudioDocument<ExportPersonData, ExportPersonVariables> = {
  text: "query ExportPerson($id:ID!){accountExport(id:$id)}",
  id: "sha256:06a047e30742096348a4e8710dfc7d318caa648285efe21dab57a2369cb1aff7",
};

export interface SendRecoveryData {
  readonly sendRecovery: {
    readonly link: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SendRecoveryVariables {
  readonly id: string;
}

export const SendRecovery: StudioDocument<SendRecoveryData, SendRecoveryVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation SendRecovery($id:ID!){sendRecovery(id:$id){link errors{...Refusal}}}",
  id: "sha256:6d2410037ece20734623e731d7214fc9e90cc3abd9d05fca7fdacb175bcc7f00",
};

export interface ChangeRoleData {
  readonly changeRole: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ChangeRoleVariables {
  readonly id: string;
  readonly role: ("MEMBER" | "EDITOR" | "ADMIN");
}

export const ChangeRole: StudioDocument<ChangeRoleData, ChangeRoleVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ChangeRole($id:ID!$role:Role!){changeRole(id:$id role:$role){errors{...Refusal}}}",
  id: "sha256:39d11137a1e90dc6195530daafa399221cbb9c451d456db8de320e211f056c35",
};

export interface LockPersonData {
  readonly disableAccount: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface LockPersonVariables {
  readonly id: string;
}

export const LockPerson: StudioDocument<LockPersonData, LockPersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation LockPerson($id:ID!){disableAccount(id:$id){errors{...Refusal}}}",
  id: "sha256:6add84acd6442d5b899010b008a874e3305c6fe45cd145807fbd711f773a119b",
};

export interface UnlockPersonData {
  readonly enableAccount: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface UnlockPersonVariables {
  readonly id: string;
}

export const UnlockPerson: StudioDocument<UnlockPersonData, UnlockPersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation UnlockPerson($id:ID!){enableAccount(id:$id){errors{...Refusal}}}",
  id: "sha256:d21b6c70054e42af8cb09872232df128583fe5edbb90faa2550e6df6e8885a79",
};

export interface ResetSecondStepData {
  readonly resetSecondStep: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ResetSecondStepVariables {
  readonly id: string;
  readonly passkeys: boolean;
}

export const ResetSecondStep: StudioDocument<ResetSecondStepData, ResetSecondStepVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ResetSecondStep($id:ID!$passkeys:Boolean!){resetSecondStep(id:$id passkeys:$passkeys){errors{...Refusal}}}",
  id: "sha256:21d7ae7679d871d759345f84423127707444e5c5fb73c4ffc526af1272d94c55",
};

export interface ForgetAttemptsData {
  readonly unlockAccount: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface ForgetAttemptsVariables {
  readonly id: string;
}

export const ForgetAttempts: StudioDocument<ForgetAttemptsData, ForgetAttemptsVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation ForgetAttempts($id:ID!){unlockAccount(id:$id){errors{...Refusal}}}",
  id: "sha256:8522d524b56865c8d774aa38da3274ca157169bceff9be8235ba72f957da379c",
};

export interface SetLocalSignInData {
  readonly setLocalSignIn: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SetLocalSignInVariables {
  readonly id: string;
  readonly isAllowed: boolean;
}

export const SetLocalSignIn: StudioDocument<SetLocalSignInData, SetLocalSignInVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation SetLocalSignIn($id:ID!$isAllowed:Boolean!){setLocalSignIn(id:$id isAllowed:$isAllowed){errors{...Refusal}}}",
  id: "sha256:4b347e73ea56efd2a743029e19c4dd4a4f49d74ff8183be82d2b360d5bba1507",
};

export interface UnlinkServiceData {
  readonly unlinkUpstream: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface UnlinkServiceVariables {
  readonly id: string;
  readonly provider: string;
  readonly subject: string;
}

export const UnlinkService: StudioDocument<UnlinkServiceData, UnlinkServiceVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation UnlinkService($id:ID!$provider:String!$subject:String!){unlinkUpstream(id:$id provider:$provider subject:$subject){errors{...Refusal}}}",
  id: "sha256:12d0899dbb35ce5ef1d5901c86f164764ccb60ee69d11f6186c6be5e9d4f87ef",
};

export interface EndOneSessionData {
  readonly endSession: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface EndOneSessionVariables {
  readonly id: string;
}

export const EndOneSession: StudioDocument<EndOneSessionData, EndOneSessionVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation EndOneSession($id:ID!){endSession(id:$id){errors{...Refusal}}}",
  id: "sha256:13eeeef1f169c3988ecd62e3e1418661d59e2cd7512add9e5a3a979b01696f37",
};

export interface EndAllSessionsData {
  readonly endSessions: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface EndAllSessionsVariables {
  readonly id: string;
}

export const EndAllSessions: StudioDocument<EndAllSessionsData, EndAllSessionsVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation EndAllSessions($id:ID!){endSessions(id:$id){errors{...Refusal}}}",
  id: "sha256:6f9be64b57252c6be85b4731247ab3f098ed641767ff897d4e98ab099119e659",
};

export interface WithdrawConsentData {
  readonly withdrawConsent: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface WithdrawConsentVariables {
  readonly id: string;
  readonly clientId: string;
}

export const WithdrawConsent: StudioDocument<WithdrawConsentData, WithdrawConsentVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation WithdrawConsent($id:ID!$clientId:ID!){withdrawConsent(id:$id clientId:$clientId){errors{...Refusal}}}",
  id: "sha256:ec5de23480b2780e109ea307de8faa25b61da841778ba2a3052e19ce9516e050",
};

export interface DeletePersonData {
  readonly deleteAccount: {
    readonly account: {
      readonly deletesAt: string | null;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeletePersonVariables {
  readonly id: string;
  readonly posts: ("KEEP" | "DELETE");
}

export const DeletePerson: StudioDocument<DeletePersonData, DeletePersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation DeletePerson($id:ID!$posts:DeletionPosts!){deleteAccount(id:$id posts:$posts){account{deletesAt}errors{...Refusal}}}",
  id: "sha256:6bb4735ae7d8e2a733451c8e4f33b6483c012a2b36e0002549068c9a56030b6a",
};

export interface KeepPersonData {
  readonly undoDeletion: {
    readonly errors: readonly Refusal[];
  } | null;
}

export interface KeepPersonVariables {
  readonly id: string;
}

export const KeepPerson: StudioDocument<KeepPersonData, KeepPersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation KeepPerson($id:ID!){undoDeletion(id:$id){errors{...Refusal}}}",
  id: "sha256:39648415c0a994fa381f3db7ab432100943f60ed7d38abf87d05729fbe98aec8",
};
