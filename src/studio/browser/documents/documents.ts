// Written by bin/studio-documents.js from the .graphql files beside it (npm run docs:studio).
import type { StudioDocument } from "../ports.ts";

export interface AuditFilter {
  readonly since?: string | null;
  readonly until?: string | null;
  readonly personId?: string | null;
  readonly clientId?: string | null;
  readonly event?: ("SIGN_IN" | "CONSENT" | "AUTHORIZATION" | "TOKEN" | "REVOCATION" | "INTROSPECTION" | "USERINFO" | "SIGN_OUT" | "SESSION" | "PASSWORD" | "PASSKEY" | "PERSON" | "CLIENT" | "WEBHOOK" | "KEYS" | "SET_UP" | "SIGN_UP" | "RECOVERY" | "INVITATION" | "EMAIL" | "MAIL" | "EXPORT" | "DELETION" | "STEP_UP" | "SECOND_STEP" | "RECOVERY_CODE" | "SCIM" | "UPSTREAM" | "LINK" | "AGENT" | "AUDIT") | null;
  readonly result?: ("OK" | "REFUSED" | "DENIED" | "LIMITED" | "REUSE" | "FAILED") | null;
  readonly address?: string | null;
  readonly requestId?: string | null;
}

export interface ClientFilter {
  readonly origin?: ("OPERATOR" | "PERSON" | "REGISTRATION" | "DOCUMENT") | null;
  readonly ownerId?: string | null;
  readonly search?: string | null;
  readonly state?: ("ACTIVE" | "DISABLED") | null;
}

export interface CreateClientInput {
  readonly name: string;
  readonly type?: ("PUBLIC" | "CONFIDENTIAL");
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly firstParty?: boolean;
  readonly dpopBound?: boolean;
  readonly idTokenAlgorithm?: ("ES256" | "RS256");
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly resourceServer?: string | null;
  readonly certificateSubject?: CertificateSubjectInput | null;
  readonly selfSigned?: boolean;
  readonly certificateBound?: boolean;
  readonly mustPush?: boolean;
  readonly mustSign?: boolean;
}

export interface UpdateClientInput {
  readonly name?: string | null;
  readonly redirectUris?: readonly string[] | null;
  readonly postLogoutRedirectUris?: readonly string[] | null;
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly firstParty?: boolean | null;
  readonly dpopBound?: boolean | null;
  readonly idTokenAlgorithm?: ("ES256" | "RS256") | null;
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly resourceServer?: string | null;
  readonly certificateSubject?: CertificateSubjectInput | null;
  readonly certificateBound?: boolean | null;
  readonly mustPush?: boolean | null;
  readonly mustSign?: boolean | null;
}

export interface CreateOwnClientInput {
  readonly name: string;
  readonly type?: ("PUBLIC" | "CONFIDENTIAL");
  readonly redirectUris?: readonly string[];
  readonly postLogoutRedirectUris?: readonly string[];
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly dpopBound?: boolean;
  readonly idTokenAlgorithm?: ("ES256" | "RS256");
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly mustPush?: boolean;
  readonly mustSign?: boolean;
}

export interface UpdateOwnClientInput {
  readonly name?: string | null;
  readonly redirectUris?: readonly string[] | null;
  readonly postLogoutRedirectUris?: readonly string[] | null;
  readonly backchannelLogoutUri?: string | null;
  readonly grantTypes?: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[] | null;
  readonly scopes?: readonly string[] | null;
  readonly dpopBound?: boolean | null;
  readonly idTokenAlgorithm?: ("ES256" | "RS256") | null;
  readonly jwks?: string | null;
  readonly jwksUri?: string | null;
  readonly assertionAlgorithm?: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly mustPush?: boolean | null;
  readonly mustSign?: boolean | null;
}

export interface RevertAgentChangesInput {
  readonly clientId: string;
  readonly personId?: string | null;
  readonly since: string;
  readonly until?: string | null;
  readonly isDryRun?: boolean;
}

export interface AccountFilter {
  readonly search?: string | null;
  readonly role?: ("MEMBER" | "EDITOR" | "ADMIN") | null;
  readonly state?: ("ACTIVE" | "DISABLED" | "DELETING" | "DELETED") | null;
}

export interface CreateAccountInput {
  readonly name: string;
  readonly email: string;
  readonly role?: ("MEMBER" | "EDITOR" | "ADMIN");
  readonly password?: string | null;
}

export interface InviteAccountInput {
  readonly email: string;
  readonly role?: ("MEMBER" | "EDITOR" | "ADMIN");
}

export interface PostFilter {
  readonly author?: string | null;
  readonly status?: readonly ("DRAFT" | "PUBLISHED" | "ARCHIVED")[] | null;
  readonly createdAt?: TimeRange | null;
  readonly updatedAt?: TimeRange | null;
  readonly isScheduled?: boolean | null;
  readonly publishAt?: TimeRange | null;
  readonly hasWorkingCopy?: boolean | null;
  readonly search?: string | null;
}

export interface PostOrder {
  readonly field: ("CREATED_AT" | "UPDATED_AT" | "PUBLISHED_AT" | "PUBLISH_AT" | "TITLE" | "RELEVANCE");
  readonly direction?: ("ASC" | "DESC");
}

export interface WorkingCopyInput {
  readonly title?: string | null;
  readonly body?: string | null;
  readonly slug?: string | null;
  readonly excerpt?: string | null;
}

export interface WebhookDeliveryFilter {
  readonly webhook?: string | null;
  readonly state?: ("PENDING" | "DELIVERED" | "FAILED") | null;
  readonly event?: ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED") | null;
  readonly post?: string | null;
  readonly since?: string | null;
  readonly until?: string | null;
}

export interface CreateWebhookInput {
  readonly url: string;
  readonly events?: readonly ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED")[] | null;
  readonly includesUnpublished?: boolean;
}

export interface UpdateWebhookInput {
  readonly url?: string | null;
  readonly events?: readonly ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED")[] | null;
  readonly includesUnpublished?: boolean | null;
}

export interface CertificateSubjectInput {
  readonly kind: ("SUBJECT_DN" | "SAN_DNS" | "SAN_URI" | "SAN_IP" | "SAN_EMAIL");
  readonly value: string;
}

export interface TimeRange {
  readonly from?: string | null;
  readonly until?: string | null;
}

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly event: ("SIGN_IN" | "CONSENT" | "AUTHORIZATION" | "TOKEN" | "REVOCATION" | "INTROSPECTION" | "USERINFO" | "SIGN_OUT" | "SESSION" | "PASSWORD" | "PASSKEY" | "PERSON" | "CLIENT" | "WEBHOOK" | "KEYS" | "SET_UP" | "SIGN_UP" | "RECOVERY" | "INVITATION" | "EMAIL" | "MAIL" | "EXPORT" | "DELETION" | "STEP_UP" | "SECOND_STEP" | "RECOVERY_CODE" | "SCIM" | "UPSTREAM" | "LINK" | "AGENT" | "AUDIT");
  readonly result: ("OK" | "REFUSED" | "DENIED" | "LIMITED" | "REUSE" | "FAILED");
  readonly personId: string | null;
  readonly clientId: string | null;
  readonly address: string | null;
  readonly actorId: string | null;
  readonly requestId: string | null;
  readonly detail: string | null;
  readonly actor: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  } | null;
  readonly person: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
  } | null;
  readonly client: {
    readonly id: string;
    readonly name: string;
  } | null;
}

export interface Changed {
  readonly post: {
    readonly id: string;
    readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
    readonly version: number;
  } | null;
  readonly errors: readonly Refusal[];
}

export interface Deleted {
  readonly deletedId: string | null;
  readonly errors: readonly Refusal[];
}

export interface ListedClient {
  readonly id: string;
  readonly name: string;
  readonly type: ("PUBLIC" | "CONFIDENTIAL");
  readonly origin: ("OPERATOR" | "PERSON" | "REGISTRATION" | "DOCUMENT");
  readonly scopes: readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledByOwner: boolean;
  readonly owner: {
    readonly id: string;
    readonly name: string;
    readonly isActive: boolean;
  } | null;
}

export type AdministeredClient = (ListedClient & {
  readonly hasSecret: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
  readonly firstParty: boolean;
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: ("ES256" | "RS256");
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly assertionAlgorithm: ("ES256" | "PS256" | "EdDSA" | "RS256") | null;
  readonly resourceServer: string | null;
  readonly certificateSubject: {
    readonly kind: ("SUBJECT_DN" | "SAN_DNS" | "SAN_URI" | "SAN_IP" | "SAN_EMAIL");
    readonly value: string;
  } | null;
  readonly selfSigned: boolean;
  readonly certificateBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly secrets: readonly {
    readonly id: string;
    readonly hint: string | null;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endedAt: string | null;
  }[];
});

export interface ChangedClient {
  readonly client: AdministeredClient | null;
  readonly errors: readonly Refusal[];
}

export interface ClientWithSecret {
  readonly client: AdministeredClient | null;
  readonly clientSecret: string | null;
  readonly errors: readonly Refusal[];
}

export interface OwnClientFacts {
  readonly id: string;
  readonly name: string;
  readonly type: ("PUBLIC" | "CONFIDENTIAL");
  readonly hasSecret: boolean;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
  readonly scopes: readonly string[];
  readonly dpopBound: boolean;
  readonly idTokenAlgorithm: ("ES256" | "RS256");
  readonly jwks: string | null;
  readonly jwksUri: string | null;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly disabledAt: string | null;
  readonly disabledByOwner: boolean;
  readonly secrets: readonly {
    readonly id: string;
    readonly hint: string | null;
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly endedAt: string | null;
  }[];
}

export interface ChangedOwnClient {
  readonly client: OwnClientFacts | null;
  readonly errors: readonly Refusal[];
}

export interface MadeOwnSecret {
  readonly client: OwnClientFacts | null;
  readonly clientSecret: string | null;
  readonly errors: readonly Refusal[];
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly field: string | null;
}

export interface KeyFacts {
  readonly kid: string;
  readonly algorithm: ("ES256" | "RS256");
  readonly state: ("NEXT" | "SIGNING" | "RETIRED" | "GONE");
  readonly createdAt: string;
  readonly signsFrom: string;
  readonly retiredAt: string | null;
  readonly publishedUntil: string | null;
}

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

export interface PostRow {
  readonly id: string;
  readonly title: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly wordCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
  } | null;
  readonly viewerCanUpdate: boolean;
  readonly workingCopy: {
    readonly title: string;
    readonly version: number;
    readonly updatedAt: string;
  } | null;
  readonly author: {
    readonly id: string;
    readonly name: string;
  };
}

export type PublishingTexts = (FactsOfPost & {
  readonly title: string;
  readonly body: string;
  readonly excerpt: string;
});

export interface PublishingCopy {
  readonly title: string;
  readonly body: string;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly version: number;
  readonly baseVersion: number;
}

export type PostWithCopy = (PublishingTexts & {
  readonly workingCopy: PublishingCopy | null;
});

export interface PublishedText {
  readonly post: PostWithCopy | null;
  readonly errors: readonly Refusal[];
}

export interface LinkOfPost {
  readonly id: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly lastUsedAt: string | null;
  readonly revision: string | null;
  readonly createdBy: {
    readonly name: string;
  } | null;
}

export interface HistoryEntry {
  readonly id: string;
  readonly version: number;
  readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
  readonly createdAt: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly title: string | null;
  readonly name: string | null;
  readonly clientId: string | null;
  readonly person: {
    readonly name: string;
  } | null;
}

export interface FactsOfPost {
  readonly id: string;
  readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
  readonly version: number;
  readonly slug: string;
  readonly url: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  readonly plannedUpdate: {
    readonly publishAt: string;
    readonly publishAtZone: string | null;
    readonly heldBecause: ("POST_CHANGED" | "SLUG_TAKEN") | null;
    readonly workingVersion: number;
    readonly baseVersion: number;
  } | null;
  readonly author: {
    readonly name: string;
  };
}

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

export interface AuditRowsData {
  readonly auditEntries: {
    readonly nodes: readonly AuditRow[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface AuditRowsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: AuditFilter | null;
}

export const AuditRows: StudioDocument<AuditRowsData, AuditRowsVariables> = {
  text: "fragment AuditRow on AuditEntry{id at event result personId clientId address actorId requestId detail actor{id name email}person{id name email}client{id name}}query AuditRows($first:Int!$after:String$filter:AuditFilter){auditEntries(first:$first after:$after filter:$filter){nodes{...AuditRow}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:d2c976c03bf161881740b6a4d9a519fabdaf1b49732a45081aaa335c8c1703fb",
};

export interface PersonIdByEmailData {
  readonly accountBy: {
    readonly id: string;
  } | null;
}

export interface PersonIdByEmailVariables {
  readonly email: string;
}

export const PersonIdByEmail: StudioDocument<PersonIdByEmailData, PersonIdByEmailVariables> = {
  text: "query PersonIdByEmail($email:String!){accountBy(by:{email:$email}){id}}",
  id: "sha256:12921dab543a7ad95d5479aa1109f78a57e551f2039f7fbd21ea3b2b41213cf4",
};

export interface PublishPostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface PublishPostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
  readonly [name: `working${number}`]: number;
}

export const PublishPosts: StudioDocument<PublishPostsData, PublishPostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation PublishPosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$working0:Int!=0$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$working1:Int!=0$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$working2:Int!=0$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$working3:Int!=0$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$working4:Int!=0$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$working5:Int!=0$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$working6:Int!=0$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$working7:Int!=0$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$working8:Int!=0$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$working9:Int!=0$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$working10:Int!=0$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$working11:Int!=0$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$working12:Int!=0$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$working13:Int!=0$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$working14:Int!=0$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$working15:Int!=0$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$working16:Int!=0$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$working17:Int!=0$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$working18:Int!=0$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false$working19:Int!=0){p0:applyWorkingCopy(id:$id0 workingVersion:$working0 expectedVersion:$version0 then:PUBLISH)@include(if:$on0){...Changed}p1:applyWorkingCopy(id:$id1 workingVersion:$working1 expectedVersion:$version1 then:PUBLISH)@include(if:$on1){...Changed}p2:applyWorkingCopy(id:$id2 workingVersion:$working2 expectedVersion:$version2 then:PUBLISH)@include(if:$on2){...Changed}p3:applyWorkingCopy(id:$id3 workingVersion:$working3 expectedVersion:$version3 then:PUBLISH)@include(if:$on3){...Changed}p4:applyWorkingCopy(id:$id4 workingVersion:$working4 expectedVersion:$version4 then:PUBLISH)@include(if:$on4){...Changed}p5:applyWorkingCopy(id:$id5 workingVersion:$working5 expectedVersion:$version5 then:PUBLISH)@include(if:$on5){...Changed}p6:applyWorkingCopy(id:$id6 workingVersion:$working6 expectedVersion:$version6 then:PUBLISH)@include(if:$on6){...Changed}p7:applyWorkingCopy(id:$id7 workingVersion:$working7 expectedVersion:$version7 then:PUBLISH)@include(if:$on7){...Changed}p8:applyWorkingCopy(id:$id8 workingVersion:$working8 expectedVersion:$version8 then:PUBLISH)@include(if:$on8){...Changed}p9:applyWorkingCopy(id:$id9 workingVersion:$working9 expectedVersion:$version9 then:PUBLISH)@include(if:$on9){...Changed}p10:applyWorkingCopy(id:$id10 workingVersion:$working10 expectedVersion:$version10 then:PUBLISH)@include(if:$on10){...Changed}p11:applyWorkingCopy(id:$id11 workingVersion:$working11 expectedVersion:$version11 then:PUBLISH)@include(if:$on11){...Changed}p12:applyWorkingCopy(id:$id12 workingVersion:$working12 expectedVersion:$version12 then:PUBLISH)@include(if:$on12){...Changed}p13:applyWorkingCopy(id:$id13 workingVersion:$working13 expectedVersion:$version13 then:PUBLISH)@include(if:$on13){...Changed}p14:applyWorkingCopy(id:$id14 workingVersion:$working14 expectedVersion:$version14 then:PUBLISH)@include(if:$on14){...Changed}p15:applyWorkingCopy(id:$id15 workingVersion:$working15 expectedVersion:$version15 then:PUBLISH)@include(if:$on15){...Changed}p16:applyWorkingCopy(id:$id16 workingVersion:$working16 expectedVersion:$version16 then:PUBLISH)@include(if:$on16){...Changed}p17:applyWorkingCopy(id:$id17 workingVersion:$working17 expectedVersion:$version17 then:PUBLISH)@include(if:$on17){...Changed}p18:applyWorkingCopy(id:$id18 workingVersion:$working18 expectedVersion:$version18 then:PUBLISH)@include(if:$on18){...Changed}p19:applyWorkingCopy(id:$id19 workingVersion:$working19 expectedVersion:$version19 then:PUBLISH)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:ccd8593323791288d82ac0959ea7ec5c240bd930b1f99f13f6ede2749e113a6d",
};

export interface UnpublishPostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface UnpublishPostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const UnpublishPosts: StudioDocument<UnpublishPostsData, UnpublishPostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation UnpublishPosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:unpublishPost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Changed}p1:unpublishPost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Changed}p2:unpublishPost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Changed}p3:unpublishPost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Changed}p4:unpublishPost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Changed}p5:unpublishPost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Changed}p6:unpublishPost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Changed}p7:unpublishPost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Changed}p8:unpublishPost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Changed}p9:unpublishPost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Changed}p10:unpublishPost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Changed}p11:unpublishPost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Changed}p12:unpublishPost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Changed}p13:unpublishPost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Changed}p14:unpublishPost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Changed}p15:unpublishPost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Changed}p16:unpublishPost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Changed}p17:unpublishPost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Changed}p18:unpublishPost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Changed}p19:unpublishPost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:b677ba5f7ac8b90c0efde29c3192c3561de7b421505e8e6a503f28a7af1f9f25",
};

export interface ArchivePostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface ArchivePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const ArchivePosts: StudioDocument<ArchivePostsData, ArchivePostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation ArchivePosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:archivePost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Changed}p1:archivePost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Changed}p2:archivePost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Changed}p3:archivePost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Changed}p4:archivePost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Changed}p5:archivePost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Changed}p6:archivePost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Changed}p7:archivePost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Changed}p8:archivePost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Changed}p9:archivePost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Changed}p10:archivePost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Changed}p11:archivePost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Changed}p12:archivePost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Changed}p13:archivePost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Changed}p14:archivePost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Changed}p15:archivePost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Changed}p16:archivePost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Changed}p17:archivePost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Changed}p18:archivePost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Changed}p19:archivePost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:d8e56747d8e2187db3b3e2b1e7849a1bcc9d99ee9fc42d2f2e7ff9fe40e0047b",
};

export interface DeletePostsData {
  readonly p0?: Deleted | null;
  readonly p1?: Deleted | null;
  readonly p2?: Deleted | null;
  readonly p3?: Deleted | null;
  readonly p4?: Deleted | null;
  readonly p5?: Deleted | null;
  readonly p6?: Deleted | null;
  readonly p7?: Deleted | null;
  readonly p8?: Deleted | null;
  readonly p9?: Deleted | null;
  readonly p10?: Deleted | null;
  readonly p11?: Deleted | null;
  readonly p12?: Deleted | null;
  readonly p13?: Deleted | null;
  readonly p14?: Deleted | null;
  readonly p15?: Deleted | null;
  readonly p16?: Deleted | null;
  readonly p17?: Deleted | null;
  readonly p18?: Deleted | null;
  readonly p19?: Deleted | null;
}

export interface DeletePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `version${number}`]: number;
  readonly [name: `on${number}`]: boolean;
}

export const DeletePosts: StudioDocument<DeletePostsData, DeletePostsVariables> = {
  text: "fragment Deleted on DeletedPostPayload{deletedId errors{...Refusal}}mutation DeletePosts($id0:ID!=\"\"$version0:Int!=0$on0:Boolean!=false$id1:ID!=\"\"$version1:Int!=0$on1:Boolean!=false$id2:ID!=\"\"$version2:Int!=0$on2:Boolean!=false$id3:ID!=\"\"$version3:Int!=0$on3:Boolean!=false$id4:ID!=\"\"$version4:Int!=0$on4:Boolean!=false$id5:ID!=\"\"$version5:Int!=0$on5:Boolean!=false$id6:ID!=\"\"$version6:Int!=0$on6:Boolean!=false$id7:ID!=\"\"$version7:Int!=0$on7:Boolean!=false$id8:ID!=\"\"$version8:Int!=0$on8:Boolean!=false$id9:ID!=\"\"$version9:Int!=0$on9:Boolean!=false$id10:ID!=\"\"$version10:Int!=0$on10:Boolean!=false$id11:ID!=\"\"$version11:Int!=0$on11:Boolean!=false$id12:ID!=\"\"$version12:Int!=0$on12:Boolean!=false$id13:ID!=\"\"$version13:Int!=0$on13:Boolean!=false$id14:ID!=\"\"$version14:Int!=0$on14:Boolean!=false$id15:ID!=\"\"$version15:Int!=0$on15:Boolean!=false$id16:ID!=\"\"$version16:Int!=0$on16:Boolean!=false$id17:ID!=\"\"$version17:Int!=0$on17:Boolean!=false$id18:ID!=\"\"$version18:Int!=0$on18:Boolean!=false$id19:ID!=\"\"$version19:Int!=0$on19:Boolean!=false){p0:deletePost(id:$id0 expectedVersion:$version0)@include(if:$on0){...Deleted}p1:deletePost(id:$id1 expectedVersion:$version1)@include(if:$on1){...Deleted}p2:deletePost(id:$id2 expectedVersion:$version2)@include(if:$on2){...Deleted}p3:deletePost(id:$id3 expectedVersion:$version3)@include(if:$on3){...Deleted}p4:deletePost(id:$id4 expectedVersion:$version4)@include(if:$on4){...Deleted}p5:deletePost(id:$id5 expectedVersion:$version5)@include(if:$on5){...Deleted}p6:deletePost(id:$id6 expectedVersion:$version6)@include(if:$on6){...Deleted}p7:deletePost(id:$id7 expectedVersion:$version7)@include(if:$on7){...Deleted}p8:deletePost(id:$id8 expectedVersion:$version8)@include(if:$on8){...Deleted}p9:deletePost(id:$id9 expectedVersion:$version9)@include(if:$on9){...Deleted}p10:deletePost(id:$id10 expectedVersion:$version10)@include(if:$on10){...Deleted}p11:deletePost(id:$id11 expectedVersion:$version11)@include(if:$on11){...Deleted}p12:deletePost(id:$id12 expectedVersion:$version12)@include(if:$on12){...Deleted}p13:deletePost(id:$id13 expectedVersion:$version13)@include(if:$on13){...Deleted}p14:deletePost(id:$id14 expectedVersion:$version14)@include(if:$on14){...Deleted}p15:deletePost(id:$id15 expectedVersion:$version15)@include(if:$on15){...Deleted}p16:deletePost(id:$id16 expectedVersion:$version16)@include(if:$on16){...Deleted}p17:deletePost(id:$id17 expectedVersion:$version17)@include(if:$on17){...Deleted}p18:deletePost(id:$id18 expectedVersion:$version18)@include(if:$on18){...Deleted}p19:deletePost(id:$id19 expectedVersion:$version19)@include(if:$on19){...Deleted}}fragment Refusal on UserError{code message field}",
  id: "sha256:38ff6ffbeaca421b677b06527ee1ae62de4f611dc56be3035379abeabd7b289f",
};

export interface ListClientsData {
  readonly clients: readonly ListedClient[];
}

export interface ListClientsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: ClientFilter | null;
}

export const ListClients: StudioDocument<ListClientsData, ListClientsVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}query ListClients($first:Int!$after:ID$filter:ClientFilter){clients(first:$first after:$after filter:$filter){...ListedClient}}",
  id: "sha256:a558d710113235e2c1bc53e1667822e798dd09744060b3058e03dd02e8f88188",
};

export interface ReadClientData {
  readonly client: AdministeredClient | null;
}

export interface ReadClientVariables {
  readonly id: string;
}

export const ReadClient: StudioDocument<ReadClientData, ReadClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}query ReadClient($id:ID!){client(id:$id){...AdministeredClient}}",
  id: "sha256:d5880e4ebcd44a130914f410833e2f733dfd94eb1383cf97d62d75a0ee4cddf4",
};

export interface CreateClientData {
  readonly createClient: ClientWithSecret | null;
}

export interface CreateClientVariables {
  readonly input: CreateClientInput;
}

export const CreateClient: StudioDocument<CreateClientData, CreateClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation CreateClient($input:CreateClientInput!){createClient(input:$input){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:2af31c95cb31942ea7ab11172ef90a2412a084679851204f2fdf6a59b4e64f7a",
};

export interface UpdateClientData {
  readonly updateClient: ChangedClient | null;
}

export interface UpdateClientVariables {
  readonly id: string;
  readonly input: UpdateClientInput;
}

export const UpdateClient: StudioDocument<UpdateClientData, UpdateClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation UpdateClient($id:ID!$input:UpdateClientInput!){updateClient(id:$id input:$input){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:c4657769936209a173c7b63139a9d2a7f2f58c6148831eed7b3bd6679130f806",
};

export interface DisableClientData {
  readonly disableClient: ChangedClient | null;
}

export interface DisableClientVariables {
  readonly id: string;
}

export const DisableClient: StudioDocument<DisableClientData, DisableClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation DisableClient($id:ID!){disableClient(id:$id){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:9069ceacb5660c80a22b5170f6d6a72817d61ec16130b878c70f562ed776a8ce",
};

export interface EnableClientData {
  readonly enableClient: ChangedClient | null;
}

export interface EnableClientVariables {
  readonly id: string;
}

export const EnableClient: StudioDocument<EnableClientData, EnableClientVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation EnableClient($id:ID!){enableClient(id:$id){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:c1bc84c8aeb69b1d3bec3c112dba8269ac30db67e621ed1c6e56a547f61d45c2",
};

export interface DeleteClientData {
  readonly deleteClient: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteClientVariables {
  readonly id: string;
}

export const DeleteClient: StudioDocument<DeleteClientData, DeleteClientVariables> = {
  text: "mutation DeleteClient($id:ID!){deleteClient(id:$id){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:723f96a4d29c2ac9a033cd84581325e371a7c60d6ea623b5175131f0544e4c39",
};

export interface EndClientTokensData {
  readonly endClientTokens: {
    readonly isComplete: boolean | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface EndClientTokensVariables {
  readonly id: string;
}

export const EndClientTokens: StudioDocument<EndClientTokensData, EndClientTokensVariables> = {
  text: "mutation EndClientTokens($id:ID!){endClientTokens(id:$id){isComplete errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:8d18b08286993ccbeda261768c767a9ebaf392b9f17ce1f5fe7ce3eda64e5dc5",
};

export interface AddClientSecretData {
  readonly addClientSecret: ClientWithSecret | null;
}

export interface AddClientSecretVariables {
  readonly id: string;
}

export const AddClientSecret: StudioDocument<AddClientSecretData, AddClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation AddClientSecret($id:ID!){addClientSecret(id:$id){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:84556a37956e145dc17a06231f0926e550c8e0260824bf4053e27a808b101250",
};

export interface RotateClientSecretData {
  readonly rotateClientSecret: ClientWithSecret | null;
}

export interface RotateClientSecretVariables {
  readonly id: string;
}

export const RotateClientSecret: StudioDocument<RotateClientSecretData, RotateClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ClientWithSecret on ClientSecretPayload{client{...AdministeredClient}clientSecret errors{...Refusal}}mutation RotateClientSecret($id:ID!){rotateClientSecret(id:$id){...ClientWithSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:ce2cf2837083f4aaa2ee930d1cea30717ae78b0005623e52ef4cfd66106077f0",
};

export interface EndClientSecretData {
  readonly endClientSecret: ChangedClient | null;
}

export interface EndClientSecretVariables {
  readonly id: string;
  readonly secret: string;
}

export const EndClientSecret: StudioDocument<EndClientSecretData, EndClientSecretVariables> = {
  text: "fragment ListedClient on Client{id name type origin scopes createdAt lastUsedAt disabledAt disabledByOwner owner{id name isActive}}fragment AdministeredClient on Client{...ListedClient hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes firstParty dpopBound idTokenAlgorithm jwks jwksUri assertionAlgorithm resourceServer certificateSubject{kind value}selfSigned certificateBound mustPush mustSign secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedClient on ClientPayload{client{...AdministeredClient}errors{...Refusal}}mutation EndClientSecret($id:ID!$secret:ID!){endClientSecret(id:$id secret:$secret){...ChangedClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:3b3daf060b1d8f0f7d7e7453fb0ec65184400586e7e6417e3e1daaf4a48ea9e1",
};

export interface DeletedPostsData {
  readonly deletedPosts: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
      readonly deletedAt: string;
      readonly author: {
        readonly id: string;
        readonly name: string;
      };
      readonly deletedBy: {
        readonly id: string;
        readonly name: string;
      } | null;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface DeletedPostsVariables {
  readonly first: number;
  readonly after?: string | null;
}

export const DeletedPosts: StudioDocument<DeletedPostsData, DeletedPostsVariables> = {
  text: "query DeletedPosts($first:Int!$after:String){deletedPosts(first:$first after:$after){nodes{id title status deletedAt author{id name}deletedBy{id name}}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:6792eb27078fce94bd339b943743770f1e65d38ef7b8e5a2d01f199908f81353",
};

export interface RestorePostData {
  readonly restoreDeletedPost: Changed | null;
}

export interface RestorePostVariables {
  readonly id: string;
}

export const RestorePost: StudioDocument<RestorePostData, RestorePostVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation RestorePost($id:ID!){restoreDeletedPost(id:$id){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:662f98dbb767947d0d4588e25b00c8a1309c33137ccb355f6d4923d049c560a0",
};

export interface RestorePostsData {
  readonly p0?: Changed | null;
  readonly p1?: Changed | null;
  readonly p2?: Changed | null;
  readonly p3?: Changed | null;
  readonly p4?: Changed | null;
  readonly p5?: Changed | null;
  readonly p6?: Changed | null;
  readonly p7?: Changed | null;
  readonly p8?: Changed | null;
  readonly p9?: Changed | null;
  readonly p10?: Changed | null;
  readonly p11?: Changed | null;
  readonly p12?: Changed | null;
  readonly p13?: Changed | null;
  readonly p14?: Changed | null;
  readonly p15?: Changed | null;
  readonly p16?: Changed | null;
  readonly p17?: Changed | null;
  readonly p18?: Changed | null;
  readonly p19?: Changed | null;
}

export interface RestorePostsVariables {
  readonly [name: `id${number}`]: string;
  readonly [name: `on${number}`]: boolean;
}

export const RestorePosts: StudioDocument<RestorePostsData, RestorePostsVariables> = {
  text: "fragment Changed on PostPayload{post{id status version}errors{...Refusal}}mutation RestorePosts($id0:ID!=\"\"$on0:Boolean!=false$id1:ID!=\"\"$on1:Boolean!=false$id2:ID!=\"\"$on2:Boolean!=false$id3:ID!=\"\"$on3:Boolean!=false$id4:ID!=\"\"$on4:Boolean!=false$id5:ID!=\"\"$on5:Boolean!=false$id6:ID!=\"\"$on6:Boolean!=false$id7:ID!=\"\"$on7:Boolean!=false$id8:ID!=\"\"$on8:Boolean!=false$id9:ID!=\"\"$on9:Boolean!=false$id10:ID!=\"\"$on10:Boolean!=false$id11:ID!=\"\"$on11:Boolean!=false$id12:ID!=\"\"$on12:Boolean!=false$id13:ID!=\"\"$on13:Boolean!=false$id14:ID!=\"\"$on14:Boolean!=false$id15:ID!=\"\"$on15:Boolean!=false$id16:ID!=\"\"$on16:Boolean!=false$id17:ID!=\"\"$on17:Boolean!=false$id18:ID!=\"\"$on18:Boolean!=false$id19:ID!=\"\"$on19:Boolean!=false){p0:restoreDeletedPost(id:$id0)@include(if:$on0){...Changed}p1:restoreDeletedPost(id:$id1)@include(if:$on1){...Changed}p2:restoreDeletedPost(id:$id2)@include(if:$on2){...Changed}p3:restoreDeletedPost(id:$id3)@include(if:$on3){...Changed}p4:restoreDeletedPost(id:$id4)@include(if:$on4){...Changed}p5:restoreDeletedPost(id:$id5)@include(if:$on5){...Changed}p6:restoreDeletedPost(id:$id6)@include(if:$on6){...Changed}p7:restoreDeletedPost(id:$id7)@include(if:$on7){...Changed}p8:restoreDeletedPost(id:$id8)@include(if:$on8){...Changed}p9:restoreDeletedPost(id:$id9)@include(if:$on9){...Changed}p10:restoreDeletedPost(id:$id10)@include(if:$on10){...Changed}p11:restoreDeletedPost(id:$id11)@include(if:$on11){...Changed}p12:restoreDeletedPost(id:$id12)@include(if:$on12){...Changed}p13:restoreDeletedPost(id:$id13)@include(if:$on13){...Changed}p14:restoreDeletedPost(id:$id14)@include(if:$on14){...Changed}p15:restoreDeletedPost(id:$id15)@include(if:$on15){...Changed}p16:restoreDeletedPost(id:$id16)@include(if:$on16){...Changed}p17:restoreDeletedPost(id:$id17)@include(if:$on17){...Changed}p18:restoreDeletedPost(id:$id18)@include(if:$on18){...Changed}p19:restoreDeletedPost(id:$id19)@include(if:$on19){...Changed}}fragment Refusal on UserError{code message field}",
  id: "sha256:f6f99a294b9d44e4e9de0ab5359d97a57f4993124aee6d8ef003dd36f6c50533",
};

export interface OwnClientListData {
  readonly ownClients: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: ("PUBLIC" | "CONFIDENTIAL");
    readonly grantTypes: readonly ("AUTHORIZATION_CODE" | "REFRESH_TOKEN" | "CLIENT_CREDENTIALS" | "DEVICE_CODE")[];
    readonly redirectUris: readonly string[];
    readonly createdAt: string;
    readonly lastUsedAt: string | null;
    readonly disabledAt: string | null;
    readonly disabledByOwner: boolean;
  }[];
}

export type OwnClientListVariables = Record<string, never>;

export const OwnClientList: StudioDocument<OwnClientListData, OwnClientListVariables> = {
  text: "query OwnClientList{ownClients{id name type grantTypes redirectUris createdAt lastUsedAt disabledAt disabledByOwner}}",
  id: "sha256:54cb91795e89fa3c11eac0f9911b72f7f696cee035077ba15c990b2c5f1f547b",
};

export interface OwnClientPageData {
  readonly ownClients: readonly OwnClientFacts[];
  readonly ownClientProblems: readonly {
    readonly id: string;
    readonly at: string;
    readonly message: string;
    readonly requestId: string | null;
  }[];
}

export interface OwnClientPageVariables {
  readonly id: string;
}

export const OwnClientPage: StudioDocument<OwnClientPageData, OwnClientPageVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}query OwnClientPage($id:ID!){ownClients{...OwnClientFacts}ownClientProblems(id:$id first:20){id at message requestId}}",
  id: "sha256:000f95fd858614fa9d9133ec750ac47aada5e6f75bdef83a28edc2b528191490",
};

export interface CreateOwnClientData {
  readonly createOwnClient: MadeOwnSecret | null;
}

export interface CreateOwnClientVariables {
  readonly input: CreateOwnClientInput;
}

export const CreateOwnClient: StudioDocument<CreateOwnClientData, CreateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation CreateOwnClient($input:CreateOwnClientInput!){createOwnClient(input:$input){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:607de3686c51a27cb9832e901e99e50eab58be626c4a5c9ebb3a20879cbffb74",
};

export interface UpdateOwnClientData {
  readonly updateOwnClient: ChangedOwnClient | null;
}

export interface UpdateOwnClientVariables {
  readonly id: string;
  readonly input: UpdateOwnClientInput;
}

export const UpdateOwnClient: StudioDocument<UpdateOwnClientData, UpdateOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation UpdateOwnClient($id:ID!$input:UpdateOwnClientInput!){updateOwnClient(id:$id input:$input){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:fbc24f9af3ba1fc345366e1f02a710af56d3480c2f603e773c3c944321b85c61",
};

export interface DeleteOwnClientData {
  readonly deleteOwnClient: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeleteOwnClientVariables {
  readonly id: string;
}

export const DeleteOwnClient: StudioDocument<DeleteOwnClientData, DeleteOwnClientVariables> = {
  text: "mutation DeleteOwnClient($id:ID!){deleteOwnClient(id:$id){deletedId errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:5d0f7e6f0a60cd46e0bdcc6623056c528cd9bedf7f169fb608d608ebe50b0c6d",
};

export interface AddOwnClientSecretData {
  readonly addOwnClientSecret: MadeOwnSecret | null;
}

export interface AddOwnClientSecretVariables {
  readonly id: string;
}

export const AddOwnClientSecret: StudioDocument<AddOwnClientSecretData, AddOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment MadeOwnSecret on ClientSecretPayload{client{...OwnClientFacts}clientSecret errors{...Refusal}}mutation AddOwnClientSecret($id:ID!){addOwnClientSecret(id:$id){...MadeOwnSecret}}fragment Refusal on UserError{code message field}",
  id: "sha256:5efb8084f8d912d648e0da84a320360ea8c462ecfa61b473367804a6ca6c958d",
};

export interface EndOwnClientSecretData {
  readonly endOwnClientSecret: ChangedOwnClient | null;
}

export interface EndOwnClientSecretVariables {
  readonly id: string;
  readonly secret: string;
}

export const EndOwnClientSecret: StudioDocument<EndOwnClientSecretData, EndOwnClientSecretVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EndOwnClientSecret($id:ID!$secret:ID!){endOwnClientSecret(id:$id secret:$secret){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:f9f682ffc18c23f2c3dfc6297a6bf875bdd1fe285fc19114fc7a27731f7ac0c3",
};

export interface DisableOwnClientData {
  readonly disableOwnClient: ChangedOwnClient | null;
}

export interface DisableOwnClientVariables {
  readonly id: string;
}

export const DisableOwnClient: StudioDocument<DisableOwnClientData, DisableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation DisableOwnClient($id:ID!){disableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:931a98091bc58ed510582ca2746036248ef7d8c926d97fab06a54168dcf7a08d",
};

export interface EnableOwnClientData {
  readonly enableOwnClient: ChangedOwnClient | null;
}

export interface EnableOwnClientVariables {
  readonly id: string;
}

export const EnableOwnClient: StudioDocument<EnableOwnClientData, EnableOwnClientVariables> = {
  text: "fragment OwnClientFacts on Client{id name type hasSecret redirectUris postLogoutRedirectUris backchannelLogoutUri grantTypes scopes dpopBound idTokenAlgorithm jwks jwksUri mustPush mustSign createdAt lastUsedAt disabledAt disabledByOwner secrets{id hint createdAt lastUsedAt endedAt}}fragment ChangedOwnClient on ClientPayload{client{...OwnClientFacts}errors{...Refusal}}mutation EnableOwnClient($id:ID!){enableOwnClient(id:$id){...ChangedOwnClient}}fragment Refusal on UserError{code message field}",
  id: "sha256:6858ece82b21068cc1c117ae988fd71de657b86c9a25053b517d46f399683c32",
};

export interface StartClientTrialData {
  readonly startClientTrial: {
    readonly client: {
      readonly trialUntil: string | null;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface StartClientTrialVariables {
  readonly id: string;
}

export const StartClientTrial: StudioDocument<StartClientTrialData, StartClientTrialVariables> = {
  text: "mutation StartClientTrial($id:ID!){startClientTrial(id:$id){client{trialUntil}errors{...Refusal}}}fragment Refusal on UserError{code message field}",
  id: "sha256:41cdada7804fbde0b0c614b4634601193b4e3c8b953457d8023817da8dd5e832",
};

export interface PostEventsData {
  readonly postEvents: {
    readonly id: string;
    readonly type: ("CREATED" | "UPDATED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "DELETED");
    readonly postId: string;
    readonly post: {
      readonly version: number;
    } | null;
  };
}

export interface PostEventsVariables {
  readonly after?: string | null;
}

export const PostEvents: StudioDocument<PostEventsData, PostEventsVariables> = {
  text: "subscription PostEvents($after:ID){postEvents(after:$after){id type postId post{version}}}",
  id: "sha256:cfaabf673188672f1a7bd21f8a15d2a0695c7e9b9d49011aed400f2b92d5064f",
};

export interface StartData {
  readonly viewer: {
    readonly id: string;
    readonly name: string;
  } | null;
  readonly viewerRole: ("MEMBER" | "EDITOR" | "ADMIN") | null;
  readonly serverInfo: {
    readonly operatorName: string;
    readonly maxRequestBytes: number;
    readonly maxTitleLength: number;
    readonly maxBodyLength: number;
    readonly timeZone: string;
    readonly postUrl: string | null;
    readonly revisionDays: number;
    readonly deletedDays: number;
    readonly clientsBy: ("ADMINS" | "PEOPLE");
    readonly build: string;
  };
}

export type StartVariables = Record<string, never>;

export const Start: StudioDocument<StartData, StartVariables> = {
  text: "query Start{viewer{id name}viewerRole serverInfo{operatorName maxRequestBytes maxTitleLength maxBodyLength timeZone postUrl revisionDays deletedDays clientsBy build}}",
  id: "sha256:d73cdef1b0606d2135fed23303b5787d0a17fb8866d986af3df5e6507270cd31",
};

export interface FindData {
  readonly accounts?: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      readonly email: string;
    }[];
  };
  readonly clients?: readonly {
    readonly id: string;
    readonly name: string;
  }[];
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: {
        readonly id: string;
        readonly title: string;
        readonly status: ("DRAFT" | "PUBLISHED" | "ARCHIVED");
      };
    }[];
  };
}

export interface FindVariables {
  readonly search: string;
  readonly name: string;
  readonly isAdministrator: boolean;
}

export const Find: StudioDocument<FindData, FindVariables> = {
  text: "query Find($search:String!$name:String!$isAdministrator:Boolean!){accounts(first:5 filter:{search:$name})@include(if:$isAdministrator){nodes{id name email}}clients(first:5 filter:{search:$name})@include(if:$isAdministrator){id name}postsConnection(first:8 filter:{search:$search status:[DRAFT PUBLISHED ARCHIVED]}){edges{highlight node{id title status}}}}",
  id: "sha256:7625a67789bf7d173a5bf7ce2290a802789a1bbcdb9271e0ca88a0d0d0e55d10",
};

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

export interface ListPeopleData {
  readonly accounts: {
    readonly nodes: readonly {
      readonly id: string;
      readonly name: string;
      readonly email: string;
      readonly role: ("MEMBER" | "EDITOR" | "ADMIN");
      readonly state: ("ACTIVE" | "DISABLED" | "DELETING" | "DELETED");
      readonly secondStep: boolean;
      readonly signInMethods: readonly ("PASSWORD" | "PASSKEY" | "UPSTREAM")[];
      readonly lastSignInAt: string | null;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

export interface ListPeopleVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter?: AccountFilter | null;
}

export const ListPeople: StudioDocument<ListPeopleData, ListPeopleVariables> = {
  text: "query ListPeople($first:Int!$after:String$filter:AccountFilter){accounts(first:$first after:$after filter:$filter){nodes{id name email role state secondStep signInMethods lastSignInAt}pageInfo{hasNextPage endCursor}}}",
  id: "sha256:06be4310a648c27c11b09b9070f08074cfccb9ae088a45ed6013a0b0fddea55b",
};

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

export interface AddPersonData {
  readonly createAccount: {
    readonly account: {
      readonly id: string;
      readonly name: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface AddPersonVariables {
  readonly input: CreateAccountInput;
}

export const AddPerson: StudioDocument<AddPersonData, AddPersonVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation AddPerson($input:CreateAccountInput!){createAccount(input:$input){account{id name}errors{...Refusal}}}",
  id: "sha256:2b0a54d12968de20a34a43a1fafb8d78b811d7c6dbb5415620f962958ee2ec7e",
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

export interface PostsData {
  readonly postsConnection: {
    readonly edges: readonly {
      readonly highlight: string | null;
      readonly node: PostRow;
    }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly endCursor: string | null;
    };
  };
  readonly author?: {
    readonly name: string;
  } | null;
}

export interface PostsVariables {
  readonly first: number;
  readonly after?: string | null;
  readonly filter: PostFilter;
  readonly orderBy?: PostOrder | null;
  readonly author: string;
  readonly hasAuthor: boolean;
}

export const Posts: StudioDocument<PostsData, PostsVariables> = {
  text: "query Posts($first:Int!$after:String$filter:PostFilter!$orderBy:PostOrder$author:ID!$hasAuthor:Boolean!){postsConnection(first:$first after:$after filter:$filter orderBy:$orderBy){edges{highlight node{...PostRow}}pageInfo{hasNextPage endCursor}}author:user(id:$author)@include(if:$hasAuthor){name}}fragment PostRow on Post{id title status version wordCount createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt heldBecause}viewerCanUpdate workingCopy{title version updatedAt}author{id name}}",
  id: "sha256:769576477711f50686bb6cf9f4844c902ba0f697403467ebc387b7d5a554ccfb",
};

export interface AnnounceEditingData {
  readonly announceEditing: boolean | null;
}

export interface AnnounceEditingVariables {
  readonly id: string;
}

export const AnnounceEditing: StudioDocument<AnnounceEditingData, AnnounceEditingVariables> = {
  text: "mutation AnnounceEditing($id:ID!){announceEditing(id:$id)}",
  id: "sha256:1d9703edacda73d6ba12d98e185ffc77aa0fcfead0a1a21603465892ec381f7c",
};

export interface WorkingCopyEventsData {
  readonly workingCopyEvents: {
    readonly workingVersion: number;
    readonly editing: readonly {
      readonly name: string;
    }[];
  };
}

export interface WorkingCopyEventsVariables {
  readonly post: string;
}

export const WorkingCopyEvents: StudioDocument<WorkingCopyEventsData, WorkingCopyEventsVariables> = {
  text: "subscription WorkingCopyEvents($post:ID!){workingCopyEvents(post:$post){workingVersion editing{name}}}",
  id: "sha256:58b578f9c4d945a6a233d13d3cf631f03f075796d4c918e20448b30bc727cbd8",
};

export interface PostNowData {
  readonly post: PostWithCopy | null;
}

export interface PostNowVariables {
  readonly id: string;
}

export const PostNow: StudioDocument<PostNowData, PostNowVariables> = {
  text: "fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}query PostNow($id:ID!){post(id:$id){...PostWithCopy}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:b131dce5601baf9ab5c65b310fb74a3d5586066eab6395c5c157f66cc73c0b2f",
};

export interface SlugOwnerData {
  readonly postBySlug: {
    readonly id: string;
    readonly title: string;
    readonly slug: string;
  } | null;
}

export interface SlugOwnerVariables {
  readonly slug: string;
}

export const SlugOwner: StudioDocument<SlugOwnerData, SlugOwnerVariables> = {
  text: "query SlugOwner($slug:String!){postBySlug(slug:$slug){id title slug}}",
  id: "sha256:b34c89da06764af940e6d246424ac2477d6408edfe0297db572feb735efd0633",
};

export interface RenderedData {
  readonly renderMarkdown: {
    readonly bodyHtml: string;
    readonly excerpt: string;
    readonly wordCount: number;
    readonly slug: string | null;
  };
}

export interface RenderedVariables {
  readonly markdown: string;
  readonly title?: string | null;
}

export const Rendered: StudioDocument<RenderedData, RenderedVariables> = {
  text: "query Rendered($markdown:String!$title:String){renderMarkdown(markdown:$markdown title:$title){bodyHtml excerpt wordCount slug}}",
  id: "sha256:563f627ae82f75bb267470722b74057408d3cd3cbc1af2444a5dbfe2ec64cf71",
};

export interface ApplyTextData {
  readonly applyWorkingCopy: PublishedText | null;
}

export interface ApplyTextVariables {
  readonly id: string;
  readonly workingVersion: number;
  readonly expectedVersion: number;
  readonly then: ("STAY" | "PUBLISH");
  readonly publishAt?: string | null;
  readonly publishAtZone?: string | null;
}

export const ApplyText: StudioDocument<ApplyTextData, ApplyTextVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation ApplyText($id:ID!$workingVersion:Int!$expectedVersion:Int!$then:AfterApply!$publishAt:String$publishAtZone:String){applyWorkingCopy(id:$id workingVersion:$workingVersion expectedVersion:$expectedVersion then:$then publishAt:$publishAt publishAtZone:$publishAtZone){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:348155d66a0563cfab61c71690d8713bf9e03775a9dc7408942743c48529e040",
};

export interface DiscardTextData {
  readonly discardWorkingCopy: {
    readonly post: PublishingTexts | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DiscardTextVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const DiscardText: StudioDocument<DiscardTextData, DiscardTextVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}mutation DiscardText($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true){post{...PublishingTexts}errors{...Refusal}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:79065bc46e363309752696e223ceac341136e20316968645ab054287ee69f5f6",
};

export interface UnscheduleData {
  readonly updatePost: PublishedText | null;
}

export interface UnscheduleVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unschedule: StudioDocument<UnscheduleData, UnscheduleVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unschedule($id:ID!$expectedVersion:Int!){updatePost(id:$id input:{publishAt:null}expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:e64a96e81aabdd0d20113d483f27c8e9126bf05af376d03274c616439ee6a866",
};

export interface PlannedTextData {
  readonly post: {
    readonly plannedUpdate: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
    } | null;
  } | null;
}

export interface PlannedTextVariables {
  readonly id: string;
}

export const PlannedText: StudioDocument<PlannedTextData, PlannedTextVariables> = {
  text: "query PlannedText($id:ID!){post(id:$id){plannedUpdate{title body slug excerpt}}}",
  id: "sha256:6bb46cfaba565d1c2cc323a6d3dc8cefc2151017f3c751dd7d7a04ed96c22cf9",
};

export interface CancelUpdateData {
  readonly cancelPlannedUpdate: {
    readonly post: (PublishingTexts & {
      readonly workingCopy: PublishingCopy | null;
    }) | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CancelUpdateVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const CancelUpdate: StudioDocument<CancelUpdateData, CancelUpdateVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}mutation CancelUpdate($id:ID!$expectedVersion:Int!){cancelPlannedUpdate(id:$id expectedVersion:$expectedVersion){post{...PublishingTexts workingCopy{...PublishingCopy}}errors{...Refusal}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:872e98fb013a3f9b7a4f8c7b2eda8706572805567f0e252e88c38f297dccd32d",
};

export interface UnpublishData {
  readonly unpublishPost: PublishedText | null;
}

export interface UnpublishVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Unpublish: StudioDocument<UnpublishData, UnpublishVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Unpublish($id:ID!$expectedVersion:Int!){unpublishPost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:ace1205075630de5182e9cefb9c39d9084b091e54cefc1ce38876b1dce866f2d",
};

export interface ArchiveData {
  readonly archivePost: PublishedText | null;
}

export interface ArchiveVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const Archive: StudioDocument<ArchiveData, ArchiveVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}fragment PostWithCopy on Post{...PublishingTexts workingCopy{...PublishingCopy}}fragment PublishedText on PostPayload{post{...PostWithCopy}errors{...Refusal}}mutation Archive($id:ID!$expectedVersion:Int!){archivePost(id:$id expectedVersion:$expectedVersion){...PublishedText}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:6752900c21ec7980823a68b5e67cfc9af3e04ed58522c91013773954dbeb8dea",
};

export interface DeletePostData {
  readonly deletePost: {
    readonly deletedId: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface DeletePostVariables {
  readonly id: string;
  readonly expectedVersion: number;
}

export const DeletePost: StudioDocument<DeletePostData, DeletePostVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation DeletePost($id:ID!$expectedVersion:Int!){deletePost(id:$id expectedVersion:$expectedVersion){deletedId errors{...Refusal}}}",
  id: "sha256:4848aec3daf2e67667ce66df4cf1df0821a4d246bdd794b03bbdca4a2f724efd",
};

export interface PreviewLinksData {
  readonly post: {
    readonly id: string;
    readonly previewLinks: readonly LinkOfPost[];
  } | null;
}

export interface PreviewLinksVariables {
  readonly id: string;
}

export const PreviewLinks: StudioDocument<PreviewLinksData, PreviewLinksVariables> = {
  text: "fragment LinkOfPost on PreviewLink{id createdAt expiresAt lastUsedAt revision createdBy{name}}query PreviewLinks($id:ID!){post(id:$id){id previewLinks{...LinkOfPost}}}",
  id: "sha256:ecd59ac839cc61646e58fdbfc8a5427e62aaceca56b31bdce594deec01634550",
};

export interface CreatePreviewLinkData {
  readonly createPreviewLink: {
    readonly url: string | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface CreatePreviewLinkVariables {
  readonly id: string;
  readonly expiresAt: string;
  readonly revision?: string | null;
}

export const CreatePreviewLink: StudioDocument<CreatePreviewLinkData, CreatePreviewLinkVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation CreatePreviewLink($id:ID!$expiresAt:String!$revision:ID){createPreviewLink(id:$id expiresAt:$expiresAt revision:$revision){url errors{...Refusal}}}",
  id: "sha256:301728d266af164b29a129844e85c6fd789834a8809c38bed7d7975485afbec1",
};

export interface RevokePreviewLinkData {
  readonly revokePreviewLink: {
    readonly link: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RevokePreviewLinkVariables {
  readonly id: string;
}

export const RevokePreviewLink: StudioDocument<RevokePreviewLinkData, RevokePreviewLinkVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation RevokePreviewLink($id:ID!){revokePreviewLink(id:$id){link{id}errors{...Refusal}}}",
  id: "sha256:39e9d3b52d9327951d98b84d8b978e94ceb85c607a3c458b1b0d6b1777041fcd",
};

export interface HistoryData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: HistoryEntry;
      }[];
      readonly pageInfo: {
        readonly hasNextPage: boolean;
        readonly endCursor: string | null;
      };
    };
  } | null;
}

export interface HistoryVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const History: StudioDocument<HistoryData, HistoryVariables> = {
  text: "fragment HistoryEntry on PostRevision{id version kind createdAt status title name clientId person{name}}query History($id:ID!$after:String){post(id:$id){id revisions(first:50 after:$after){edges{cursor node{...HistoryEntry}}pageInfo{hasNextPage endCursor}}}}",
  id: "sha256:f39c9fc3a2d4f9766b17e00462ccb9f5679df67981e2ec52fde3dee6b024ede0",
};

export interface RevisionTextData {
  readonly post: {
    readonly id: string;
    readonly revisions: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly id: string;
          readonly title: string | null;
          readonly body: string | null;
          readonly slug: string | null;
          readonly excerpt: string | null;
        };
      }[];
    };
  } | null;
}

export interface RevisionTextVariables {
  readonly id: string;
  readonly after?: string | null;
}

export const RevisionText: StudioDocument<RevisionTextData, RevisionTextVariables> = {
  text: "query RevisionText($id:ID!$after:String){post(id:$id){id revisions(first:1 after:$after){edges{cursor node{id title body slug excerpt}}}}}",
  id: "sha256:e3e6e4f3dd4101e0e07263f74fe5e5686c5296324782647e45af2090b6e18d64",
};

export interface NameRevisionData {
  readonly nameRevision: {
    readonly post: {
      readonly id: string;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface NameRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly name?: string | null;
}

export const NameRevision: StudioDocument<NameRevisionData, NameRevisionVariables> = {
  text: "fragment Refusal on UserError{code message field}mutation NameRevision($id:ID!$revision:ID!$name:String){nameRevision(id:$id revision:$revision name:$name){post{id}errors{...Refusal}}}",
  id: "sha256:dab255ae43f44a036b5aab7a8473cbf6a4c787f40beadaad84f8a330c260803e",
};

export interface RestoreRevisionData {
  readonly restoreRevision: {
    readonly post: PublishingTexts | null;
    readonly workingCopy: PublishingCopy | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface RestoreRevisionVariables {
  readonly id: string;
  readonly revision: string;
  readonly workingVersion: number;
}

export const RestoreRevision: StudioDocument<RestoreRevisionData, RestoreRevisionVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment PublishingTexts on Post{...FactsOfPost title body excerpt}fragment PublishingCopy on WorkingCopy{title body slug excerpt version baseVersion}mutation RestoreRevision($id:ID!$revision:ID!$workingVersion:Int!){restoreRevision(id:$id revision:$revision workingVersion:$workingVersion){post{...PublishingTexts}workingCopy{...PublishingCopy}errors{...Refusal}}}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}",
  id: "sha256:51540dcea81a6a71d898f8fc514262ed5275ac230edb65f13edc87f5993deb87",
};

export interface FindWritingData {
  readonly post: (FactsOfPost & {
    readonly title: string;
    readonly body: string;
    readonly excerpt: string;
    readonly viewerCanUpdate: boolean;
    readonly workingCopy: {
      readonly title: string;
      readonly body: string;
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
      readonly updatedBy: {
        readonly name: string;
      } | null;
    } | null;
  }) | null;
}

export interface FindWritingVariables {
  readonly id: string;
}

export const FindWriting: StudioDocument<FindWritingData, FindWritingVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}query FindWriting($id:ID!){post(id:$id){...FactsOfPost title body excerpt viewerCanUpdate workingCopy{title body slug excerpt version baseVersion updatedBy{name}}}}",
  id: "sha256:d24580c0373e26cff0df4ea98d4077dd2e4c073fe7f2bfe9c48d499c90813898",
};

export interface FindOriginData {
  readonly post: {
    readonly version: number;
    readonly revisions: {
      readonly nodes: readonly {
        readonly version: number;
        readonly kind: ("CREATED" | "APPLIED" | "PUBLISHED" | "UNPUBLISHED" | "ARCHIVED" | "SCHEDULED" | "RESTORED" | "MERGED");
        readonly title: string | null;
        readonly body: string | null;
      }[];
    };
  } | null;
}

export interface FindOriginVariables {
  readonly id: string;
}

export const FindOrigin: StudioDocument<FindOriginData, FindOriginVariables> = {
  text: "query FindOrigin($id:ID!){post(id:$id){version revisions(first:20){nodes{version kind title body}}}}",
  id: "sha256:29a61aef64df45ea0c57afcbc8c1b0fa652267217d5f00f2e2241d00f0b61ca7",
};

export interface StartDraftData {
  readonly createPost: (FactsOfPost & {
    readonly excerpt: string;
  });
}

export interface StartDraftVariables {
  readonly title: string;
  readonly body: string;
}

export const StartDraft: StudioDocument<StartDraftData, StartDraftVariables> = {
  text: "fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation StartDraft($title:String!$body:String!){createPost(input:{title:$title body:$body status:DRAFT}){...FactsOfPost excerpt}}",
  id: "sha256:f7f19962aa3f8001174f403538e3bc0cbc28b943d551b82933b594ae6422677a",
};

export interface SaveWritingData {
  readonly saveWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly workingCopy: {
      readonly slug: string | null;
      readonly excerpt: string | null;
      readonly version: number;
      readonly baseVersion: number;
    } | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SaveWritingVariables {
  readonly id: string;
  readonly input: WorkingCopyInput;
  readonly workingVersion: number;
  readonly baseVersion: number;
}

export const SaveWriting: StudioDocument<SaveWritingData, SaveWritingVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SaveWriting($id:ID!$input:WorkingCopyInput!$workingVersion:Int!$baseVersion:Int!){saveWorkingCopy(id:$id input:$input workingVersion:$workingVersion baseVersion:$baseVersion){post{...FactsOfPost}workingCopy{slug excerpt version baseVersion}errors{...Refusal}}}",
  id: "sha256:431ec3adae7c4f1d8d46f4cccd5383e99e047cd8222775c59bd7274a01da88e5",
};

export interface SetWritingAsideData {
  readonly discardWorkingCopy: {
    readonly post: FactsOfPost | null;
    readonly errors: readonly Refusal[];
  } | null;
}

export interface SetWritingAsideVariables {
  readonly id: string;
  readonly workingVersion: number;
}

export const SetWritingAside: StudioDocument<SetWritingAsideData, SetWritingAsideVariables> = {
  text: "fragment Refusal on UserError{code message field}fragment FactsOfPost on Post{id status version slug url createdAt updatedAt publishedAt publishAt publishAtZone plannedUpdate{publishAt publishAtZone heldBecause workingVersion baseVersion}author{name}}mutation SetWritingAside($id:ID!$workingVersion:Int!){discardWorkingCopy(id:$id workingVersion:$workingVersion keepInHistory:true keepPlannedUpdate:true){post{...FactsOfPost}errors{...Refusal}}}",
  id: "sha256:ee3659d27b822cd113118df5c0e649c79699173740cfd6808b9a962d997aa25f",
};

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
