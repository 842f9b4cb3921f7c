import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { IdempotencyStore } from "../../src/domain/idempotency.ts";
import type { NewPost, PostDecision } from "../../src/domain/posts/post.ts";
import type { PreparedRead } from "../../src/domain/reading/prepared-read.ts";
import type { RootSelection } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { type Article, type Content, evaluate, type Person, wholeArticle } from "../content.ts";

/** A store that reads selections from memory: it tests the planner without a database. */
export class MemoryStore implements Pick<Store, "prepareRead" | "idempotency"> {
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
        return JSON.stringify(evaluate(this, root, values));
      },
    };
  }

  readonly posts = {
    create: async ({ authorId, title, body, status = "PUBLISHED", rendered }: NewPost): Promise<Id> => {
      if (this.failure !== null) throw this.failure;
      if (!this.people.some(({ id }) => id === authorId)) throw new AppError("NOT_FOUND", "The author is missing.");
      const id = `01990000-0000-7000-8000-${String(this.articles.length).padStart(12, "0")}` as Id;
      this.articles.push({ id, authorId, title, body, status, createdAt: "2026-01-31T12:00:00.000Z", ...rendered });
      return id;
    },

    edit: async (id: Id, decide: PostDecision): Promise<void> => {
      const index = this.articles.findIndex((article) => article.id === id);
      const article = this.articles[index];
      const { status, version, publishAt } = article === undefined ? ABSENT : wholeArticle(article);
      const change = decide(
        article === undefined
          ? null
          : { id, authorId: article.authorId as Id, status, version, publishAt, updatedAt: article.createdAt },
      );
      if (article === undefined || change === null) return;
      const { event, rendered, ...written } = change;
      if (event === "post.deleted") this.articles.splice(index, 1);
      else this.articles[index] = { ...article, ...written, ...rendered, version: version + 1 };
    },
  };

  readonly users = {
    changeProfile: async (id: Id, change: { name?: string }): Promise<void> => {
      this.people = this.people.map((person) => (person.id === id ? { ...person, ...change } : person));
    },
  };

  readonly idempotency: IdempotencyStore = {
    find: async () => [],
    keepAnswer: async () => {},
    sweep: async () => 0,
  };
}

const ABSENT = { status: "DRAFT", version: 0, publishAt: null } as const;
