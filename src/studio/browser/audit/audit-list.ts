import { type AuditRow, AuditRows } from "../documents/audit.ts";
import type { AuditFilter } from "../documents/inputs.ts";
import { KeptLists } from "../frame/list/kept-lists.ts";
import { type LoadedPage, PagedRows } from "../frame/list/paged-rows.ts";
import type { Api } from "../ports.ts";

/** Entries of the audit, newest first. */
export class AuditList extends PagedRows<AuditRow> {
  readonly filter: AuditFilter;
  readonly #api: Api;

  constructor(api: Api, filter: AuditFilter) {
    super();
    this.#api = api;
    this.filter = filter;
  }

  protected async load(first: number, after: string | null): Promise<LoadedPage<AuditRow>> {
    const { filter } = this;
    const { nodes: rows, pageInfo } = (await this.#api.run(AuditRows, { first, after, filter })).auditEntries;
    return { rows, pageInfo };
  }
}

const kept = new KeptLists((api: Api, filter: AuditFilter) => new AuditList(api, filter));

/** The list of a filter. Back shows its rows immediately. */
export function auditListOf(api: Api, filter: AuditFilter): AuditList {
  return kept.at(api, filter);
}
