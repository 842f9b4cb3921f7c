import type { AccountFilter } from "../documents/inputs.ts";
import { ListInvitations, type ListInvitationsData } from "../documents/invitations.ts";
import { ListPeople, type ListPeopleData } from "../documents/people.ts";
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
  #filter: AccountFilter = {};

  constructor(api: Api) {
    super();
    this.#api = api;
  }

  /** Selects others. The rows of before stay until the answer is there. */
  show(filter: AccountFilter): Promise<boolean> {
    this.#filter = filter;
    return this.reload();
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

const lists = new WeakMap<Api, PeopleList>();

/** The list of an API. Its rows stay while its page is left, so that Back shows them immediately. */
export function peopleList(api: Api): PeopleList {
  const list = lists.get(api) ?? new PeopleList(api);
  lists.set(api, list);
  return list;
}
