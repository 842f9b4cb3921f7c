import { ListClients, type ListedClient } from "../documents/clients.ts";
import type { ClientFilter } from "../documents/inputs.ts";
import { type LoadedPage, PagedRows } from "../frame/list/paged-rows.ts";
import type { Api } from "../ports.ts";

/** Path of the list, without filters. */
export const CLIENTS_PATH = "/clients";

/** Path of the page of one client. An id may be a URL. */
export function clientPath(id: string): string {
  return `${CLIENTS_PATH}/${encodeURIComponent(id)}`;
}

const ORIGINS = ["OPERATOR", "PERSON", "REGISTRATION", "DOCUMENT"] as const;
const STATES = ["ACTIVE", "DISABLED"] as const;

/** The filter that the URL names; null while its owner is an e-mail address, whose id must be asked for first. */
export function clientFilterOf(query: URLSearchParams): ClientFilter | null {
  const origin = ORIGINS.find((one) => one === query.get("origin")?.toUpperCase());
  const state = STATES.find((one) => one === query.get("state")?.toUpperCase());
  const [ownerId, search] = [query.get("owner")?.trim() || null, query.get("q")?.trim() || null];
  if (ownerId?.includes("@") === true) return null;
  return {
    ...(origin !== undefined && { origin }),
    ...(state !== undefined && { state }),
    ...(ownerId !== null && { ownerId }),
    ...(search !== null && { search }),
  };
}

/** Clients, newest first. */
export class ClientList extends PagedRows<ListedClient> {
  readonly #api: Api;
  readonly #filter: ClientFilter;

  constructor(api: Api, filter: ClientFilter) {
    super();
    this.#api = api;
    this.#filter = filter;
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<ListedClient>> {
    const { clients: rows } = await this.#api.run(ListClients, { first, after, filter: this.#filter });
    return { rows, pageInfo: { hasNextPage: rows.length === first, endCursor: rows.at(-1)?.id ?? null } };
  }
}

/** Lists that were left, newest last, so that Back shows their rows immediately. */
const kept = new WeakMap<Api, Map<string, ClientList>>();
const MOST_KEPT = 4;

export function clientListOf(api: Api, filter: ClientFilter): ClientList {
  const lists = kept.get(api) ?? new Map<string, ClientList>();
  kept.set(api, lists);
  const key = JSON.stringify(filter);
  const list = lists.get(key) ?? new ClientList(api, filter);
  lists.delete(key);
  lists.set(key, list);
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_KEPT) break;
    lists.delete(oldest);
  }
  return list;
}
