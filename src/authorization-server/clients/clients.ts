import Provider, {
  type Adapter,
  type AdapterPayload,
  type Client as EngineClient,
  errors,
  type KoaContextWithOIDC,
  type ResponseType,
} from "oidc-provider";
import { type Client, DEVICE_GRANT, isUsable } from "../../domain/clients/client.ts";
import type { ClientStore } from "../../domain/clients/client-store.ts";
import { equalInConstantTime } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { toEngineError } from "../engine/engine-errors.ts";
import { patch } from "../engine/patches.ts";
import { LOOPBACK_URI } from "./agent-clients.ts";
import { type CertificateMode, isWithinMode } from "./client-certificates.ts";
import type { ClientDocuments } from "./client-documents.ts";
import type { ClientTrials } from "./client-trials.ts";
import { isChecked, isDocumentId, otherSecretsOf } from "./engine-client.ts";

export interface ClientAdapterOptions {
  readonly store: { readonly clients: ClientStore };
  /** Null where clients are found in storage alone. */
  readonly documents: ClientDocuments | null;
  /** Whether clients come with certificates. */
  readonly certificates: CertificateMode;
  /** Runs work that waits for a host which a caller has chosen. */
  readonly waiting: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Clients as the engine wants to read them. A disabled one is not there. It never writes any. */
export function openClientAdapter({ store, documents, certificates, waiting }: ClientAdapterOptions): Adapter {
  async function describe(id: string, kept: Client | null): Promise<Client | null> {
    if (documents === null) return null;
    const { oidc } = Provider.ctx ?? {};
    const asking = { kept, asserts: oidc?.params?.client_assertion !== undefined };
    // Without a copy the stored client counts: it may end its tokens for as long as it has any.
    if (ENDS.has(oidc?.route ?? "")) return (await documents.recall(id, asking)) ?? kept;
    try {
      return await waiting(() => documents.find(id, asking));
    } catch (error) {
      throw toEngineError(error);
    }
  }
  const refuse = async () => {
    throw new Error("clients are written by the operator, not by the engine");
  };
  return {
    async find(id) {
      // No database keeps such an id, and one of them fails at the question.
      if (!id.isWellFormed() || id.includes("\0")) return undefined;
      const client = await store.clients.find(id).catch((error: unknown) => {
        throw toEngineError(error);
      });
      if (client !== null && !isUsable(client)) return undefined;
      if (client !== null && !isWithinMode(client, certificates)) return undefined;
      if (client !== null && client.origin !== "document") return metadata(client);
      const described = isDocumentId(id) ? await describe(id, client) : null;
      return described === null ? undefined : metadata(described);
    },
    findByUid: refuse,
    findByUserCode: refuse,
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}

/** Endpoints that fetch no documents. Otherwise callers could make this server call any host, without limit. */
const ENDS: ReadonlySet<string> = new Set(["introspection", "revocation", "end_session"]);

function metadata(client: Client): AdapterPayload {
  const uris = [...client.redirectUris, ...client.postLogoutRedirectUris];
  const codeFlow = client.grantTypes.includes("authorization_code");
  return {
    client_id: client.id,
    client_name: client.name,
    // The engine lets a web client have web addresses only.
    application_type: uris.every((uri) => /^https?:/.test(uri)) ? "web" : "native",
    redirect_uris: client.redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    ...(client.backchannelLogoutUri === null
      ? {}
      : { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }),
    grant_types: client.grantTypes,
    response_types: codeFlow ? ["code"] : [],
    ...authentication(client),
    id_token_signed_response_alg: client.idTokenAlgorithm,
    authorization_signed_response_alg: client.idTokenAlgorithm,
    dpop_bound_access_tokens: client.dpopBound,
    require_pushed_authorization_requests: client.mustPush,
    require_signed_request_object: client.mustSign,
    tls_client_certificate_bound_access_tokens: client.certificateBound,
    allowed_scopes: client.scopes,
    first_party: client.firstParty,
    must_sign: client.mustSign,
    origin: client.origin,
    owner_id: client.owner?.id ?? null,
    owner_name: client.owner?.name ?? null,
    other_secrets: client.otherSecretHashes,
    resource_server: client.resourceServer,
    trial_until: client.trialUntil,
    introspection_signed_response_alg: client.idTokenAlgorithm,
  };
}

function authentication(client: Client): AdapterPayload {
  const { certificateSubject, selfSigned, jwks, jwksUri, secretHash, assertionAlgorithm } = client;
  if (certificateSubject !== null) {
    const { kind, value } = certificateSubject;
    return { token_endpoint_auth_method: "tls_client_auth", [`tls_client_auth_${kind}`]: value };
  }
  const keys = {
    token_endpoint_auth_method: selfSigned ? "self_signed_tls_client_auth" : "private_key_jwt",
    ...(assertionAlgorithm === null ? {} : { token_endpoint_auth_signing_alg: assertionAlgorithm }),
  } as const;
  if (jwks !== null) return { ...keys, jwks };
  if (jwksUri !== null) return { ...keys, jwks_uri: jwksUri };
  if (secretHash !== null) return { token_endpoint_auth_method: "client_secret_basic", client_secret: secretHash };
  return { token_endpoint_auth_method: "none" };
}

/** Told of each use of a client, with the hash of its secret where it came with one. */
export type NoteUse = (clientId: string, secretHash: string | null) => void;

/** Puts right on the engine's clients what our rules have otherwise. */
export function adaptClients(provider: Provider, noteUse: NoteUse, trials: ClientTrials): void {
  // `clientSecret` is the hash. Both methods of sending a secret end here.
  patch(
    provider,
    "Client.prototype.compareClientSecret",
    () =>
      function (this: EngineClient, secret: string) {
        const hash = hashToken(secret);
        // Each of them is compared, so that the time tells nothing about which one it was.
        const same = [this.clientSecret ?? "", ...otherSecretsOf(this)].filter((known) =>
          equalInConstantTime(known, hash),
        );
        if (same.length === 0) return false;
        noteUse(this.clientId, hash);
        return true;
      },
  );
  provider.on("grant.success", ({ oidc }) => {
    if (oidc.client !== undefined) noteUse(oidc.client.clientId, null);
  });
  patch(
    provider,
    "Client.prototype.redirectUriAllowed",
    () =>
      function (this: EngineClient, uri: string) {
        return isAllowed(uri, this.redirectUris, isNative(this)) || trials.isUri(this, uri);
      },
  );
  patch(
    provider,
    "Client.prototype.postLogoutRedirectUriAllowed",
    () =>
      function (this: EngineClient, uri: string) {
        return isAllowed(uri, this.postLogoutRedirectUris, isNative(this));
      },
  );
  // The engine would call it invalid_request (RFC 6749 section 5.2).
  patch(
    provider,
    "Client.prototype.grantTypeAllowed",
    () =>
      function (this: EngineClient, grantType: string) {
        const isAllowed = this.grantTypes?.includes(grantType) === true;
        if (!isAllowed && grantType === askedGrant(Provider.ctx?.oidc))
          throw new errors.UnauthorizedClient("this client is not registered for the grant type");
        return isAllowed;
      },
  );
  // The same at the authorization endpoint (section 4.1.2.1).
  patch(
    provider,
    "Client.prototype.responseTypeAllowed",
    () =>
      function (this: EngineClient, responseType: string) {
        if (this.responseTypes?.includes(responseType as ResponseType) === true) return true;
        throw new errors.UnauthorizedClient("this client is not registered for the response type");
      },
  );
  // The engine has the fragment modes always. For other response types they stay, as the way for their refusal.
  patch(
    provider,
    "Client.prototype.responseModeAllowed",
    () => (mode: string | undefined, responseType: string) =>
      mode?.startsWith("fragment") !== true || responseType !== "code",
  );
}

/** The grant that a request is about. */
function askedGrant(oidc: KoaContextWithOIDC["oidc"] | undefined): unknown {
  if (oidc?.route === "device_authorization") return DEVICE_GRANT;
  return oidc?.route === "token" ? oidc.params?.grant_type : undefined;
}

/** Programs on a person's own machine. They get another port at each start; many of them register `localhost`. */
function isNative(client: EngineClient): boolean {
  return client.clientAuthMethod === "none" || !isChecked(client);
}

/**
 * Compares character by character, but for the port of a loopback IP (RFC 8252 section 7.3).
 *
 * @param isNative whether the port of `localhost` may vary as well
 */
function isAllowed(uri: string, registered: readonly string[] = [], isNative: boolean): boolean {
  if (registered.includes(uri)) return true;
  const portless = withoutLoopbackPort(uri, isNative);
  return portless !== null && registered.some((other) => withoutLoopbackPort(other, isNative) === portless);
}

function withoutLoopbackPort(uri: string, isNative: boolean): string | null {
  const match = LOOPBACK_URI.exec(uri);
  if (match === null || !URL.canParse(uri)) return null;
  return match[1] === "localhost" && !isNative ? null : `${match[1]} ${match[2]}`;
}
