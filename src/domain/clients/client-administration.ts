import type { Administration } from "../administration.ts";
import { AppError, badInput } from "../errors.ts";
import type { Id } from "../id.ts";
import { assertClient, type Client, createClient, type GrantType, type NewClient } from "./client.ts";
import { type ClientSecret, hintOf } from "./client-secret.ts";
import type { ClientStore } from "./client-store.ts";
import { MAX_OWN_CLIENTS, MAX_SECRETS } from "./limits.ts";

export const DEFAULT_GRANTS: readonly GrantType[] = ["authorization_code", "refresh_token"];

/** Grants whose tokens one request ends. */
const ENDED_AT_ONCE = 10_000;

/** The part of the store that administration of clients needs. */
export interface ClientSlice {
  readonly clients: ClientStore;
  readonly artifacts: {
    revokeClient(clientId: string, limit: number): Promise<boolean>;
    revokeOwnTokens(clientId: string, nowSeconds: number): Promise<void>;
  };
}

export interface ClientAdministration extends Administration<ClientSlice> {
  /** See `assertRedirectUri`. */
  readonly nativeSchemes: readonly string[];
  /** The identifiers of other APIs that tokens may be for. */
  readonly resources: readonly string[];
  /** Ids of clients that the program writes itself at each start. */
  readonly builtIn: readonly string[];
  /** Makes what a client is known by. */
  readonly credentials: {
    newId(): string;
    newSecret(): string;
    /** The form in which the store knows a secret. */
    hash(secret: string): string;
  };
}

/** A client of the operator, or of its owner. Without keys, and unless it is public, it gets a secret. */
export type ClientInput = Omit<NewClient, "id" | "secretHash" | "secretHint" | "origin" | "registrationTokenHash">;

/** Settings that can be changed later. What is left out stays. How a client says who it is stays too, except for its keys. */
export type ClientUpdate = Partial<Omit<ClientInput, "type" | "ownerId">>;

/**
 * Registers a client.
 *
 * @returns its secret too, where it has one, which is shown this once only
 * @throws AppError BAD_USER_INPUT for a rule broken, CONFLICT for an owner who has too many, KeyInUse
 */
export async function registerClient(
  { store, credentials, nativeSchemes, resources, record, once }: ClientAdministration,
  input: ClientInput,
): Promise<{ client: Client; secret: string | null }> {
  assertResource(resources, input.resourceServer);
  const { ownerId = null } = input;
  const provesItself = input.jwks != null || input.jwksUri != null || input.certificateSubject != null;
  const secret = input.type === "public" || provesItself ? null : credentials.newSecret();
  const registered = {
    ...input,
    ...{ id: credentials.newId(), scopes: [...new Set(input.scopes)] },
    origin: ownerId === null ? "operator" : "person",
    secretHash: secret === null ? null : credentials.hash(secret),
    secretHint: secret === null ? null : hintOf(secret),
  } as const;
  const clients: Pick<ClientStore, "create"> =
    ownerId === null ? store.clients : { create: (client, key) => store.clients.create(client, key, MAX_OWN_CLIENTS) };
  const client = await createClient(clients, registered, once, nativeSchemes);
  await record({ event: "client", result: "ok", clientId: client.id, detail: "created" });
  return { client, secret };
}

/**
 * Changes the settings of a client. Its tokens carry the scopes that are left from then on.
 *
 * @throws AppError BAD_USER_INPUT for a rule broken, NOT_FOUND, CONFLICT for a client that is described elsewhere, KeyInUse
 */
export async function updateClient(
  { store, nativeSchemes, resources, builtIn, record, once }: ClientAdministration,
  id: string,
  input: ClientUpdate,
): Promise<Client> {
  const present = await getClient(store, id);
  assertNotBuiltIn(builtIn, id);
  if (present.origin === "document")
    throw new AppError(
      "CONFLICT",
      "This client describes itself in its metadata document. It changes with the document.",
    );
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const settings: NewClient = { ...present, ...given, ownerId: present.owner?.id ?? null };
  assertResource(resources, input.resourceServer);
  const changed = { ...settings, scopes: [...new Set(settings.scopes)] };
  assertClient(changed, nativeSchemes);
  const client = await store.clients.update(id, { settings: changed }, once);
  const names = Object.keys(given).join(", ") || "nothing";
  await record({ event: "client", result: "ok", clientId: id, detail: `changed ${names}` });
  return client;
}

/**
 * Deletes a client. It and all its tokens are rejected within a second.
 *
 * @throws AppError NOT_FOUND, CONFLICT for a client of the program itself, KeyInUse
 */
export async function deleteClient(
  { store, builtIn, record, once }: ClientAdministration,
  id: string,
): Promise<string> {
  const { name } = await getClient(store, id);
  assertNotBuiltIn(builtIn, id);
  await store.clients.delete(id, once);
  await record({ event: "client", result: "ok", clientId: id, detail: `deleted: ${name}` });
  await store.artifacts.revokeClient(id, ENDED_AT_ONCE); // people need not see what nobody can use
  return id;
}

/** Makes a new secret for a client; all others end immediately. @throws AppError NOT_FOUND, KeyInUse */
export async function rotateClientSecret(
  { store, credentials, record, once }: ClientAdministration,
  id: string,
): Promise<{ client: Client; secret: string }> {
  const present = await store.clients.find(id);
  if (present?.secretHash == null) throw new AppError("NOT_FOUND", `There is no client ${id} with a secret.`);
  const secret = credentials.newSecret();
  const change = { secretHash: credentials.hash(secret), secretHint: hintOf(secret) };
  const client = await store.clients.update(id, change, once);
  await record({ event: "client", result: "ok", clientId: id, detail: "given a new secret" });
  return { client, secret };
}

/** Makes a secret that is valid beside the others. @throws AppError NOT_FOUND, CONFLICT when there are five, KeyInUse */
export async function addClientSecret(
  { store, credentials, record, once }: ClientAdministration,
  id: string,
): Promise<{ client: Client; secret: string }> {
  const secret = credentials.newSecret();
  const kept = { hash: credentials.hash(secret), hint: hintOf(secret) };
  const client = await store.clients.addSecret(id, kept, MAX_SECRETS, once);
  await record({ event: "client", result: "ok", clientId: id, detail: `given another secret, …${kept.hint}` });
  return { client, secret };
}

/** Ends one secret of a client within a second. @throws AppError NOT_FOUND, CONFLICT for the only one, KeyInUse */
export async function endClientSecret(
  { store, record, once }: Administration<ClientSlice>,
  id: string,
  secretId: Id | null,
): Promise<{ client: Client; secret: ClientSecret }> {
  if (secretId === null) throw new AppError("NOT_FOUND", "There is no secret with this id.");
  const ended = await store.clients.endSecret(id, secretId, once);
  await record({ event: "client", result: "ok", clientId: id, detail: `secret …${ended.secret.hint ?? "?"} ended` });
  return ended;
}

/**
 * Ends all tokens of a client, its codes, and what people have agreed to. People have to allow it again.
 *
 * @returns whether all is done. A client with very many tokens needs several calls.
 * @throws AppError NOT_FOUND, KeyInUse
 */
export async function endClientTokens(
  { store, now, record, once }: Administration<ClientSlice>,
  id: string,
): Promise<{ client: Client; isComplete: boolean }> {
  const client = await store.clients.update(id, {}, once); // which notes the request
  const isComplete = await store.artifacts.revokeClient(id, ENDED_AT_ONCE);
  await store.artifacts.revokeOwnTokens(id, Math.floor(now() / 1_000)); // it may have had the grant once
  await record({
    event: "client",
    result: "ok",
    clientId: id,
    detail: isComplete ? "all tokens ended" : "tokens ended",
  });
  return { client, isComplete };
}

/** Refuses the client and all its tokens within a second. Its owner cannot enable it. @throws AppError NOT_FOUND, KeyInUse */
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

/** @throws AppError NOT_FOUND */
export async function getClient({ clients }: Pick<ClientSlice, "clients">, id: string): Promise<Client> {
  const client = await clients.find(id);
  if (client === null) throw new AppError("NOT_FOUND", `There is no client with the id ${id}.`);
  return client;
}

function assertResource(resources: readonly string[], identifier: string | null | undefined): void {
  if (identifier != null && !resources.includes(identifier))
    throw badInput("resourceServer", `resourceServer must be one of RESOURCES: ${resources.join(", ") || "none yet"}.`);
}

function assertNotBuiltIn(builtIn: readonly string[], id: string): void {
  if (builtIn.includes(id))
    throw new AppError(
      "CONFLICT",
      "This client belongs to the program, which writes it at each start. Disable it instead.",
    );
}
