import { ListClients, type ListedClient } from "../documents/clients.ts";
import type { ClientFilter } from "../documents/inputs.ts";
import { KeptLists } from "../frame/list/kept-lists.ts";
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

const kept = new KeptLists((api: Api, filter: ClientFilter) => new ClientList(api, filter));

/** The list of a filter. Back shows its rows immediately. */
export function clientListOf(api: Api, filter: ClientFilter): ClientList {
  return kept.at(api, filter);
}
