import { execute, type GraphQLSchema, parse } from "graphql";
import { POST_STATUSES, type PostStatus } from "../../src/domain/post-status.ts";
import { decodeCursor, encodeCursor } from "../../src/domain/reading/cursor.ts";
import { ALL } from "../../src/domain/reading/selection.ts";
import {
  type Article,
  type Content,
  type CopiedText,
  compareText,
  hasWords,
  type Person,
  type TakenText,
  wholeArticle,
  wholePerson,
} from "../content.ts";

/** Whose unpublished posts are seen: a person's id, ALL for everybody's, null for nobody's. */
export type Reader = string | null;

interface ListArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly orderBy?: { readonly field: string; readonly direction: "ASC" | "DESC" } | null;
  readonly filter?: {
    readonly author?: string | null;
    readonly status?: readonly PostStatus[] | null;
    readonly createdAt?: Range | null;
    readonly updatedAt?: Range | null;
    readonly search?: string | null;
    readonly hasWorkingCopy?: boolean | null;
  } | null;
}

interface Range {
  readonly from?: string | null;
  readonly until?: string | null;
}

interface Row<Entry> {
  readonly id: string;
  readonly key: string;
  readonly entry: Entry;
}

/** The name of a list in one order, to which its cursors belong. */
export function listName(list: string, field = "CREATED_AT", direction = "DESC"): string {
  const key = field.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return `${list}.${key}.${direction.toLowerCase()}`;
}

/** What graphql-js itself answers from the same content, with one plain function per link. */
export function referenceAnswer(
  schema: GraphQLSchema,
  content: Content,
  query: string,
  variableValues: object,
  reader: Reader = null,
): string {
  const isSeen = ({ status = "PUBLISHED", authorId }: Article) =>
    status === "PUBLISHED" || reader === ALL || reader === authorId;

  const mayChange = ({ authorId }: Article) => reader === ALL || reader === authorId;

  const inRange = (time: string, range: Range | null | undefined) =>
    (range?.from == null || Date.parse(time) >= Date.parse(range.from)) &&
    (range?.until == null || Date.parse(time) < Date.parse(range.until));

  const articles = (list: string, { filter, orderBy }: ListArguments, author: string | null) => {
    const { search, hasWorkingCopy } = filter ?? {};
    const statuses = hasWorkingCopy === true ? POST_STATUSES : ["PUBLISHED"];
    const { field, direction } = orderBy ?? { field: search == null ? "CREATED_AT" : "RELEVANCE", direction: "DESC" };
    const rows = content.articles
      .filter(isSeen)
      .filter((article) => {
        const { status, createdAt, updatedAt, title, body, authorId } = wholeArticle(article);
        return (
          (filter?.status ?? statuses).includes(status) &&
          (hasWorkingCopy == null || hasWorkingCopy === (mayChange(article) && article.copy != null)) &&
          (author === null || author === authorId) &&
          (filter?.author == null || filter.author === authorId) &&
          inRange(createdAt, filter?.createdAt) &&
          inRange(updatedAt, filter?.updatedAt) &&
          (search == null || hasWords(`${title} ${body}`, search))
        );
      })
      .map((entry) => {
        const { id, title, createdAt, updatedAt, publishedAt } = wholeArticle(entry);
        const keys: Record<string, string | null> = {
          CREATED_AT: createdAt,
          UPDATED_AT: updatedAt,
          PUBLISHED_AT: publishedAt,
          RELEVANCE: `${hasWords(title, search ?? "") ? 1 : 0}${createdAt}`,
        };
        return { id, entry, key: keys[field] ?? "" };
      });
    return { rows: inOrder(rows, direction), direction, name: listName(list, field, direction) };
  };

  const people = ({ orderBy }: ListArguments) => {
    const { field, direction } = orderBy ?? { field: "CREATED_AT", direction: "DESC" };
    const rows = content.people.map((entry) => ({
      id: entry.id,
      entry,
      key: field === "NAME" ? entry.name : wholePerson(entry).createdAt,
    }));
    return { rows: inOrder(rows, direction), direction, name: listName("users", field, direction) };
  };

  const user = (person: Person | undefined): unknown =>
    person && {
      __typename: "User",
      ...wholePerson(person),
      posts: (given: ListArguments) => page(articles("User.posts", given, person.id), given).shown.map(post),
      postsConnection: (given: ListArguments) => connection(articles("User.posts", given, person.id), given, post),
    };

  const post = (article: Article | undefined): unknown =>
    article && {
      __typename: "Post",
      ...wholeArticle(article),
      author: () => user(content.people.find(({ id }) => id === article.authorId)),
      viewerCanUpdate: mayChange(article),
      workingCopy: () => (mayChange(article) ? workingCopy(article.copy) : null),
      revisions: (given: ListArguments) => revisions(article, given),
    };

  const workingCopy = (copy: CopiedText | null | undefined): unknown =>
    copy && {
      __typename: "WorkingCopy",
      ...{ ...copy, slug: null, excerpt: null, baseVersion: 1 },
      updatedBy: () => user(content.people.find(({ id }) => id === copy.updatedById)),
    };

  const revisions = (article: Article, given: ListArguments): unknown => {
    const taken = mayChange(article) ? (article.taken ?? []) : [];
    const rows = taken.map((entry) => ({ id: entry.id, key: entry.createdAt, entry }));
    const list = { rows: inOrder(rows, "DESC"), direction: "DESC", name: listName("Post.revisions") };
    return connection(list, { first: 50, ...given }, (one: TakenText) => ({
      __typename: "PostRevision",
      ...{ ...one, version: 1, kind: "MERGED", status: wholeArticle(article).status },
      ...{ slug: null, excerpt: null, clientId: "studio" },
      person: () => user(content.people.find(({ id }) => id === one.personId)),
    }));
  };

  const node = (wanted: string) =>
    user(content.people.find(({ id }) => id === wanted)) ??
    post(content.articles.filter(isSeen).find(({ id }) => id === wanted));

  const rootValue = {
    viewer: () => user(content.people.find(({ id }) => id === reader)),
    user: ({ id }: { id: string }) => user(content.people.find((person) => person.id === id)),
    users: (given: ListArguments) => page(people(given), given).shown.map(user),
    usersConnection: (given: ListArguments) => connection(people(given), given, user),
    post: ({ id }: { id: string }) => post(content.articles.filter(isSeen).find((article) => article.id === id)),
    posts: (given: ListArguments) => page(articles("posts", given, null), given).shown.map(post),
    postsConnection: (given: ListArguments) => connection(articles("posts", given, null), given, post),
    node: ({ id }: { id: string }) => node(id),
    nodes: ({ ids }: { ids: readonly string[] }) => ids.map(node),
  };
  const result = execute({ schema, document: parse(query), rootValue, variableValues: { ...variableValues } });
  return JSON.stringify(result);
}

interface List<Entry> {
  readonly rows: readonly Row<Entry>[];
  readonly direction: string;
  readonly name: string;
}

function page<Entry>({ rows, direction, name }: List<Entry>, { first, last, after, before }: ListArguments) {
  const place = (cursor: string | null | undefined) => (cursor == null ? null : decodeCursor(name, cursor));
  const [start, end] = [place(after), place(before)];
  const sign = direction === "DESC" ? -1 : 1;
  const isPast = (row: Row<Entry>) => start === null || sign * compareRows(row, start) > 0;
  const isShort = (row: Row<Entry>) => end === null || sign * compareRows(row, end) < 0;
  const between = rows.filter((row) => isPast(row) && isShort(row));
  const kept = last == null ? between.slice(0, first ?? 100) : between.slice(Math.max(0, between.length - last));
  const isCut = kept.length < between.length;
  return {
    kept,
    shown: kept.map(({ entry }) => entry),
    hasNextPage: (last == null && isCut) || !rows.every(isShort),
    hasPreviousPage: (last != null && isCut) || !rows.every(isPast),
  };
}

function connection<Entry>(list: List<Entry>, given: ListArguments, node: (entry: Entry) => unknown) {
  const { kept, shown, hasNextPage, hasPreviousPage } = page(list, given);
  const cursors = kept.map((row) => encodeCursor(list.name, row));
  return {
    totalCount: list.rows.length,
    nodes: shown.map(node),
    edges: kept.map(({ entry }, index) => ({ node: node(entry), cursor: cursors[index] })),
    pageInfo: { hasNextPage, hasPreviousPage, startCursor: cursors[0] ?? null, endCursor: cursors.at(-1) ?? null },
  };
}

function inOrder<Entry>(rows: Row<Entry>[], direction: string): Row<Entry>[] {
  return rows.sort((a, b) => (direction === "DESC" ? -1 : 1) * compareRows(a, b));
}

function compareRows(a: { key: string; id: string }, b: { key: string; id: string }): number {
  return compareText(a.key, b.key) || compareText(a.id, b.id);
}
