import type { Client, NewClient } from "../domain/clients/client.ts";
import type { Store } from "../domain/store/store.ts";

/**
 * A store in which one client has the redirect URIs of this process. The database keeps the client without any: several processes
 * with different public addresses may share it, and none of them writes its own over another's.
 */
export function withOwnClient(store: Store, { id, redirectUris }: Pick<NewClient, "id" | "redirectUris">): Store {
  const { clients } = store;
  function own(client: Client): Client;
  function own(client: Client | null): Client | null;
  function own(client: Client | null): Client | null {
    return client?.id === id ? { ...client, redirectUris } : client;
  }
  return {
    ...store,
    clients: {
      create: async (client, once) => own(await clients.create(client, once)),
      put: async (client) => own(await clients.put(client.id === id ? { ...client, redirectUris: [] } : client)),
      find: async (other) => own(await clients.find(other)),
      list: async () => (await clients.list()).map((client) => own(client)),
      update: async (other, change, once) => own(await clients.update(other, change, once)),
    },
  };
}
