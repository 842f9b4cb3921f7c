import {
  type AccountFilter,
  ListInvitations,
  type ListInvitationsData,
  ListPeople,
  type ListPeopleData,
} from "../documents/documents.ts";
import { type LoadedPage, PagedRows } from "../frame/list/paged-rows.ts";
import type { Api } from "../ports.ts";
import { ROLES, STATES } from "./words.ts";

export type PersonRow = ListPeopleData["accounts"]["nodes"][number];
export type InvitationRow = ListInvitationsData["invitations"]["nodes"][number];

/** Longer beginnings find nobody. */
const LONGEST_SEARCH = 200;

/** The filter that the query of the URL names; unknown values select everybody. */
export function filterOf(query: URLSearchParams): AccountFilter {
  const search = (query.get("q") ?? "").trim().slice(0, LONGEST_SEARCH);
  const role = ROLES.find(({ value }) => value === query.get("role"))?.value;
  const state = STATES.find(([one]) => one === query.get("state"))?.[0];
  return {
    ...(search !== "" && { search }),
    ...(role !== undefined && { role }),
    ...(state !== undefined && { state }),
  };
}

/** People whom a filter selects: those found by name first, otherwise newest first. */
export class PeopleList extends PagedRows<PersonRow> {
  readonly #api: Api;
  readonly #filter: AccountFilter;

  constructor(api: Api, filter: AccountFilter) {
    super();
    this.#api = api;
    this.#filter = filter;
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<PersonRow>> {
    const { accounts } = await this.#api.run(ListPeople, { first, after, filter: this.#filter });
    return { rows: accounts.nodes, pageInfo: accounts.pageInfo };
  }
}

/** Invitations, newest first. */
export class InvitationList extends PagedRows<InvitationRow> {
  readonly #api: Api;

  constructor(api: Api) {
    super();
    this.#api = api;
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<InvitationRow>> {
    const { invitations } = await this.#api.run(ListInvitations, { first, after });
    return { rows: invitations.nodes, pageInfo: invitations.pageInfo };
  }
}

interface Known {
  readonly key: string;
  readonly list: PeopleList;
}

/** The latest list of each API: Back shows its rows immediately. */
const latest = new WeakMap<Api, Known>();

/** The list for a filter, with the rows that it had before. */
export function peopleList(api: Api, filter: AccountFilter): PeopleList {
  const key = JSON.stringify(filter);
  const known = latest.get(api);
  if (known?.key === key) return known.list;
  const list = new PeopleList(api, filter);
  latest.set(api, { key, list });
  return list;
}
