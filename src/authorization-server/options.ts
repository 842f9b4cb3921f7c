import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";
import type { CertificateMode } from "./clients/client-certificates.ts";
import type { RegistrationPolicy } from "./clients/registration.ts";
import type { OutboundFetch } from "./engine/outbound-fetch.ts";
import type { RequestLimits } from "./http/request-limit.ts";
import type { Resource } from "./tokens/resources.ts";

export interface AuthorizationServerOptions {
  /** The issuer identifier, compared character by character everywhere. It may have a path. */
  readonly issuer: string;
  /** Public address of the API. Its resource identifier is `${resource}/graphql` (RFC 8707, RFC 9728). */
  readonly resource: string;
  /** Other APIs that our access tokens may be for. */
  readonly resources?: readonly Resource[];
  /** Who runs this; shown on pages. */
  readonly operator: string;
  readonly store: Store;
  /** 32 random bytes that stay the same for as long as the installation does. */
  readonly secret: Uint8Array;
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** Seconds without use; a year in all. */
  readonly refreshTokenTtl: number;
  /** Seconds for which verifiers may keep what `/jwks` answers. A new key signs after twice that time. */
  readonly jwksMaxAge: number;
  /** Calls addresses that clients have registered; it must not reach into our own network (A37). */
  readonly fetch: OutboundFetch;
  /** Whether an active client signs people in at this origin: its pages may read our answers. */
  readonly isClientOrigin: (origin: string) => Promise<boolean>;
  /** How often one address, and one client, may come to `/authorize`, `/par` and `/token`. */
  readonly requestLimits: RequestLimits;
  /** Days for which decisions are kept for the operator to read; 90 unless given, 0 keeps none. */
  readonly auditDays?: number;
  /** Who may register clients beside the operator; nobody unless given. */
  readonly registration?: RegistrationPolicy;
  /** Whether a client id may be the address of a document that describes the client. */
  readonly clientDocuments?: boolean;
  /** Whether DPoP proofs must have a nonce of ours (RFC 9449 section 8); not unless given. */
  readonly dpopNonces?: boolean;
  /** Whether clients come with certificates (RFC 8705), and how one is read; they do not unless given. */
  readonly certificates?: CertificateOptions;
  /** Whether authorization requests may be signed by their clients (RFC 9101); not unless given. */
  readonly signedRequests?: boolean;
  /** Whether answers to them are signed for clients that ask for it (JARM); not unless given. */
  readonly signedResponses?: boolean;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now?: () => number;
  /** Whether the start page says that this is a demonstration. */
  readonly demo?: boolean;
  /** Does what holds up everything else for a moment, such as loading the engine. */
  readonly loading?: <T>(work: () => Promise<T>) => Promise<T>;
}

interface CertificateOptions {
  readonly mode: CertificateMode;
  /** The one whose key the client has proved; null without one. */
  readonly read: (request: IncomingMessage) => X509Certificate | null;
}
