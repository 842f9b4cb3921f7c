// Written by bin/studio-documents.js from the .graphql files of this folder (npm run docs:studio).

export interface RevertAgentChangesInput {
  readonly clientId: string;
  readonly personId?: string | null;
  readonly since: string;
  readonly until?: string | null;
  readonly isDryRun?: boolean;
}

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

export interface WebhookDeliveryFilter {
  readonly webhook?: string | null;
  readonly state?: ("PENDING" | "DELIVERED" | "FAILED") | null;
  readonly event?: ("POST_CREATED" | "POST_UPDATED" | "POST_PUBLISHED" | "POST_UNPUBLISHED" | "POST_ARCHIVED" | "POST_DELETED" | "USER_CREATED" | "USER_UPDATED" | "USER_EMAIL_CHANGED" | "USER_DELETED") | null;
  readonly post?: string | null;
  readonly since?: string | null;
  readonly until?: string | null;
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

export interface InviteAccountInput {
  readonly email: string;
  readonly role?: ("MEMBER" | "EDITOR" | "ADMIN");
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
