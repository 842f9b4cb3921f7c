import { AppError } from "../../src/domain/errors.ts";
import type { Id } from "../../src/domain/id.ts";
import type { IdempotencyStore } from "../../src/domain/idempotency.ts";
import type { KeptPost } from "../../src/domain/posts/deleted-posts.ts";
import type { EditedPost } from "../../src/domain/posts/editing.ts";
import type { RevisionName } from "../../src/domain/posts/history.ts";
import type { NewPost, PostChange, PostDecision, PostState } from "../../src/domain/posts/post.ts";
import type { DeletedPost } from "../../src/domain/posts/trail.ts";
import type { CopyState, CopyText } from "../../src/domain/posts/working-copy.ts";
import type { PreparedRead } from "../../src/domain/reading/prepared-read.ts";
import type { RootSelection } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { type Article, type Content, evaluate, type Person, wholeArticle } from "../content.ts";

/** A store that reads selections from memory: it tests the planner without a database. */
export class MemoryStore implements Pick<Store, "prepareRead" | "idempotency"> {
  people: Person[];
  articles: Article[];
  readonly #deleted: Article[] = [];
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
      const { status, version, title, publishAt } = article === undefined ? ABSENT : wholeArticle(article);
      const change = decide(
        article === undefined
          ? null
          : { id, authorId: article.authorId as Id, status, version, title, publishAt, updatedAt: article.createdAt },
      );
      if (article === undefined || change === null) return;
      const { event, rendered, titleSlug: _, slug, excerpt, ...written } = change;
      const chosen = { ...(slug == null ? {} : { slug }), ...(excerpt == null ? {} : { excerpt }) };
      if (event === "post.deleted") this.#deleted.push(...this.articles.splice(index, 1));
      else this.articles[index] = { ...article, ...written, ...rendered, ...chosen, version: version + 1 };
    },

    restore: async ({ id, status, version }: DeletedPost): Promise<void> => {
      const at = this.#deleted.findIndex((article) => article.id === id);
      for (const article of this.#deleted.splice(at, 1)) this.articles.push({ ...article, status, version });
    },
  };

  readonly deletedPosts = {
    find: async (id: Id): Promise<KeptPost | null> => {
      const article = this.#deleted.find((deleted) => deleted.id === id);
      if (article === undefined) return null;
      const { createdAt: deletedAt } = article;
      const rest = { slug: null, excerpt: null, publishedAt: null, deletedAt, deletedBy: null };
      return { ...wholeArticle(article), id, authorId: article.authorId as Id, ...rest };
    },
  };

  /** There are none. */
  readonly editing = {
    announce: async (): Promise<void> => {},
    sweep: async (): Promise<number> => 0,
    look: async (ids: readonly Id[]): Promise<EditedPost[]> =>
      this.articles
        .filter(({ id }) => ids.includes(id as Id))
        .map((article) => ({
          ...{ id: article.id as Id, authorId: article.authorId as Id, status: wholeArticle(article).status },
          ...{ version: wholeArticle(article).version, workingVersion: 0, editing: [] },
        })),
  };

  readonly revisions = {
    name: async ({ postId }: RevisionName, decide: (post: PostState | null) => void): Promise<void> => {
      await this.posts.edit(postId, (post) => {
        decide(post);
        return null;
      });
    },
  };

  readonly workingCopies = {
    find: async (id: Id): Promise<CopyText | null> => {
      let found: PostState | null = null;
      await this.posts.edit(id, (post) => {
        found = post;
        return null;
      });
      return found && { ...NO_COPY, post: found, text: null, differing: [] };
    },
    edit: async (id: Id, _by: unknown, decide: (post: PostState | null, copy: CopyState) => unknown): Promise<void> => {
      await this.posts.edit(id, (post) => {
        decide(post, NO_COPY);
        return null;
      });
    },
    apply: (id: Id, decide: (post: PostState | null, copy: CopyState) => PostChange | null): Promise<void> =>
      this.posts.edit(id, (post) => decide(post, NO_COPY)),
  };

  /** There are none. */
  readonly plannedUpdates = {
    cancel: async (id: Id, decide: (post: PostState | null) => void): Promise<void> => {
      await this.posts.edit(id, (post) => {
        decide(post);
        return null;
      });
    },
  };

  /** Nothing of them is kept. */
  readonly previewLinks = {
    find: async () => null,
    create: async ({ postId }: { readonly postId: Id }, decide: (post: PostState | null) => void): Promise<Id> => {
      await this.posts.edit(postId, (post) => {
        decide(post);
        return null;
      });
      return postId;
    },
    revoke: async () => {},
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

const NO_COPY: CopyState = { version: 0, isRestored: false };

const ABSENT = { status: "DRAFT", version: 0, title: "", publishAt: null } as const;
