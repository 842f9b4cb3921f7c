import type { Generated } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { TokenPurpose } from "../../domain/people/account-token.ts";
import type { DeletionPosts } from "../../domain/people/deletion.ts";
import type { MailKind, MailState } from "../../domain/people/mail.ts";
import type { Role } from "../../domain/viewer.ts";

/** The tables of accounts, as the newest migration leaves them: see schema.ts. */
export interface AccountSchema {
  readonly account_states: AccountStateTable;
  readonly account_tokens: AccountTokenTable;
  readonly invitations: InvitationTable;
  readonly mails: MailTable;
  readonly passkeys: PasskeyTable;
  readonly recovery_codes: RecoveryCodeTable;
  readonly scim_users: ScimUserTable;
  readonly totp_factors: TotpFactorTable;
  readonly upstream_identities: UpstreamIdentityTable;
}

/** `AccountState`, and the deletion that was asked for; an account may have no row. Content is never read from here. */
interface AccountStateTable {
  readonly user_id: Id;
  readonly mail_state: Generated<"ok" | "failing">;
  readonly language: string | null;
  readonly last_sign_in_at: string | null;
  /** The name that comes back when the person keeps the account after all. */
  readonly kept_name: string | null;
  readonly deletion_posts: DeletionPosts | null;
  /** Since then the account cannot be kept any more: its posts may be half gone. */
  readonly deletion_began_at: string | null;
}

export interface AccountTokenTable {
  readonly hash: string;
  readonly purpose: TokenPurpose;
  readonly email: string;
  readonly email_key: string;
  readonly proves_email: number;
  readonly user_id: Id | null;
  readonly credential_version: number | null;
  readonly invitation_id: Id | null;
  readonly code_mac: string | null;
  readonly browser_hash: string | null;
  readonly interaction: string | null;
  readonly created_at_seconds: number;
  readonly expires_at_seconds: number;
  readonly used_at_seconds: number | null;
  readonly voided_at_seconds: number | null;
}

/** `UpstreamIdentity`. */
export interface UpstreamIdentityTable {
  readonly provider: string;
  readonly subject: string;
  readonly user_id: Id;
  readonly email_at_link: string | null;
  readonly linked_at: string;
  readonly used_at: string | null;
}

export interface InvitationTable {
  readonly id: Id;
  readonly email: string;
  readonly email_key: string;
  readonly role: Role;
  readonly invited_by: Id | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly accepted_at: string | null;
  readonly withdrawn_at: string | null;
}

/** People by the service that made or named them by SCIM. */
interface ScimUserTable {
  readonly user_id: Id;
  /** `id` of the entry in UPSTREAMS. */
  readonly provider: string;
  readonly external_id: string | null;
  /** 1: the service made the person. 0: it has given the person a name of its own only. */
  readonly made: number;
  /** When the service disabled the person: it may enable them only while `users.disabled_at` is the same. */
  readonly disabled_at: string | null;
  readonly created_at: string;
}

/** One-use codes for the second step, each known by its hash. */
interface RecoveryCodeTable {
  readonly user_id: Id;
  readonly hash: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

export interface TotpFactorTable {
  readonly user_id: Id;
  /** Sealed. */
  readonly secret: string;
  readonly confirmed_at: string;
  /** The last time step of 30 seconds whose digits were used. */
  readonly last_step: number;
  readonly failures: number;
}

export interface MailTable {
  readonly id: Id;
  readonly kind: MailKind;
  readonly user_id: Id | null;
  readonly address: string;
  readonly language: string;
  /** A JSON object of texts. */
  readonly params: string;
  readonly state: MailState;
  readonly attempts: number;
  /** Time of the next attempt; while it is claimed, the time at which the claim runs out. null once it has ended. */
  readonly due_at: string | null;
  readonly claim: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly sent_at: string | null;
  readonly ended_at: string | null;
}

export interface PasskeyTable {
  readonly credential_id: string;
  readonly user_id: Id;
  readonly user_handle: string;
  readonly public_key: string;
  readonly rp_id: string;
  readonly counter: number;
  /** Separated by spaces. */
  readonly transports: string;
  readonly aaguid: string;
  readonly backup_eligible: number;
  readonly backed_up: number;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}
