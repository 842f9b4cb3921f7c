import type { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { NewAuditEvent } from "../domain/audit.ts";
import type { Store } from "../domain/store/store.ts";
import type { OpenBuckets } from "../domain/token-bucket.ts";
import type { Mailbox } from "../mail/mailbox.ts";
import type { Log } from "../observe/log.ts";
import type { PasswordRules, PasswordSettings } from "../secrets/password-rules.ts";
import type { Sealer } from "../secrets/seal.ts";
import type { CertificateMode } from "./clients/client-certificates.ts";
import type { RegistrationSettings } from "./clients/registration.ts";
import type { Audit } from "./engine/audit.ts";
import type { OutboundFetch } from "./engine/outbound-fetch.ts";
import type { Lifetimes } from "./grants/lifetimes.ts";
import type { RequestLimit, RequestLimitSettings } from "./http/request-limit.ts";
import type { LetterSettings } from "./letters/letter-settings.ts";
import type { MailedSecrets } from "./letters/mailed-secrets.ts";
import type { Outgoing } from "./letters/outgoing.ts";
import type { Passkeys } from "./passkeys/passkeys.ts";
import type { SecondStep, SecondStepSettings } from "./second-step/second-step.ts";
import type { KnownBrowsers } from "./sign-in/known-browsers.ts";
import type { SignUpMode } from "./sign-in/sign-in-links.ts";
import type { KeySet } from "./tokens/key-ring.ts";
import type { ResourcesSettings } from "./tokens/resources.ts";
import type { Upstream } from "./upstreams/upstream.ts";
import type { Upstreams } from "./upstreams/upstreams.ts";

/** The settings that the authorization server reads, under their own names: docs/reference/settings.md explains each. */
export interface AuthorizationServerSettings
  extends RegistrationSettings,
    RequestLimitSettings,
    PasswordSettings,
    LetterSettings,
    SecondStepSettings,
    ResourcesSettings,
    Lifetimes {
  /** The issuer identifier, compared character by character everywhere. It may have a path, and has no slash at its end. */
  readonly AUTH_URL: string;
  /** Whether pages lead to the studio. */
  readonly STUDIO: boolean;
  /** Whether the start page leads to /docs. */
  readonly DOCS: boolean;
  /** Seconds. */
  readonly REFRESH_GRACE: number;
  /** Seconds. */
  readonly JWKS_MAX_AGE: number;
  /** The domain that passkeys belong to; null where there are none. */
  readonly PASSKEY_ID: string | null;
  readonly AUDIT_DAYS: number;
  readonly CLIENT_DOCUMENTS: boolean;
  /** The setting CLIENTS_BY: with `people`, everybody registers clients, not administrators alone. */
  readonly CLIENTS_BY: "admins" | "people";
  readonly CLIENT_CERTIFICATES: CertificateMode;
  readonly NATIVE_SCHEMES: readonly string[];
  readonly DPOP_NONCES: boolean;
  readonly SIGNED_REQUESTS: boolean;
  readonly SIGNED_RESPONSES: boolean;
}

/** Services of other rooms for the authorization server. */
export interface AuthorizationServerServices {
  readonly store: Store;
  /** 32 random bytes that stay the same for as long as the installation does. */
  readonly secret: Uint8Array;
  /** The one before it, as long as something may be encrypted or signed with it. */
  readonly previousSecret: Uint8Array | null;
  /** Calls addresses that clients have registered; it must not reach into our own network (A37). */
  readonly fetch: OutboundFetch;
  /** Whether an active client signs people in at this origin: its pages may read our answers. */
  readonly isClientOrigin: (origin: string) => Promise<boolean>;
  /** The certificate whose key the client has proved (RFC 8705); null without one. */
  readonly readCertificate: (request: IncomingMessage) => X509Certificate | null;
  /** Opens the buckets of rate limits. */
  readonly openBuckets: OpenBuckets;
  /** Scopes that a client, by its `client_id`, gets without a refresh token, also beside others. */
  readonly briefScopes: ReadonlyMap<string, readonly string[]>;
  /** Other services at which people sign in (UPSTREAMS). */
  readonly upstreams: readonly Upstream[];
  /** Whether mail is sent: by SMTP, or into the mailbox. */
  readonly sendsMail: boolean;
  /** The mails of a server for developers, which this machine may look at; null anywhere else. */
  readonly mailbox: Mailbox | null;
  /** Counts each decision of the audit. */
  readonly countDecision?: (event: NewAuditEvent) => void;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
  /** Runs work that waits for a host which a caller has chosen: how slow that host is counts as no load (A45). */
  readonly waiting: <T>(work: () => Promise<T>) => Promise<T>;
  /** Does work that holds up everything else for a moment, such as loading the engine. */
  readonly loading: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface AuthorizationServerOptions {
  readonly settings: AuthorizationServerSettings;
  readonly services: AuthorizationServerServices;
  /** Whether the start page says that this is a demonstration. */
  readonly isDemo?: boolean;
  /** The words before a command that pages print, such as `bin/content-api`. */
  readonly command?: string;
}

export interface ProtocolServices extends Omit<AuthorizationServerServices, "upstreams"> {
  readonly upstreams: Upstreams;
  readonly sealer: Sealer;
  readonly audit: Audit;
  readonly outgoing: Outgoing;
  readonly secrets: MailedSecrets;
  readonly passwords: PasswordRules;
  readonly known: KnownBrowsers;
  readonly passkeys: Passkeys | null;
  readonly secondStep: SecondStep;
  readonly signUp: SignUpMode;
  readonly command: string;
  readonly keys: KeySet;
  readonly areKeysFresh: () => boolean;
  /** How many changes of clients this process has been told of. */
  readonly clientChanges: () => number;
  readonly limit: RequestLimit;
}
