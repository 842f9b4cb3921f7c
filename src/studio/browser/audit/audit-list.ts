import { type AuditRow, AuditRows } from "../documents/audit.ts";
import type { AuditFilter } from "../documents/inputs.ts";
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

/** Lists that were left, newest last, so that Back shows their rows immediately. */
const kept = new WeakMap<Api, Map<string, AuditList>>();
const MOST_KEPT = 4;

export function auditListOf(api: Api, filter: AuditFilter): AuditList {
  const lists = kept.get(api) ?? new Map<string, AuditList>();
  kept.set(api, lists);
  const key = JSON.stringify(filter);
  const list = lists.get(key) ?? new AuditList(api, filter);
  lists.delete(key);
  lists.set(key, list);
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_KEPT) break;
    lists.delete(oldest);
  }
  return list;
}
