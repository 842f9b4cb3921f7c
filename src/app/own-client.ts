import type { Client, NewClient } from "../domain/clients/client.ts";
import type { Store } from "../domain/store/store.ts";

/**
 * A store in which one client has the redirect URIs and the post-logout redirect URIs of this process. The database stores the
 * client without them: several processes with different public URLs may share it, and none overwrites those of another.
 */
export function withOwnClient(
  store: Store,
  { id, redirectUris, postLogoutRedirectUris }: Pick<NewClient, "id" | "redirectUris" | "postLogoutRedirectUris">,
): Store {
  const { clients } = store;
  const without = { redirectUris: [], postLogoutRedirectUris: [] };
  function own(client: Client): Client;
  function own(client: Client | null): Client | null;
  function own(client: Client | null): Client | null {
    return client?.id === id ? { ...client, redirectUris, postLogoutRedirectUris } : client;
  }
  return {
    ...store,
    clients: {
      ...clients,
      create: async (client, once) => own(await clients.create(client, once)),
      put: async (client) => own(await clients.put(client.id === id ? { ...client, ...without } : client)),
      find: async (other) => own(await clients.find(other)),
      list: async () => (await clients.list()).map((client) => own(client)),
      update: async (other, change, once) => own(await clients.update(other, change, once)),
    },
  };
}
