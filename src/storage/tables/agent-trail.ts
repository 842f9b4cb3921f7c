import type { CompiledQuery, Kysely } from "kysely";
import { auditEvent } from "../../domain/audit.ts";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { PostStatus } from "../../domain/post-status.ts";
import type { PostChange, PostState } from "../../domain/posts/post.ts";
import type { TakeBack } from "../../domain/posts/trail.ts";
import type { AgentAct } from "../../domain/viewer.ts";
import type { AgentChangeTable } from "../database/agent-schema.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { bind, param, statement } from "../database/statement.ts";
import { auditInsertion } from "./audit.ts";
import { OWN_TEXT } from "./history.ts";
import { LASTING_SLUG } from "./slugs.ts";

type Tx = Kysely<Schema>;
/** The columns that `AgentAct` and the time do not fill. */
type Row = Omit<AgentChangeTable, "id" | "at" | "reverted_at" | "user_id" | "client_id" | "tool" | "trace_id">;

/** Rows of one IN list. */
const AT_ONCE = 500;

/** A post before a change of it, as far as taking the change back needs it. */
type PostBefore = PostState & {
  readonly title: string;
  readonly body: string;
  readonly slug: string | null;
  readonly excerpt: string | null;
  readonly publishAtZone: string | null;
  readonly createdAt: string;
  readonly publishedAt: string | null;
};

/** Writes what an agent does to posts, within the transactions that do it: a row to take it back from, and one of the audit. */
export class AgentTrail {
  readonly #insert;
  readonly #audit: ReturnType<typeof auditInsertion>;
  readonly #ids: IdSource;

  constructor(database: Database, ids: IdSource) {
    const { read } = database;
    this.#ids = ids;
    this.#audit = auditInsertion(database, ids);
    this.#insert = statement(() =>
      read.insertInto("agent_changes").values({
        id: param<Id>(0),
        at: param<string>(1),
        user_id: param<Id | null>(2),
        client_id: param<string>(3),
        tool: param<string>(4),
        trace_id: param<string | null>(5),
        post_id: param<Id>(6),
        author_id: param<Id>(7),
        version_before: param<number | null>(8),
        version_after: param<number | null>(9),
        planned_at: param<string | null>(10),
        status: param<PostStatus | null>(11),
        publish_at: param<string | null>(12),
        created_at: param<string | null>(13),
        published_at: param<string | null>(14),
        reverted_at: null,
        title: param<string | null>(15),
        body: param<string | null>(16),
        slug: param<string | null>(17),
        excerpt: param<string | null>(18),
        publish_at_zone: param<string | null>(19),
      }),
    );
  }

  /** The statements for a post that an agent creates. @param at RFC 3339 */
  creation(
    act: AgentAct,
    at: string,
    { id, authorId, publishAt }: { readonly id: Id; readonly authorId: Id; readonly publishAt: string | null },
  ): CompiledQuery[] {
    const nothing = { status: null, publish_at: null, created_at: null, published_at: null, title: null, body: null };
    const chosen = { slug: null, excerpt: null, publish_at_zone: null };
    const versions = { version_before: null, version_after: 1, planned_at: publishAt };
    return this.#rows(act, at, { post_id: id, author_id: authorId, ...versions, ...nothing, ...chosen });
  }

  /** The post with its texts, before an agent changes it: nobody else does until the transaction ends. */
  async before(tx: Tx, post: PostState): Promise<PostBefore> {
    const row = await tx
      .selectFrom("posts")
      .select(["title", "created_at", "published_at", "body", "publish_at_zone", OWN_TEXT.excerpt.as("excerpt")])
      .select(LASTING_SLUG.as("slug"))
      .where("id", "=", post.id)
      .executeTakeFirstOrThrow();
    const publishedAt = row.published_at === "" ? null : row.published_at;
    const { title, body, slug, excerpt, publish_at_zone: publishAtZone, created_at: createdAt } = row;
    return { ...post, title, body, slug, excerpt, publishAtZone, createdAt, publishedAt };
  }

  /** Writes down that an agent has changed a post. Texts that stay are not kept twice. */
  async add(tx: Tx, act: AgentAct, at: string, before: PostBefore, change: PostChange): Promise<void> {
    const isDeletion = change.event === "post.deleted";
    const replaces = (field: "title" | "body") =>
      isDeletion || (change[field] !== undefined && change[field] !== before[field]);
    const planned = change.publishAt === undefined ? before.publishAt : change.publishAt;
    const isDraft = (change.status ?? before.status) === "DRAFT";
    for (const query of this.#rows(act, at, {
      post_id: before.id,
      author_id: before.authorId,
      version_before: before.version,
      version_after: isDeletion ? null : before.version + 1,
      planned_at: isDeletion || !isDraft ? null : planned,
      status: before.status,
      publish_at: before.publishAt,
      created_at: isDeletion ? before.createdAt : null,
      published_at: isDeletion ? before.publishedAt : null,
      title: replaces("title") ? before.title : null,
      body: replaces("body") ? before.body : null,
      slug: before.slug,
      excerpt: before.excerpt,
      publish_at_zone: before.publishAtZone,
    }))
      await tx.executeQuery(query);
  }

  /** Forgets the texts before changes of a post that is deleted by somebody else than an agent: they cannot come back. */
  async forgetTexts(tx: Tx, post: Id): Promise<void> {
    await tx
      .updateTable("agent_changes")
      .set({ title: null, body: null, slug: null, excerpt: null })
      .where("post_id", "=", post)
      .execute();
  }

  /**
   * Marks changes as taken back, and writes that to the audit. @param version of the post afterwards; null: it is deleted
   * @throws AppError CONFLICT where one of them is not there, or was taken back by somebody else
   */
  async takeBack(tx: Tx, post: Id, version: number | null, at: string, takesBack: TakeBack): Promise<void> {
    const { changes, userId, clientId, by } = takesBack;
    let marked = 0;
    for (let start = 0; start < changes.length; start += AT_ONCE) {
      const rows = await tx
        .updateTable("agent_changes")
        .set({ reverted_at: at })
        .where("id", "in", changes.slice(start, start + AT_ONCE))
        .where("reverted_at", "is", null)
        .returning("id")
        .execute();
      marked += rows.length;
    }
    if (marked < changes.length)
      throw new AppError("CONFLICT", "Somebody else has taken these changes back, or their author has left.");
    const now = version === null ? "deleted" : `version ${version}`;
    const detail = `${changes.length} taken back ${by}: post ${post}, now ${now}`;
    const event = auditEvent(Date.parse(at), { event: "agent", result: "ok", userId, clientId, detail });
    await tx.executeQuery(this.#audit(event));
  }

  #rows({ userId, clientId, tool, traceId }: AgentAct, at: string, row: Row): CompiledQuery[] {
    const { post_id, author_id, version_before, version_after, planned_at, title, body } = row;
    const { status, publish_at, created_at, published_at, slug, excerpt, publish_at_zone } = row;
    const versions = `version ${version_before ?? "none"} to ${version_after ?? "none"}`;
    const detail = `${tool}: post ${post_id}, ${versions}${traceId === null ? "" : `, trace ${traceId}`}`;
    return [
      bind(
        this.#insert,
        ...[this.#ids.next(), at, userId, clientId, tool, traceId, post_id, author_id, version_before, version_after],
        ...[planned_at, status, publish_at, created_at, published_at, title, body, slug, excerpt, publish_at_zone],
      ),
      this.#audit(auditEvent(Date.parse(at), { event: "agent", result: "ok", userId, clientId, detail })),
    ];
  }
}
