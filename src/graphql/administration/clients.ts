import type { Client } from "../../domain/clients/client.ts";
import {
  addClientSecret,
  type ClientAdministration,
  deleteClient,
  disableClient,
  enableClient,
  endClientSecret,
  endClientTokens,
  registerClient,
  rotateClientSecret,
  updateClient,
} from "../../domain/clients/client-administration.ts";
import { withinInput } from "../../domain/errors.ts";
import { type Id, parseId } from "../../domain/id.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import { changedClientOf, clientValueOf, clientValues, newClientOf } from "./client-values.ts";
import { type AdministrationContext, type Arguments, type Change, enumValue, idOf, type Query } from "./field.ts";

interface Filter {
  readonly origin?: string | null;
  readonly ownerId?: string | null;
  readonly search?: string | null;
  readonly state?: string | null;
}

export const CLIENT_QUERIES: Readonly<Record<string, Query>> = {
  client: async ({ store }, { id }) => {
    const client = await store.clients.find(id as string);
    return client === null ? null : clientValueOf(store, client);
  },
  clients: async ({ store, first }, { after, filter }) => {
    const { origin, ownerId, search, state } = (filter ?? {}) as Filter;
    const owner = ownerId == null ? undefined : parseId(ownerId);
    if (owner === null) return [];
    const wanted = {
      ownerId: owner,
      origin: origin == null ? undefined : (enumValue(origin) as Client["origin"]),
      search: search ?? undefined,
      isDisabled: state == null ? undefined : state === "DISABLED",
    };
    return clientValues(store, await store.clients.page(wanted, (after as string | null | undefined) ?? null, first));
  },
};

export const CLIENT_CHANGES: Readonly<Record<string, Change>> = {
  createClient: showing((administration, { input }) =>
    withinInput("input.", async () => registerClient(administration, newClientOf(input))),
  ),
  updateClient: changing((administration, id, { input }) =>
    withinInput("input.", async () => updateClient(administration, id, changedClientOf(input))),
  ),
  deleteClient: deleting(deleteClient),
  rotateClientSecret: showing((administration, { id }) => rotateClientSecret(administration, id as string)),
  addClientSecret: showing((administration, { id }) => addClientSecret(administration, id as string)),
  endClientSecret: changing(
    async (administration, id, args) => (await endClientSecret(administration, id, idOf(args, "secret"))).client,
  ),
  endClientTokens: {
    async make(context, { id }) {
      const { client, isComplete } = await endClientTokens(administrationOf(context), id as string);
      return { client: await clientValueOf(context.store, client), isComplete };
    },
    // The first time may have ended between the two: the next call says what is left.
    recall: async (context, id) => ({ ...(await recall(context, id)), isComplete: false }),
  },
  disableClient: changing(disableClient),
  enableClient: changing(enableClient),
};

/** A change that gives a secret, which is shown this once. */
export function showing(
  change: (administration: ClientAdministration, args: Arguments) => Promise<{ client: Client; secret: string | null }>,
): Change {
  return {
    async make(context, args) {
      const { client, secret } = await change(administrationOf(context), args);
      return { client: await clientValueOf(context.store, client), clientSecret: secret };
    },
    recall,
  };
}

export function changing(
  change: (administration: ClientAdministration, id: string, args: Arguments) => Promise<Client>,
): Change {
  return {
    async make(context, args) {
      const client = await change(administrationOf(context), args.id as string, args);
      return { client: await clientValueOf(context.store, client) };
    },
    recall,
  };
}

export function deleting(change: (administration: ClientAdministration, id: string) => Promise<string>): Change {
  return {
    make: async (context, args) => ({ deletedId: await change(administrationOf(context), args.id as string) }),
    recall: async (_context, id) => ({ deletedId: id }),
  };
}

async function recall({ store }: AdministrationContext, id: Id): Promise<Value> {
  return { client: await clientValueOf(store, stillThere(await store.clients.find(id))) };
}

function administrationOf(context: AdministrationContext): ClientAdministration {
  return { ...context, credentials: context.clientCredentials, builtIn: context.builtInClients };
}
