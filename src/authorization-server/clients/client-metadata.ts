import { type CertificateSubject, SUBJECT_KINDS } from "../../domain/clients/certificate-subject.ts";
import {
  ASSERTION_ALGORITHMS,
  type AssertionAlgorithm,
  DEVICE_GRANT,
  type GrantType,
  type NewClient,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
} from "../../domain/clients/client.ts";
import { type JwkSet, readJwkSet } from "../../domain/clients/jwk-set.ts";
import { usableRedirectUris } from "../../domain/clients/redirect-uri.ts";
import { OPEN_SCOPES } from "../../domain/scopes.ts";
import { CERTIFICATE_METHODS, type CertificateMode } from "./client-certificates.ts";

/** A client that describes itself wrongly (RFC 7591 section 3.2.2). */
export class InvalidMetadata extends Error {
  override readonly name = "InvalidMetadata";
  readonly code: "invalid_redirect_uri" | "invalid_client_metadata";

  constructor(message: string, code: InvalidMetadata["code"] = "invalid_client_metadata") {
    super(message);
    this.code = code;
  }
}

/** Metadata that a client may set itself. Everything else is the operator's decision, and is ignored (A38). */
export type Described = Pick<
  NewClient,
  "name" | "redirectUris" | "postLogoutRedirectUris" | "grantTypes" | "scopes"
> & {
  readonly jwks: JwkSet | null;
  readonly jwksUri: string | null;
  readonly assertionAlgorithm: AssertionAlgorithm | null;
  readonly dpopBound: boolean;
  readonly mustPush: boolean;
  readonly mustSign: boolean;
  /** Defaults to RS256 (OpenID Connect Registration section 2), and to ES256 for FAPI 2.0, which forbids RS256. */
  readonly idTokenAlgorithm: SigningAlgorithm;
  readonly certificateSubject: CertificateSubject | null;
  readonly selfSigned: boolean;
  readonly certificateBound: boolean;
  readonly authentication: Method;
};

const METHODS = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"] as const;
type Method = (typeof METHODS)[number] | (typeof CERTIFICATE_METHODS)["verified"][number];

const OPEN_GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token", DEVICE_GRANT];

export interface MetadataRules {
  /** The certificates that such a client may use. */
  readonly certificates: CertificateMode;
  /** See `assertRedirectUri`. */
  readonly nativeSchemes: readonly string[];
  /** The grants of a client that leaves `grant_types` out. Defaults to the code grant alone (RFC 7591 section 2). */
  readonly usualGrants?: readonly GrantType[];
}

/**
 * Reads client metadata (RFC 7591 section 2). Redirect URIs that cannot be registered are left out, as long as others can.
 *
 * @param authentication what counts where `token_endpoint_auth_method` is missing
 * @throws InvalidMetadata, AppError BAD_USER_INPUT
 */
export function readClientMetadata(
  metadata: unknown,
  authentication: "none" | "client_secret_basic",
  { certificates, nativeSchemes, usualGrants = ["authorization_code"] }: MetadataRules,
): Described {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    throw new InvalidMetadata("the metadata must be a JSON object");
  const fields = metadata as Readonly<Record<string, unknown>>;
  const usable = (field: string, name: string) =>
    usableRedirectUris(field, readTexts(fields, name) ?? [], nativeSchemes);
  const redirectUris = usable("redirectUris", "redirect_uris");
  const grants = readTexts(fields, "grant_types") ?? usualGrants;
  const grantTypes = OPEN_GRANTS.filter((grant) => grants.includes(grant));
  if (grantTypes.length === 0)
    throw new InvalidMetadata("grant_types has none that this server gives to such a client");
  const responses = readTexts(fields, "response_types") ?? ["code"];
  if (grantTypes.includes("authorization_code") && !responses.includes("code"))
    throw new InvalidMetadata("response_types must have code, the only one of this server");
  const method = text(fields, "token_endpoint_auth_method") ?? authentication;
  if (!isMethod(method, certificates))
    throw new InvalidMetadata(`token_endpoint_auth_method ${method} does not exist here`);
  const selfSigned = method === "self_signed_tls_client_auth";
  const hasKeys = method === "private_key_jwt" || selfSigned;
  const jwksUri = hasKeys ? (text(fields, "jwks_uri") ?? null) : null;
  if (jwksUri !== null && fields.jwks !== undefined)
    throw new InvalidMetadata("jwks and jwks_uri must not be given both");
  // RFC 7591 section 2: of no other way.
  const assertionAlgorithm =
    method === "private_key_jwt" ? oneOf(ASSERTION_ALGORITHMS, fields, "token_endpoint_auth_signing_alg") : undefined;
  const mustPush = fields.require_pushed_authorization_requests === true;
  const mustSign = fields.require_signed_request_object === true;
  const idTokenAlgorithm =
    oneOf(SIGNING_ALGORITHMS, fields, "id_token_signed_response_alg") ?? (mustPush || mustSign ? "ES256" : "RS256");
  const scope = text(fields, "scope");
  const asked: readonly string[] = scope === undefined ? OPEN_SCOPES : scope.split(" ");
  return {
    name: text(fields, "client_name") ?? (URL.parse(redirectUris[0] ?? "")?.host || "A client without a name"),
    redirectUris,
    postLogoutRedirectUris: usable("postLogoutRedirectUris", "post_logout_redirect_uris"),
    grantTypes,
    scopes: OPEN_SCOPES.filter((known) => asked.includes(known)),
    jwks: hasKeys && jwksUri === null ? readJwkSet("jwks", fields.jwks) : null,
    jwksUri,
    assertionAlgorithm: assertionAlgorithm ?? null,
    dpopBound: fields.dpop_bound_access_tokens === true,
    mustPush,
    mustSign,
    idTokenAlgorithm,
    certificateSubject: method === "tls_client_auth" ? readCertificateSubject(fields) : null,
    selfSigned,
    certificateBound: certificates !== "off" && fields.tls_client_certificate_bound_access_tokens === true,
    authentication: method,
  };
}

/** RFC 8705 section 2.1.2: exactly one of five. */
function readCertificateSubject(fields: Readonly<Record<string, unknown>>): CertificateSubject {
  const given = SUBJECT_KINDS.flatMap((kind) => {
    const value = text(fields, `tls_client_auth_${kind}`);
    return value === undefined ? [] : [{ kind, value }];
  });
  const [subject] = given;
  if (subject !== undefined && given.length === 1) return subject;
  throw new InvalidMetadata(
    `tls_client_auth needs exactly one of ${SUBJECT_KINDS.map((kind) => `tls_client_auth_${kind}`).join(", ")}`,
  );
}

function isMethod(method: string, certificates: CertificateMode): method is Method {
  return [...METHODS, ...CERTIFICATE_METHODS[certificates]].some((known) => known === method);
}

function text(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return value;
  throw new InvalidMetadata(`${name} must be text`);
}

function oneOf<Known extends string>(
  known: readonly Known[],
  fields: Readonly<Record<string, unknown>>,
  name: string,
): Known | undefined {
  const value = text(fields, name);
  const found = known.find((one) => one === value);
  if (found !== undefined || value === undefined) return found;
  throw new InvalidMetadata(`${name} must be one of ${known.join(", ")}`);
}

/** Reads a list of texts; undefined where the field is missing. @throws InvalidMetadata */
export function readTexts(fields: Readonly<Record<string, unknown>>, name: string): string[] | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.length <= 20 && value.every((item) => typeof item === "string")) return value;
  throw new InvalidMetadata(
    `${name} must be a list of at most 20 texts`,
    name === "redirect_uris" ? "invalid_redirect_uri" : "invalid_client_metadata",
  );
}
