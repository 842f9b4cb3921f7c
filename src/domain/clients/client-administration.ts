import type { Administration } from "../administration.ts";
import { AppError, badInput } from "../errors.ts";
import { type Client, type ClientStore, createClient, type GrantType, type NewClient } from "./client.ts";

export const DEFAULT_GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token"];

/** The part of the store that administration of clients needs. */
export interface ClientSlice {
  readonly clients: ClientStore;
}

export interface ClientAdministration extends Administration<ClientSlice> {
  /** See `assertRedirectUri`. */
  readonly nativeSchemes: readonly string[];
  /** The identifiers of other APIs that tokens may be for. */
  readonly resources: readonly string[];
  /** Makes what a client is known by. */
  readonly credentials: {
    newId(): string;
    newSecret(): string;
    /** The form in which the store knows a secret. */
    hash(secret: string): string;
  };
}

/** A client of the operator. Without keys, and unless it is public, it gets a secret. */
export type ClientInput = Omit<NewClient, "id" | "secretHash" | "origin" | "registrationTokenHash">;

/**
 * Registers a client.
 *
 * @returns its secret too, where it has one, which is shown this once only
 * @throws AppError BAD_USER_INPUT for a rule broken, KeyInUse
 */
export async function registerClient(
  { store, credentials, nativeSchemes, resources, record, once }: ClientAdministration,
  input: ClientInput,
): Promise<{ client: Client; secret: string | null }> {
  const { resourceServer = null } = input;
  if (resourceServer !== null && !resources.includes(resourceServer))
    throw badInput("resourceServer", `resourceServer must be one of RESOURCES: ${resources.join(", ") || "none yet"}.`);
  const provesItself = input.jwks != null || input.jwksUri != null || input.certificateSubject != null;
  const secret = input.type === "public" || provesItself ? null : credentials.newSecret();
  const secretHash = secret === null ? null : credentials.hash(secret);
  const scopes = [...new Set(input.scopes)];
  const registered = { ...input, id: credentials.newId(), scopes, secretHash };
  const client = await createClient(store.clients, registered, once, nativeSchemes);
  await record({ event: "client", result: "ok", clientId: client.id, detail: "created" });
  return { client, secret };
}

/** Makes a new secret for a client; the old one ends immediately. @throws AppError NOT_FOUND, KeyInUse */
export async function rotateClientSecret(
  { store, credentials, record, once }: ClientAdministration,
  id: string,
): Promise<{ client: Client; secret: string }> {
  const present = await store.clients.find(id);
  if (present?.secretHash == null) throw new AppError("NOT_FOUND", `There is no client ${id} with a secret.`);
  const secret = credentials.newSecret();
  const client = await store.clients.update(id, { secretHash: credentials.hash(secret) }, once);
  await record({ event: "client", result: "ok", clientId: id, detail: "given a new secret" });
  return { client, secret };
}

/** Refuses the client and all its tokens within a second. @throws AppError NOT_FOUND, KeyInUse */
export async function disableClient(
  { store, now, record, once }: Administration<ClientSlice>,
  id: string,
): Promise<Client> {
  const client = await store.clients.update(id, { disabledAt: new Date(now()).toISOString() }, once);
  await record({ event: "client", result: "ok", clientId: id, detail: "disabled" });
  return client;
}

/** Lets a disabled client in again. @throws AppError NOT_FOUND, KeyInUse */
export async function enableClient({ store, record, once }: Administration<ClientSlice>, id: string): Promise<Client> {
  const client = await store.clients.update(id, { disabledAt: null }, once);
  await record({ event: "client", result: "ok", clientId: id, detail: "enabled" });
  return client;
}
