import type { PostFilter, PostOrder } from "../documents/inputs.ts";
import { searchWords } from "../frame/text/search-words.ts";

export const TABS = ["all", "drafts", "scheduled", "published", "archived"] as const;
export type Tab = (typeof TABS)[number];

export const ORDERS = ["changed", "created", "published", "title"] as const;
export type Order = (typeof ORDERS)[number];

/** The view of the list that its URL names: `/posts?state=drafts&author=ID&q=WORDS&order=title`. */
export interface ListView {
  readonly tab: Tab;
  /** Id of a person; null for everybody. */
  readonly author: string | null;
  readonly q: string;
  readonly order: Order;
}

export const EVERYTHING: ListView = { tab: "all", author: null, q: "", order: "changed" };

/** Longer searches are rejected by the API. */
const LONGEST_SEARCH = 200;

export function readView(query: URLSearchParams): ListView {
  const tab = query.get("state") ?? "";
  const order = query.get("order") ?? "";
  return {
    tab: TABS.find((one) => one === tab) ?? EVERYTHING.tab,
    author: query.get("author") || null,
    q: (query.get("q") ?? "").trim().slice(0, LONGEST_SEARCH),
    order: ORDERS.find((one) => one === order) ?? EVERYTHING.order,
  };
}

/** The path of a view. What is as usual is left out. */
export function pathOf({ tab, author, q, order }: ListView): string {
  const query = new URLSearchParams();
  if (tab !== EVERYTHING.tab) query.set("state", tab);
  if (author !== null) query.set("author", author);
  if (q !== "") query.set("q", q);
  if (order !== EVERYTHING.order) query.set("order", order);
  return query.size === 0 ? "/posts" : `/posts?${query}`;
}

/** Deleted posts are a list of their own: no search, author or order. */
export const DELETED = "/posts?state=deleted";

export function isOfDeleted(query: URLSearchParams): boolean {
  return query.get("state") === "deleted";
}

const STATUS = {
  all: ["DRAFT", "PUBLISHED", "ARCHIVED"],
  drafts: ["DRAFT"],
  scheduled: ["DRAFT", "PUBLISHED"],
  published: ["PUBLISHED"],
  archived: ["ARCHIVED"],
} as const;

/** The arguments of the API's list. */
export function listArguments({ tab, author, q, order }: ListView): { filter: PostFilter; orderBy: PostOrder | null } {
  return {
    filter: {
      status: STATUS[tab],
      ...(author !== null && { author }),
      ...(tab === "scheduled" && { isScheduled: true }),
      ...(tab === "drafts" && { isScheduled: false }),
      ...(q !== "" && { search: searchWords(q) }),
    },
    orderBy: orderOf(tab, q, order),
  };
}

function orderOf(tab: Tab, q: string, order: Order): PostOrder | null {
  if (tab === "scheduled") return { field: "PUBLISH_AT", direction: "ASC" };
  if (order === "changed") return q === "" ? { field: "UPDATED_AT", direction: "DESC" } : null; // a search: best first
  if (order === "title") return { field: "TITLE", direction: "ASC" };
  return { field: order === "created" ? "CREATED_AT" : "PUBLISHED_AT", direction: "DESC" };
}

const NOUNS: Readonly<Record<Tab, string>> = {
  all: "posts",
  drafts: "drafts",
  scheduled: "scheduled posts",
  published: "published posts",
  archived: "archived posts",
};

/** Whether the view leaves out posts that are there. */
export function isFiltered({ tab, author, q }: ListView): boolean {
  return tab !== "all" || author !== null || q !== "";
}

/** "No drafts by Ben with “tea”". */
export function emptyWords({ tab, author, q }: ListView, authorName: string | null): string {
  const by = author === null ? "" : ` by ${authorName ?? "this person"}`;
  return `No ${NOUNS[tab]}${by}${q === "" ? "" : ` with “${q}”`}`;
}
