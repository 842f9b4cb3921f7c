import type { ClientAdministration } from "../../domain/clients/client-administration.ts";
import { listProblems } from "../../domain/clients/client-problems.ts";
import {
  addOwnClientSecret,
  createOwnClient,
  deleteOwnClient,
  disableOwnClient,
  enableOwnClient,
  endOwnClientSecret,
  getOwnClient,
  listOwnClients,
  type OwnClientAdministration,
  startClientTrial,
  updateOwnClient,
} from "../../domain/clients/own-clients.ts";
import { withinInput } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { changedClientOf, clientValues, newClientOf } from "./client-values.ts";
import { changing, deleting, showing } from "./clients.ts";
import { type Change, enumName, idOf, type Query } from "./field.ts";

/** Fields under the scope `clients:own`: a person and the clients that they own. */
export const OWN_CLIENT_QUERIES: Readonly<Record<string, Query>> = {
  ownClients: async ({ store, actorId }) => clientValues(store, await listOwnClients(store, actorId as Id)),
  ownClientProblems: async ({ store, actorId, first }, { id }) => {
    const client = await getOwnClient(store, actorId as Id, id as string);
    const problems = await listProblems(store, client, first);
    return problems.map((one) => ({ ...one, event: enumName(one.event), result: enumName(one.result) }));
  },
};

export const OWN_CLIENT_CHANGES: Readonly<Record<string, Change>> = {
  createOwnClient: showing((administration, { input }) =>
    withinInput("input.", async () => createOwnClient(ownerOf(administration), newClientOf(input))),
  ),
  updateOwnClient: changing((administration, id, { input }) =>
    withinInput("input.", async () => updateOwnClient(ownerOf(administration), id, changedClientOf(input))),
  ),
  deleteOwnClient: deleting((administration, id) => deleteOwnClient(ownerOf(administration), id)),
  addOwnClientSecret: showing((administration, { id }) => addOwnClientSecret(ownerOf(administration), id as string)),
  endOwnClientSecret: changing(
    async (administration, id, args) =>
      (await endOwnClientSecret(ownerOf(administration), id, idOf(args, "secret"))).client,
  ),
  disableOwnClient: changing((administration, id) => disableOwnClient(ownerOf(administration), id)),
  enableOwnClient: changing((administration, id) => enableOwnClient(ownerOf(administration), id)),
  startClientTrial: changing((administration, id) => startClientTrial(ownerOf(administration), id)),
};

/** `administer` has checked that there is a person. */
function ownerOf(administration: ClientAdministration): OwnClientAdministration {
  return { ...administration, actorId: administration.actorId as Id };
}
