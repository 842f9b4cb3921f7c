import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { PostList, PostSelection, RootSelection, SlotValues, UserSelection } from "../../src/domain/selection.ts";
import type { PreparedRead, Store } from "../../src/domain/store.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface Article {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: string;
  readonly authorId: string;
}

export interface Content {
  readonly people: readonly Person[];
  readonly articles: readonly Article[];
}

/** Newest first, ties broken by id. */
export function newestFirst(articles: readonly Article[]): Article[] {
  const key = (article: Article) => `${article.createdAt} ${article.id}`;
  return articles.toSorted((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** A store that reads selections from memory: it tests the planner without a database. */
export class MemoryStore implements Pick<Store, "prepareRead"> {
  people: Person[];
  articles: Article[];
  /** How many statements ran. */
  statements = 0;
  /** When set, the next statement fails with it. */
  failure: Error | null = null;

  constructor({ people, articles }: Content = { people: [], articles: [] }) {
    this.people = [...people];
    this.articles = [...articles];
  }

  prepareRead(root: RootSelection): PreparedRead {
    return {
      run: (values) => {
        this.statements++;
        if (this.failure !== null) throw this.failure;
        return JSON.stringify(this.#root(root, values));
      },
    };
  }

  readonly posts = {
    create: async ({ authorId, title, body }: { authorId: Id; title: string; body: string }): Promise<Id> => {
      if (this.failure !== null) throw this.failure;
      if (!this.people.some(({ id }) => id === authorId)) throw new AppError("NOT_FOUND", "The author is missing.");
      const id = `01990000-0000-7000-8000-${String(this.articles.length).padStart(12, "0")}` as Id;
      this.articles.push({ id, authorId, title, body, createdAt: "2026-01-31T12:00:00.000Z" });
      return id;
    },
  };

  #root(root: RootSelection, values: SlotValues): unknown {
    if (root.kind === "posts") return this.#list(this.articles, root, values);
    const id = values[root.id.slot];
    if (root.kind === "user")
      return this.#person(
        this.people.find((person) => person.id === id),
        root.selection,
        values,
      );
    const article = this.articles.find((candidate) => candidate.id === id);
    return article === undefined ? null : this.#article(article, root.selection, values);
  }

  #list(articles: readonly Article[], { selection, first }: PostList, values: SlotValues): unknown[] {
    const page = newestFirst(articles).slice(0, Number(values[first.slot]));
    return page.map((article) => this.#article(article, selection, values));
  }

  #person(person: Person | undefined, { fields }: UserSelection, values: SlotValues): unknown {
    if (person === undefined) return null;
    return Object.fromEntries(
      fields.map((field) => {
        if (field.kind === "constant") return [field.key, field.value];
        if (field.kind === "column") return [field.key, person[field.column]];
        const own = this.articles.filter(({ authorId }) => authorId === person.id);
        return [field.key, this.#list(own, field, values)];
      }),
    );
  }

  #article(article: Article, { fields }: PostSelection, values: SlotValues): unknown {
    return Object.fromEntries(
      fields.map((field) => {
        if (field.kind === "constant") return [field.key, field.value];
        if (field.kind === "column") return [field.key, article[field.column]];
        const author = this.people.find((person) => person.id === article.authorId);
        return [field.key, this.#person(author, field.selection, values)];
      }),
    );
  }
}
