import type { PostStatus } from "../src/domain/post-status.ts";
import { encodeCursor } from "../src/domain/reading/cursor.ts";
import {
  ALL,
  type ConnectionField,
  type DeletedPostConnection,
  type Order,
  type Page,
  type PostConnection,
  type PostFilter,
  type PostList,
  type PostOrderKey,
  type PostSelection,
  type RevisionConnection,
  type RootSelection,
  type Slot,
  type SlotValues,
  type UserConnection,
  type UserSelection,
} from "../src/domain/reading/selection.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified?: boolean;
  readonly createdAt?: string;
}

/** What is left out is as it is in a post that was published at once and not rendered yet. */
export interface Article {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  readonly authorId: string;
  readonly status?: PostStatus;
  readonly updatedAt?: string;
  readonly publishedAt?: string | null;
  readonly publishAt?: string | null;
  readonly publishAtZone?: string | null;
  readonly slug?: string;
  readonly excerpt?: string;
  readonly wordCount?: number;
  readonly bodyHtml?: string;
  readonly version?: number;
  /** What is being written; null for nothing. */
  readonly copy?: CopiedText | null;
  /** Texts that were taken away, oldest first. */
  readonly taken?: readonly TakenText[];
}

export interface CopiedText {
  readonly title: string;
  readonly body: string;
  readonly version: number;
  readonly updatedAt: string;
  readonly updatedById: string;
}

export interface TakenText {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  readonly personId: string;
}

export interface Content {
  readonly people: readonly Person[];
  readonly articles: readonly Article[];
}

const AT_NO_TIME = "2026-01-31T12:00:00.000Z";

export function wholePerson(person: Person) {
  const { createdAt = AT_NO_TIME, emailVerified = true } = person;
  return { ...person, emailVerified, createdAt, updatedAt: createdAt, version: 1 };
}

export function wholeArticle(article: Article) {
  const { id, createdAt, status = "PUBLISHED" } = article;
  const publishedAt = status === "PUBLISHED" ? createdAt : null;
  const made = { slug: id, excerpt: "", wordCount: 0, bodyHtml: "" };
  return {
    status,
    updatedAt: createdAt,
    publishedAt,
    publishAt: null,
    publishAtZone: null,
    version: 1,
    ...made,
    ...article,
  };
}

/** The words of a text as both databases find them; in tests, only of letters that hold no surprises. */
export function hasWords(text: string, search: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return search
    .split(" ")
    .every((word) =>
      words.some((found) => (word.endsWith("*") ? found.startsWith(word.slice(0, -1)) : found === word)),
    );
}

/** The oracle of storage: a selection read field by field in plain JavaScript. */
export function evaluate(content: Content, root: RootSelection, values: SlotValues): unknown {
  return new Evaluation(content, root, values).root(root);
}

interface Row {
  readonly id: string;
  readonly key: string;
}

class Evaluation {
  readonly #content: Content;
  readonly #values: SlotValues;
  readonly #viewer: unknown;

  constructor(content: Content, { viewer }: RootSelection, values: SlotValues) {
    this.#content = content;
    this.#values = values;
    this.#viewer = viewer === undefined ? null : this.#at(viewer);
  }

  root(root: RootSelection): unknown {
    switch (root.kind) {
      case "user":
        return this.#user(this.#at(root.id), root.selection);
      case "post":
        return this.#post(this.#at(root.id), root.selection);
      case "postBySlug":
        return this.#post(this.#bySlug(this.#at(root.slug)), root.selection);
      case "workingCopy":
      case "previewLink":
        return null; // the content has none
      case "deletedPosts":
        return this.#connection(root, [], () => null); // nobody has deleted any
      case "node":
        return this.#user(this.#at(root.id), root.user) ?? this.#post(this.#at(root.id), root.post);
      case "nodes":
        return (JSON.parse(String(this.#at(root.ids))) as string[]).map(
          (id) => this.#user(id, root.user) ?? this.#post(id, root.post),
        );
      case "posts":
        return this.#posts(root, null);
      case "postsConnection":
        return this.#postConnection(root, null);
      case "users":
        return this.#page(this.#people(root.order), root).rows.map(({ id }) => this.#user(id, root.selection));
      case "usersConnection":
        return this.#connection(root, this.#people(root.order), (id, selection: UserSelection) =>
          this.#user(id, selection),
        );
    }
  }

  #at({ slot }: Slot) {
    return this.#values[slot];
  }

  #bySlug(slug: unknown): string | undefined {
    return this.#content.articles.find((article) => wholeArticle(article).slug === slug)?.id;
  }

  #user(id: unknown, { fields }: UserSelection): unknown {
    const person = this.#content.people.find((candidate) => candidate.id === id);
    if (person === undefined) return null;
    const whole = wholePerson(person);
    return Object.fromEntries(
      fields.map((field) => {
        if (field.kind === "constant") return [field.key, field.value];
        if (field.kind === "column") return [field.key, whole[field.column]];
        if (field.kind === "posts") return [field.key, this.#posts(field, person.id)];
        return [field.key, this.#postConnection(field, person.id)];
      }),
    );
  }

  #post(id: unknown, { fields }: PostSelection): unknown {
    const article = this.#content.articles.find((candidate) => candidate.id === id);
    if (article === undefined || !this.#isVisible(article)) return null;
    const whole = wholeArticle(article);
    return Object.fromEntries(
      fields.map((field) => {
        if (field.kind === "constant") return [field.key, field.value];
        if (field.kind === "column") return [field.key, whole[field.column]];
        if (field.kind === "viewerCanUpdate") return [field.key, this.#mayChange(article)];
        if (field.kind === "workingCopy" || field.kind === "plannedUpdate") return [field.key, null]; // this content is one that nobody has changed
        if (field.kind === "revisions") return [field.key, this.#connection(field, [], () => null)];
        if (field.kind === "previewLinks") return [field.key, []]; // the content has none
        if (field.kind === "url") return [field.key, this.#url(field.template, whole)];
        return [field.key, this.#user(article.authorId, field.selection)];
      }),
    );
  }

  #mayChange({ authorId }: Article): boolean {
    return this.#viewer === ALL || this.#viewer === authorId;
  }

  #url(template: string | null, { id, slug }: { readonly id: string; readonly slug: string }): string | null {
    return template?.replaceAll("{slug}", encodeURIComponent(slug)).replaceAll("{id}", id) ?? null;
  }

  #isVisible({ status = "PUBLISHED", authorId }: Article): boolean {
    return status === "PUBLISHED" || this.#viewer === ALL || this.#viewer === authorId;
  }

  #posts(list: PostList, author: string | null): unknown {
    const { rows } = this.#page(this.#articles(list, author), list);
    return rows.map(({ id }) => this.#post(id, list.selection));
  }

  #postConnection(connection: PostConnection, author: string | null): unknown {
    const rows = this.#articles(connection, author);
    return this.#connection(connection, rows, (id, selection: PostSelection) => this.#post(id, selection));
  }

  #connection<Selection>(
    connection: (PostConnection | UserConnection | RevisionConnection | DeletedPostConnection) & {
      readonly fields: readonly ConnectionField<Selection>[];
    },
    all: readonly Row[],
    node: (id: string, selection: Selection) => unknown,
  ): unknown {
    const { rows, hasPreviousPage, hasNextPage } = this.#page(all, connection);
    const cursor = (row: Row | undefined) => (row === undefined ? null : encodeCursor(connection.list, row));
    const info = { hasPreviousPage, hasNextPage, startCursor: cursor(rows[0]), endCursor: cursor(rows.at(-1)) };
    return Object.fromEntries(
      connection.fields.map((field) => {
        if (field.kind === "constant") return [field.key, field.value];
        if (field.kind === "totalCount") return [field.key, all.length];
        if (field.kind === "boundedCount") return [field.key, Math.min(all.length, Number(this.#at(field.upTo)) + 1)];
        if (field.kind === "nodes") return [field.key, rows.map(({ id }) => node(id, field.selection))];
        if (field.kind === "pageInfo") {
          const entries = field.fields.map((one) => [one.key, one.kind === "constant" ? one.value : info[one.kind]]);
          return [field.key, Object.fromEntries(entries)];
        }
        const edges = rows.map((row) =>
          Object.fromEntries(
            field.fields.map((one) => {
              if (one.kind === "constant") return [one.key, one.value];
              if (one.kind === "cursor") return [one.key, cursor(row)];
              return [one.key, one.kind === "node" ? node(row.id, one.selection) : null];
            }),
          ),
        );
        return [field.key, edges];
      }),
    );
  }

  #people(order: Order<"createdAt" | "name"> | undefined): Row[] {
    const { by, descending } = order ?? { by: "createdAt", descending: true };
    return sorted(
      this.#content.people.map((person) => ({ id: person.id, key: wholePerson(person)[by] })),
      descending,
    );
  }

  #articles(list: Page<PostOrderKey> & { readonly filter?: PostFilter }, author: string | null): Row[] {
    const { by, descending } = list.order ?? { by: "createdAt", descending: true };
    const { filter = {} } = list;
    const search = filter.search === undefined ? "" : String(this.#at(filter.search));
    const rows = this.#content.articles
      .filter((article) => (author === null || article.authorId === author) && this.#isListed(article, filter))
      .map((article) => {
        const whole = wholeArticle(article);
        if (by !== "relevance") return { id: whole.id, key: whole[by] ?? "" };
        return { id: whole.id, key: `${hasWords(whole.title, search) ? 1 : 0}${whole.createdAt}` };
      });
    return sorted(rows, descending);
  }

  #isListed(article: Article, filter: PostFilter): boolean {
    const { status, createdAt, updatedAt, publishAt, title, body, authorId } = wholeArticle(article);
    const { statuses = ["PUBLISHED"], author, search } = filter;
    const bound = (slot: Slot | undefined, holds: (bound: string) => boolean) =>
      slot === undefined || holds(String(this.#at(slot)));
    return (
      statuses.includes(status) &&
      this.#isVisible(article) &&
      (author === undefined || this.#at(author) === authorId) &&
      bound(filter.createdFrom, (from) => createdAt >= from) &&
      bound(filter.createdUntil, (until) => createdAt < until) &&
      bound(filter.updatedFrom, (from) => updatedAt >= from) &&
      bound(filter.updatedUntil, (until) => updatedAt < until) &&
      (filter.isScheduled === undefined || filter.isScheduled === (publishAt !== null)) &&
      (filter.isScheduled !== true || status !== "PUBLISHED") && // the content has no planned updates
      bound(filter.publishFrom, (from) => publishAt !== null && publishAt >= from) &&
      bound(filter.publishUntil, (until) => publishAt !== null && publishAt < until) &&
      (search === undefined || hasWords(`${title} ${body}`, String(this.#at(search))))
    );
  }

  #page(all: readonly Row[], page: Page<string> & { readonly fromEnd?: true }) {
    const descending = page.order?.descending ?? true;
    const compare = (row: Row, position: { key: Slot; id: Slot }) =>
      compareRows(row, { key: String(this.#at(position.key)), id: String(this.#at(position.id)) }) *
      (descending ? -1 : 1);
    const { after, before, fromEnd = false } = page;
    const kept = all.filter(
      (row) => (after === undefined || compare(row, after) > 0) && (before === undefined || compare(row, before) < 0),
    );
    const size = Number(this.#at(page.first));
    const rows = fromEnd ? kept.slice(Math.max(0, kept.length - size)) : kept.slice(0, size);
    const isCut = kept.length > size;
    return {
      rows,
      hasPreviousPage: (fromEnd && isCut) || (after !== undefined && all.some((row) => compare(row, after) <= 0)),
      hasNextPage: (!fromEnd && isCut) || (before !== undefined && all.some((row) => compare(row, before) >= 0)),
    };
  }
}

function sorted(rows: Row[], descending: boolean): Row[] {
  return rows.sort((a, b) => compareRows(a, b) * (descending ? -1 : 1));
}

/** By code point, as both databases do. */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function compareRows(a: Row, b: Row): number {
  return compareText(a.key, b.key) || compareText(a.id, b.id);
}
