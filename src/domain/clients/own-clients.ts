import { AppError } from "../errors.ts";
import type { Id } from "../id.ts";
import type { Viewer } from "../viewer.ts";
import type { Client } from "./client.ts";
import {
  addClientSecret,
  type ClientAdministration,
  type ClientInput,
  type ClientSlice,
  type ClientUpdate,
  deleteClient,
  endClientSecret,
  registerClient,
  updateClient,
} from "./client-administration.ts";
import type { ClientSecret } from "./client-secret.ts";
import { MAX_OWN_CLIENTS } from "./limits.ts";

/** Grants that are ended at a time, of each client. */
const ENDED_AT_ONCE = 1_000;

/** Milliseconds for which a client may be tried: enough for a sign-in with all its steps. */
const TRIAL_TIME = 10 * 60 * 1_000;

/** Settings that a person may change at their own client. Privileges, which an operator grants, are not among them. */
export type OwnClientInput = Omit<ClientInput, "ownerId" | "firstParty" | "resourceServer">;
export type OwnClientUpdate = Omit<ClientUpdate, "firstParty" | "resourceServer">;

/** The tools of a person for the clients that they own. */
export interface OwnClientAdministration extends ClientAdministration {
  readonly actorId: Id;
}

/**
 * @param clientsBy the setting CLIENTS_BY
 * @returns the person
 * @throws AppError FORBIDDEN
 */
export function assertDeveloper({ userId }: Viewer, clientsBy: "admins" | "people"): Id {
  if (clientsBy === "admins")
    throw new AppError("FORBIDDEN", "On this server, only administrators register clients (CLIENTS_BY=admins).");
  if (userId === null) throw new AppError("FORBIDDEN", "Only people have clients of their own.");
  return userId;
}

/** Newest first. */
export function listOwnClients({ clients }: Pick<ClientSlice, "clients">, ownerId: Id): Promise<Client[]> {
  return clients.page({ ownerId }, null, MAX_OWN_CLIENTS);
}

/** Another person's client is not found. @throws AppError NOT_FOUND */
export async function getOwnClient(
  { clients }: Pick<ClientSlice, "clients">,
  ownerId: Id,
  id: string,
): Promise<Client> {
  const client = await clients.find(id);
  if (client?.owner?.id !== ownerId) throw new AppError("NOT_FOUND", "You have no client with this id.");
  return client;
}

/** Ends what people gave the clients of the owner, some of it at a time. @returns whether nothing is left */
export async function endTokensOfOwner(store: ClientSlice, ownerId: Id): Promise<boolean> {
  let isDone = true;
  for (const { id } of await listOwnClients(store, ownerId))
    isDone = (await store.artifacts.revokeClient(id, ENDED_AT_ONCE)) && isDone;
  return isDone;
}

/** @throws AppError as `registerClient` */
export function createOwnClient(
  administration: OwnClientAdministration,
  input: OwnClientInput,
): Promise<{ client: Client; secret: string | null }> {
  return registerClient(administration, { ...input, firstParty: false, ownerId: administration.actorId });
}

/** @throws AppError NOT_FOUND, and as `updateClient` */
export async function updateOwnClient(
  administration: OwnClientAdministration,
  id: string,
  input: OwnClientUpdate,
): Promise<Client> {
  await getOwnClient(administration.store, administration.actorId, id);
  return updateClient(administration, id, input);
}

/** @throws AppError NOT_FOUND, KeyInUse */
export async function deleteOwnClient(administration: OwnClientAdministration, id: string): Promise<string> {
  await getOwnClient(administration.store, administration.actorId, id);
  return deleteClient(administration, id);
}

/** @throws AppError NOT_FOUND, CONFLICT for a client that an administrator has disabled, KeyInUse */
export async function disableOwnClient(administration: OwnClientAdministration, id: string): Promise<Client> {
  const { store, actorId, now, record, once } = administration;
  await getOwnClient(store, actorId, id);
  const change = { disabledAt: new Date(now()).toISOString(), disabledBy: "owner" } as const;
  const client = await store.clients.update(id, change, once, true);
  await record({ event: "client", result: "ok", clientId: id, detail: "disabled" });
  return client;
}

/** @throws AppError NOT_FOUND, CONFLICT for a client that an administrator has disabled, KeyInUse */
export async function enableOwnClient(administration: OwnClientAdministration, id: string): Promise<Client> {
  const { store, actorId, record, once } = administration;
  await getOwnClient(store, actorId, id);
  const client = await store.clients.update(id, { disabledAt: null }, once, true);
  await record({ event: "client", result: "ok", clientId: id, detail: "enabled" });
  return client;
}

/** @throws AppError NOT_FOUND, CONFLICT when there are five, KeyInUse */
export async function addOwnClientSecret(
  administration: OwnClientAdministration,
  id: string,
): Promise<{ client: Client; secret: string }> {
  await getOwnClient(administration.store, administration.actorId, id);
  return addClientSecret(administration, id);
}

/** @throws AppError NOT_FOUND, CONFLICT for the only one, KeyInUse */
export async function endOwnClientSecret(
  administration: OwnClientAdministration,
  id: string,
  secretId: Id | null,
): Promise<{ client: Client; secret: ClientSecret }> {
  await getOwnClient(administration.store, administration.actorId, id);
  return endClientSecret(administration, id, secretId);
}

/**
 * Lets the owner, and nobody else, sign in with the client in the studio for a while.
 *
 * @throws AppError NOT_FOUND, CONFLICT for a client with which nobody signs in, or that an administrator has disabled, KeyInUse
 */
export async function startClientTrial(administration: OwnClientAdministration, id: string): Promise<Client> {
  const { store, actorId, now, record, once } = administration;
  const { grantTypes } = await getOwnClient(store, actorId, id);
  if (!grantTypes.includes("authorization_code"))
    throw new AppError(
      "CONFLICT",
      "Nobody signs in with this client in a browser: it has no authorization_code grant.",
    );
  const trialUntil = new Date(now() + TRIAL_TIME).toISOString();
  const client = await store.clients.update(id, { trialUntil }, once, true);
  await record({ event: "client", result: "ok", clientId: id, detail: "trial of its sign-in started" });
  return client;
}
