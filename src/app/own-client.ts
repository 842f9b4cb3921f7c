import type { Config } from "../config/config.ts";
import type { Client, NewClient } from "../domain/clients/client.ts";
import type { Store } from "../domain/store/store.ts";
import { explorerClient } from "../graphql/explorer/client.ts";
import { studioClient } from "../studio/client.ts";

/** The OAuth clients that the program brings with it. */
export function ownClients({ BASE_URL, STUDIO }: Pick<Config, "BASE_URL" | "STUDIO">): readonly NewClient[] {
  return [explorerClient(BASE_URL), ...(STUDIO ? [studioClient(BASE_URL)] : [])];
}

/**
 * A store in which these clients have the redirect URIs and the post-logout redirect URIs of this process. The database stores
 * the clients without them: several processes with different public URLs may share it, and none overwrites those of another.
 */
export function withOwnClients(
  store: Store,
  own: readonly Pick<NewClient, "id" | "redirectUris" | "postLogoutRedirectUris">[],
): Store {
  const { clients } = store;
  const without = { redirectUris: [], postLogoutRedirectUris: [] };
  const known = new Map(
    own.map(({ id, redirectUris, postLogoutRedirectUris }) => [id, { redirectUris, postLogoutRedirectUris }]),
  );
  function complete(client: Client): Client;
  function complete(client: Client | null): Client | null;
  function complete(client: Client | null): Client | null {
    return client === null ? null : { ...client, ...known.get(client.id) };
  }
  return {
    ...store,
    clients: {
      ...clients,
      create: async (...all) => complete(await clients.create(...all)),
      put: async (client) => complete(await clients.put(known.has(client.id) ? { ...client, ...without } : client)),
      find: async (other) => complete(await clients.find(other)),
      list: async () => (await clients.list()).map((client) => complete(client)),
      page: async (...all) => (await clients.page(...all)).map((client) => complete(client)),
      update: async (...all) => complete(await clients.update(...all)),
      addSecret: async (...all) => complete(await clients.addSecret(...all)),
    },
  };
}
