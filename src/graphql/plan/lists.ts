import { isNonNullType, type VariableValues } from "graphql";
import { badInput } from "../../domain/errors.ts";
import { parseId } from "../../domain/id.ts";
import { POST_STATUSES, type PostStatus } from "../../domain/post-status.ts";
import { decodeCursor } from "../../domain/reading/cursor.ts";
import { searchWords } from "../../domain/reading/search.ts";
import type { Order, Page, PostFilter, PostOrderKey, Slot, UserOrderKey } from "../../domain/reading/selection.ts";
import { type Argument, argumentOf, defaultPage, pageSize, type SlotValue } from "./arguments.ts";
import type { Selected } from "./selector.ts";
import type { Slots } from "./slots.ts";
import { parseTime } from "./time.ts";

/** A list as a document selects it, whose arguments are read for one plan. */
export interface ListSite {
  readonly field: Selected;
  readonly slots: Slots;
}

const ORDER_KEYS = {
  CREATED_AT: "createdAt",
  UPDATED_AT: "updatedAt",
  PUBLISHED_AT: "publishedAt",
  PUBLISH_AT: "publishAt",
  TITLE: "title",
  RELEVANCE: "relevance",
  NAME: "name",
} as const;

interface OrderInput {
  readonly field: keyof typeof ORDER_KEYS;
  readonly direction: "ASC" | "DESC";
}

/** As coerced by the schema. */
interface FilterInput {
  readonly author?: string | null;
  readonly status?: readonly PostStatus[] | null;
  readonly createdAt?: RangeInput | null;
  readonly updatedAt?: RangeInput | null;
  readonly isScheduled?: boolean | null;
  readonly publishAt?: RangeInput | null;
  readonly search?: string | null;
  readonly hasWorkingCopy?: boolean | null;
}

type RangeInput = { readonly [End in "from" | "until"]?: string | null };

/** `fromEnd` only where the field has an argument `last`. */
type Part<Key extends string> = Page<Key> & { readonly fromEnd?: true };

export interface PostListArguments {
  readonly page: Part<PostOrderKey>;
  readonly filter: PostFilter;
  /** To which the cursors of the list belong. */
  readonly list: string;
}

/**
 * Binds the viewer where the list may hold posts that not everybody sees.
 *
 * @param name of the list, which its cursors carry
 * @throws AppError BAD_USER_INPUT for an order by relevance where nothing is searched for, and one by `publishAt` of posts without it
 */
export function postList(site: ListSite, name: string): PostListArguments {
  const filter = postFilter(site);
  const standard: Order<PostOrderKey> = {
    by: filter.search === undefined ? "createdAt" : "relevance",
    descending: true,
  };
  const order = orderOf(site, standard);
  if (order.by === "relevance" && filter.search === undefined)
    throw badInput("orderBy.field", "RELEVANCE is for a search: give filter.search too.");
  if (order.by === "publishAt" && filter.isScheduled !== true)
    throw badInput("orderBy.field", "PUBLISH_AT is for scheduled posts: give filter.isScheduled: true too.");
  const list = listName(name, order);
  const page = pageOf(site, order, list);
  const isForSome = filter.hasWorkingCopy !== undefined || filter.isScheduled === true;
  if (isForSome || filter.statuses?.some((status) => status !== "PUBLISHED")) site.slots.bindViewer(site.field);
  return { page, filter, list };
}

export function userList(site: ListSite): { readonly page: Part<UserOrderKey>; readonly list: string } {
  const order = orderOf<UserOrderKey>(site, { by: "createdAt", descending: true });
  const list = listName("users", order);
  return { page: pageOf(site, order, list), list };
}

/** Newest first. */
export function revisionList(site: ListSite): { readonly page: Page<"createdAt">; readonly list: string } {
  const order = { by: "createdAt", descending: true } as const;
  const list = listName("Post.revisions", order);
  const { first, after } = pageOf(site, order, list);
  return { page: { order, first, ...(after && { after }) }, list };
}

/** Last deleted first. */
export function deletedList(site: ListSite): { readonly page: Page<"deletedAt">; readonly list: string } {
  const order = { by: "deletedAt", descending: true } as const;
  const list = listName("deletedPosts", order);
  const { first, after } = pageOf(site, order, list);
  return { page: { order, first, ...(after && { after }) }, list };
}

function listName(name: string, { by, descending }: Order<string>): string {
  return `${name}.${by}.${descending ? "desc" : "asc"}`;
}

function orderOf<Key extends string>(site: ListSite, standard: Order<Key>): Order<Key> {
  const given = shape<OrderInput>(site, "orderBy");
  if (given === null) return standard;
  return { by: ORDER_KEYS[given.field] as Key, descending: given.direction === "DESC" };
}

function pageOf<Key extends string>(site: ListSite, order: Order<Key>, list: string): Part<Key> {
  const after = position(site, "after", list);
  const before = position(site, "before", list);
  return { order, ...size(site), ...(after && { after }), ...(before && { before }) };
}

/** Nothing means the default page, and so does null where the argument may be null. */
function size(site: ListSite): { first: Slot; fromEnd?: true } {
  const { definition } = site.field;
  const { pageLimit } = site.slots;
  const first = argument(site, "first");
  if (shape(site, "last") === null) {
    const page = defaultPage(definition, pageLimit);
    const isRequired = definition.args.some(({ name, type }) => name === "first" && isNonNullType(type));
    const value = (variables: VariableValues) => {
      const given = first.value(variables);
      const isLeftOut = given === undefined || (given === null && !isRequired);
      return isLeftOut ? page : pageSize("first", given, pageLimit);
    };
    return { first: site.slots.bind({ node: first.node, value }) };
  }
  const last = argument(site, "last");
  const value = (variables: VariableValues) => {
    const other = first.value(variables);
    if (other !== null && other !== undefined) throw badInput("last", "first and last exclude each other.");
    return pageSize("last", last.value(variables), pageLimit);
  };
  return { first: site.slots.bind({ node: last.node, value }), fromEnd: true };
}

function position(site: ListSite, name: "after" | "before", list: string): { key: Slot; id: Slot } | null {
  if (shape(site, name) === null) return null;
  const part = (of: "key" | "id") =>
    bindPart(site, argument(site, name), (cursor) => {
      const place = typeof cursor === "string" ? decodeCursor(list, cursor) : null;
      if (place === null) throw badInput(name, `${name} is not a cursor of this list in this order.`);
      return place[of];
    });
  return { key: part("key"), id: part("id") };
}

function postFilter(site: ListSite): PostFilter {
  const given = shape<FilterInput>(site, "filter");
  if (given === null) return {};
  const whole = argument(site, "filter");
  /** A slot for a part that this plan's requests give. */
  const slot = (isGiven: boolean, read: (filter: FilterInput) => SlotValue): Slot | undefined =>
    isGiven ? bindPart(site, whole, (filter) => read(filter as FilterInput)) : undefined;
  const isPlanned = given.publishAt?.from != null || given.publishAt?.until != null;
  const isScheduled = given.isScheduled ?? (isPlanned ? true : undefined);
  const end = (range: "createdAt" | "updatedAt" | "publishAt", name: "from" | "until") =>
    slot(given[range]?.[name] != null, (filter) => parseTime(`filter.${range}.${name}`, filter[range]?.[name] ?? ""));
  const parts = {
    statuses:
      given.status == null
        ? defaultStatuses(isScheduled, given.hasWorkingCopy ?? undefined)
        : POST_STATUSES.filter((status) => given.status?.includes(status)),
    hasWorkingCopy: given.hasWorkingCopy ?? undefined,
    author: slot(given.author != null, ({ author }) => parseId(author ?? "")),
    createdFrom: end("createdAt", "from"),
    createdUntil: end("createdAt", "until"),
    updatedFrom: end("updatedAt", "from"),
    updatedUntil: end("updatedAt", "until"),
    isScheduled,
    publishFrom: end("publishAt", "from"),
    publishUntil: end("publishAt", "until"),
    search: slot(given.search != null, ({ search }) => {
      const words = searchWords(search ?? "");
      if (words !== null) return words;
      throw badInput("filter.search", "filter.search must have from 1 to 16 words, in at most 200 characters.");
    }),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** Statuses where none are asked for; undefined: the published posts. */
function defaultStatuses(isScheduled?: boolean, hasWorkingCopy?: boolean): readonly PostStatus[] | undefined {
  if (isScheduled === true) return ["DRAFT"];
  return hasWorkingCopy === true ? POST_STATUSES : undefined;
}

/** The argument's value in the request that is being planned; null if it is omitted or does not exist. */
function shape<Value = unknown>(site: ListSite, name: string): Value | null {
  return (argument(site, name).value(site.slots.variables) as Value | null | undefined) ?? null;
}

function argument({ field: { definition, nodes } }: ListSite, name: string): Argument {
  return argumentOf(definition, nodes[0], name);
}

function bindPart({ slots }: ListSite, { node, value }: Argument, read: (given: unknown) => SlotValue): Slot {
  return slots.bind({ node, value: (variables) => read(value(variables)) });
}
