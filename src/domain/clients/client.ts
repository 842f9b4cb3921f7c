import { badInput } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Once } from "../idempotency.ts";
import { isPrivilegedScope, isScope } from "../scopes.ts";
import { assertName } from "../text.ts";
import { assertCertificateSubject, type CertificateSubject } from "./certificate-subject.ts";
import { type JwkSet, readJwkSet } from "./jwk-set.ts";
import { assertCalledUri, assertRedirectUri } from "./redirect-uri.ts";

/** The grant of devices without a browser (RFC 8628 section 3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const GRANT_TYPES = ["authorization_code", "refresh_token", "client_credentials", DEVICE_GRANT] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** ES256 is what clients get unless they want the other one. */
export const SIGNING_ALGORITHMS = ["ES256", "RS256"] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** Algorithms that clients may use for assertions. */
export const ASSERTION_ALGORITHMS = ["ES256", "PS256", "EdDSA", "RS256"] as const;
export type AssertionAlgorithm = (typeof ASSERTION_ALGORITHMS)[number];

/** An OAuth 2.0 client (RFC 6749 section 2). */
export interface Client {
  /** `client_id`. */
  readonly id: string;
  readonly name: string;
  readonly type: "public" | "confidential";
  /** SHA-256 of the newest secret, base64url; null for public clients. */
  readonly secretHash: string | null;
  /** Hashes of the secrets that are valid beside it. */
  readonly otherSecretHashes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes: readonly GrantType[];
  readonly scopes: readonly string[];
  /** The operator's own: consent may be skipped. */
  readonly firstParty: boolean;
  /** The algorithm of its ID tokens and logout tokens (`id_token_signed_response_alg`). */
  readonly idTokenAlgorithm: SigningAlgorithm;
  /** Is told when a person signs out (OpenID Connect Back-Channel Logout 1.0); null: nobody is. */
  readonly backchannelLogoutUri: string | null;
  /** Public keys with which it signs who it is (`private_key_jwt`, RFC 7523), instead of a secret. */
  readonly jwks: JwkSet | null;
  /** The URL where it publishes its keys instead, and can replace them at any time. */
  readonly jwksUri: string | null;
  /** The one algorithm of its assertions (`token_endpoint_auth_signing_alg`, RFC 7591 section 2); null: any that its keys allow. */
  readonly assertionAlgorithm: AssertionAlgorithm | null;
  /** Identifier of the API (RFC 8707) that it is, and may ask about tokens for (RFC 7662); null: no other client's tokens. */
  readonly resourceServer: string | null;
  /** All its tokens are bound to a key of its own (`dpop_bound_access_tokens`, RFC 9449 section 5.2). */
  readonly dpopBound: boolean;
  /** Its authorization requests come by `/par` only (`require_pushed_authorization_requests`, RFC 9126 section 6). */
  readonly mustPush: boolean;
  /** Its authorization requests are signed with its keys (`require_signed_request_object`, RFC 9101 section 10.5). */
  readonly mustSign: boolean;
  /** The name in its certificate from an authority that the operator trusts (`tls_client_auth`, RFC 8705 section 2.1). */
  readonly certificateSubject: CertificateSubject | null;
  /** Says who it is by one of the certificates in its keys (`self_signed_tls_client_auth`, section 2.2), and signs nothing. */
  readonly selfSigned: boolean;
  /** All its tokens are bound to the certificate that it comes with (`tls_client_certificate_bound_access_tokens`, section 3). */
  readonly certificateBound: boolean;
  /** Its origin: the operator, a person, the client itself (RFC 7591), or a document at the URL that is its id. */
  readonly origin: "operator" | "person" | "registration" | "document";
  /** The person who registered it and may change it; null for every other origin. */
  readonly owner: ClientOwner | null;
  /** SHA-256 of the token with which it changes itself (RFC 7592), base64url. */
  readonly registrationTokenHash: string | null;
  readonly createdAt: string;
  readonly disabledAt: string | null;
  /** The owner may only end what they began themselves; null where the operator disabled it, or nobody. */
  readonly disabledBy: "owner" | null;
  /** Exact to a minute. */
  readonly lastUsedAt: string | null;
  /** Time until which its owner may try its sign-in in the studio; null where they never did. */
  readonly trialUntil: string | null;
}

interface ClientOwner {
  readonly id: Id;
  readonly name: string;
  /** Whether the person may sign in. The clients of all others are stopped. */
  readonly isActive: boolean;
}

/** Whether the client may do anything at all. */
export function isUsable({ disabledAt, owner }: Pick<Client, "disabledAt" | "owner">): boolean {
  return disabledAt === null && owner?.isActive !== false;
}

/** Facts that storage writes down, and nobody gives. */
type Kept = "otherSecretHashes" | "owner" | "createdAt" | "disabledAt" | "disabledBy" | "lastUsedAt" | "trialUntil";

type Optional =
  | "idTokenAlgorithm"
  | "backchannelLogoutUri"
  | "jwks"
  | "jwksUri"
  | "assertionAlgorithm"
  | "resourceServer"
  | "dpopBound"
  | "mustPush"
  | "mustSign"
  | "certificateSubject"
  | "selfSigned"
  | "certificateBound"
  | "origin"
  | "registrationTokenHash";

/** ES256, made by the operator and with none of the rest unless it is given. */
export type NewClient = Omit<Client, Kept | Optional> &
  Partial<Pick<Client, Optional>> & {
    /** The person who owns it, for the origin `person`. */
    readonly ownerId?: Id | null;
    /** Last characters of its secret, by which its owner recognizes it. */
    readonly secretHint?: string | null;
  };

/** The form of a name by which lists find it, from its beginning on. */
export function nameKey(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

/**
 * @param nativeSchemes as `assertRedirectUri` has it
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT when the id is taken, KeyInUse
 */
export async function createClient(
  clients: { create(client: NewClient, once?: Once): Promise<Client> },
  input: NewClient,
  once?: Once,
  nativeSchemes: readonly string[] = [],
): Promise<Client> {
  assertClient(input, nativeSchemes);
  return clients.create(input, once);
}

/**
 * @param nativeSchemes as `assertRedirectUri` has it
 * @throws AppError BAD_USER_INPUT for a rule broken
 */
export function assertClient(input: NewClient, nativeSchemes: readonly string[] = []): void {
  assertName("name", input.name);
  const proofs = [input.secretHash, input.jwks, input.jwksUri, input.certificateSubject].filter(
    (one) => one != null,
  ).length;
  if (proofs !== (input.type === "confidential" ? 1 : 0)) {
    throw badInput(
      "type",
      "A confidential client has one of secret, jwks, jwksUri and certificate; a public one has none.",
    );
  }
  if (input.grantTypes.includes("authorization_code") && input.redirectUris.length === 0) {
    throw badInput("redirectUris", "A client that signs people in needs at least one redirect URI.");
  }
  if (input.grantTypes.includes("client_credentials") && input.type === "public") {
    throw badInput("grantTypes", "A client that acts for itself (client_credentials) needs a secret.");
  }
  const hasKeys = input.jwks != null || input.jwksUri != null;
  if (input.mustSign === true && !hasKeys) {
    throw badInput("mustSign", "A client that signs its requests needs keys.");
  }
  if (input.assertionAlgorithm != null && (!hasKeys || input.selfSigned === true)) {
    throw badInput(
      "assertionAlgorithm",
      "A client that authenticates with signed assertions needs keys, and cannot use a certificate as well.",
    );
  }
  if (input.resourceServer != null && input.type === "public") {
    throw badInput("resourceServer", "A client that introspects tokens of other clients must be confidential.");
  }
  if (input.jwks != null) readJwkSet("jwks", input.jwks);
  if (input.selfSigned === true && input.jwksUri == null && !input.jwks?.keys.some(hasCertificate)) {
    throw badInput("jwks", "A client with a self-signed certificate needs that certificate in its keys, as x5c.");
  }
  if (input.certificateBound === true && input.dpopBound === true) {
    throw badInput("certificateBound", "A token is bound to a certificate or to a key (dpopBound), not to both.");
  }
  if (input.certificateSubject != null) assertCertificateSubject("certificateSubject", input.certificateSubject);
  for (const uri of input.redirectUris) assertRedirectUri("redirectUris", uri, nativeSchemes);
  for (const uri of input.postLogoutRedirectUris) assertRedirectUri("postLogoutRedirectUris", uri, nativeSchemes);
  if (input.backchannelLogoutUri != null) assertCalledUri("backchannelLogoutUri", input.backchannelLogoutUri);
  if (input.jwksUri != null) assertCalledUri("jwksUri", input.jwksUri);
  for (const scope of input.scopes) {
    if (!isScope(scope)) throw badInput("scopes", `"${scope}" is not a scope of this server.`);
  }
  if (input.ownerId != null) assertOwned(input);
}

/** Nobody has checked the client of a person, so it has nothing that only an operator gives. @throws AppError BAD_USER_INPUT */
function assertOwned({ scopes, firstParty, resourceServer }: NewClient): void {
  if (firstParty) throw badInput("firstParty", "The client of a person cannot be first-party.");
  if (resourceServer != null) throw badInput("resourceServer", "The client of a person cannot be an API of RESOURCES.");
  const privileged = scopes.find(isPrivilegedScope);
  if (privileged !== undefined)
    throw badInput("scopes", `The client of a person cannot have the scope "${privileged}".`);
}

/** RFC 7517 section 4.7. */
function hasCertificate({ x5c }: JwkSet["keys"][number]): boolean {
  return Array.isArray(x5c) && typeof x5c[0] === "string";
}
