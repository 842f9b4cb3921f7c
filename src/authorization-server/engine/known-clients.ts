import { LRUCache } from "lru-cache";
import type Provider from "oidc-provider";
import type { Client } from "oidc-provider";
import { patch } from "./patches.ts";

/** Time for which a client is cached without a notification: the same as for tokens in the resource server. */
const FRESH_MS = 500;
const MAX_CLIENTS = 1_000;

interface Known {
  readonly client: Client;
  /** The value of `changes` before the client was read. */
  readonly changes: number;
  readonly askedAt: number;
}

/**
 * Has the engine read a client again only when some client has changed, or after half a second: a client that asks for many
 * tokens costs two look-ups a second. One that is not there is always looked for, and so is one whose document may change.
 *
 * @param changes how many changes of clients this process has been told of
 */
export function rememberClients(provider: Provider, changes: () => number): void {
  const known = new LRUCache<string, Known>({ max: MAX_CLIENTS });
  patch<Provider["Client"]["find"]>(
    provider,
    "Client.find",
    (find) =>
      async function (this: Provider["Client"], id) {
        const entry = known.get(id);
        if (entry?.changes === changes() && performance.now() - entry.askedAt < FRESH_MS) return entry.client;
        const before = { changes: changes(), askedAt: performance.now() };
        const client = await find.call(this, id);
        if (client !== undefined && client.origin !== "document") known.set(id, { client, ...before });
        return client;
      },
  );
}
