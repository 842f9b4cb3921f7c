import type { AssertionAlgorithm, Client } from "../../domain/clients/client.ts";
import type { Id } from "../../domain/id.ts";
import type { SigningKey } from "../../domain/store/signing-keys.ts";

/** Tables of OAuth clients, in the form that `Schema` describes. */
export interface ClientSchema {
  readonly clients: ClientTable;
  readonly client_secrets: ClientSecretTable;
}

export interface ClientTable {
  readonly id: string;
  readonly name: string;
  readonly type: "public" | "confidential";
  readonly secret_hash: string | null;
  /** The four lists are JSON arrays of strings. */
  readonly redirect_uris: string;
  readonly post_logout_redirect_uris: string;
  readonly grant_types: string;
  readonly scopes: string;
  readonly first_party: number;
  readonly created_at: string;
  readonly disabled_at: string | null;
  readonly id_token_algorithm: SigningKey["algorithm"];
  readonly backchannel_logout_uri: string | null;
  /** A JWK Set. */
  readonly jwks: string | null;
  readonly dpop_bound: number;
  /** A client of a person is a registered one that has an owner. */
  readonly origin: Exclude<Client["origin"], "person">;
  readonly registration_token_hash: string | null;
  readonly jwks_uri: string | null;
  readonly must_push: number;
  readonly must_sign: number;
  readonly certificate_subject: string | null;
  readonly self_signed: number;
  readonly certificate_bound: number;
  readonly assertion_algorithm: AssertionAlgorithm | null;
  readonly resource_server: string | null;
  readonly used_at: string | null;
  readonly owner_id: Id | null;
  readonly disabled_by: "owner" | null;
  readonly last_used_at: string | null;
  /** Since migration 41. */
  readonly trial_until: string | null;
  /** The live secrets besides `secret_hash`, separated by spaces: `client_secrets` has one row for each. */
  readonly other_secret_hashes: string | null;
  /** `nameKey` of the name. */
  readonly name_key: string | null;
}

interface ClientSecretTable {
  readonly id: Id;
  readonly client_id: string;
  /** null once it has ended. */
  readonly secret_hash: string | null;
  /** Last four characters; null where only the hash was known. */
  readonly hint: string | null;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly ended_at: string | null;
}
