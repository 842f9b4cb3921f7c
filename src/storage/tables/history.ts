import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import type { PostChange, PostState } from "../../domain/posts/post.ts";
import { kindOfChange } from "../../domain/posts/revision-kinds.ts";
import type { ChangedBy, PostText } from "../../domain/posts/revisions.ts";
import type { Database } from "../database/database.ts";
import { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { bind, param, statement } from "../database/statement.ts";
import { textOf } from "./slugs.ts";

type Tx = Kysely<Schema>;

export const NOBODY: ChangedBy = { userId: null, clientId: null };

/** The post before a change of it. */
export interface HistoryBefore {
  /** The latest revision; null without any. */
  readonly last: { readonly id: Id; readonly createdAt: string } | null;
  readonly changesText: boolean;
}

/**
 * Writes the history of posts, within the transactions that change them: nobody else changes the post until they end. Texts are copied
 * within the database. A post costs nothing here until it is changed.
 */
export class HistoryWriter {
  readonly #ids: IdSource;
  readonly #before;
  readonly #original;
  readonly #insert;

  constructor({ read }: Database, ids: IdSource) {
    this.#ids = ids;
    // Whether a field is given, and its value, from slot 1 on.
    const differs = TEXT_FIELDS.map(
      (name, i) =>
        sql`(cast(${param(1 + 2 * i)} as integer) = 1 and ${OWN_TEXT[name]} is distinct from ${textOf(param(2 + 2 * i))})`,
    );
    this.#before = statement(() =>
      read
        .selectFrom("posts")
        .select([
          "created_at",
          sql<number>`case when ${sql.join(differs, sql` or `)} then 1 else 0 end`.as("differs"),
          sql<number>`case when ${HAS_TEXT} then 1 else 0 end`.as("has_text"),
          sql<Id | null>`(select id ${LAST})`.as("last_id"),
          sql<string | null>`(select created_at ${LAST})`.as("last_at"),
          sql<number | null>`case when not ${HAS_TEXT} then (select min(version) ${STATES}) end`.as("first_version"),
          sql<string | null>`case when not ${HAS_TEXT} then (select min(created_at) ${STATES}) end`.as("first_at"),
        ])
        .where("id", "=", param<Id>(0)),
    );
    // The writer of a text from before there was a history is not known.
    const isCreated = sql`cast(${param(3)} as integer) = 1`;
    this.#original = statement(() =>
      revisionFrom(read, read.selectFrom("posts").where("posts.id", "=", param<Id>(0)), {
        id: textOf(param(1)),
        post_id: sql.ref("posts.id"),
        version: sql`cast(${param(2)} as bigint)`,
        kind: sql`case when ${isCreated} then 'CREATED' else 'APPLIED' end`,
        status: sql`case when not ${isCreated} then status
          when published_at = created_at then 'PUBLISHED' else 'DRAFT' end`,
        created_at: textOf(param(4)),
        person_id: sql`case when ${isCreated} then author_id end`,
        client_id: sql`cast(null as text)`,
        is_kept: sql`case when published_at <> '' then 1 else 0 end`,
        ...OWN_TEXT,
      }),
    );
    const isOfState = sql`cast(${param(5)} as integer) = 1`;
    const text = (name: keyof PostText) => sql`case when ${isOfState} then null else ${OWN_TEXT[name]} end`;
    this.#insert = statement(() =>
      revisionFrom(read, read.selectFrom("posts").where("posts.id", "=", param<Id>(0)), {
        id: textOf(param(1)),
        post_id: sql.ref("posts.id"),
        version: sql.ref("version"),
        kind: textOf(param(2)),
        status: sql.ref("status"),
        created_at: textOf(param(3)),
        person_id: textOf(param(4)),
        client_id: textOf(param(6)),
        is_kept: sql`case when status = 'PUBLISHED' then 1 else 0 end`,
        slug: text("slug"),
        excerpt: text("excerpt"),
        title: text("title"),
        body: text("body"),
      }),
    );
  }

  /** To be called before the change is written. Keeps the text that it replaces, where no revision has that. */
  async before(tx: Tx, { id, version }: PostState, change: PostChange): Promise<HistoryBefore> {
    const given = TEXT_FIELDS.flatMap((name) => [change[name] !== undefined, change[name] ?? null]);
    const [row] = (await tx.executeQuery(bind(this.#before, id, ...given))).rows;
    if (row === undefined) throw new AppError("INTERNAL", "A post that is held is gone.");
    const { last_id, last_at, first_version, first_at, created_at } = row;
    const last = last_id === null || last_at === null ? null : { id: last_id, createdAt: last_at };
    const changesText = Number(row.differs) === 1;
    if (!changesText || Number(row.has_text) === 1) return { last, changesText };
    const original = new IdSource(() => Date.parse(created_at)).next();
    // Changes of state alone have their lines already; the text is older than they.
    const present = first_version === null ? version : Number(first_version) - 1;
    const since = present === 1 ? created_at : (first_at ?? created_at);
    await tx.executeQuery(bind(this.#original, id, original, present, present === 1, since));
    return { last: last ?? { id: original, createdAt: created_at }, changesText };
  }

  /** To be called when the change is written. */
  async after(tx: Tx, post: PostState, change: PostChange, at: string, { last, changesText }: HistoryBefore) {
    const kind = kindOfChange(post, change, changesText);
    if (kind === null) return;
    const { userId, clientId } = change.by ?? NOBODY;
    const id = this.#ids.next(last?.id ?? null);
    const when = laterOf(at, last?.createdAt);
    await tx.executeQuery(bind(this.#insert, post.id, id, kind, when, userId, !changesText, clientId));
    if (change.status === "PUBLISHED" && !changesText)
      await tx
        .updateTable("post_revisions")
        .set({ is_kept: 1 })
        .where("id", "=", (eb) =>
          eb
            .selectFrom("post_revisions")
            .select("id")
            .where("post_id", "=", post.id)
            .where(sql<boolean>`title is not null and kind <> 'MERGED'`) // as the index has it
            .orderBy("created_at", "desc")
            .orderBy("id", "desc")
            .limit(1),
        )
        .execute();
  }

  /** Keeps the text of the working copy, which never was one of the post. */
  async keepCopy(tx: Tx, postId: Id, by: ChangedBy, at: string): Promise<void> {
    const last = await lastOf(tx, postId);
    const copies = tx
      .selectFrom("post_working_copies as copies")
      .innerJoin("posts", "posts.id", "copies.post_id")
      .where("copies.post_id", "=", postId);
    await revisionFrom(tx, copies, {
      id: textOf(this.#ids.next(last?.id ?? null)),
      post_id: sql.ref("copies.post_id"),
      version: sql.ref("posts.version"),
      kind: sql.lit("MERGED"),
      status: sql.ref("posts.status"),
      created_at: textOf(laterOf(at, last?.created_at)),
      person_id: textOf(by.userId),
      client_id: textOf(by.clientId),
      is_kept: sql.lit(0),
      slug: sql.ref("copies.slug"),
      excerpt: sql.ref("copies.excerpt"),
      title: sql.ref("copies.title"),
      body: sql.ref("copies.body"),
    }).execute();
  }

  /** The text with which a deleted post came back. @param isKept whether it stays as long as the post */
  async restored(tx: Tx, postId: Id, by: ChangedBy, at: string, isKept: boolean): Promise<void> {
    const last = await lastOf(tx, postId);
    const id = this.#ids.next(last?.id ?? null);
    const when = laterOf(at, last?.created_at);
    await tx.executeQuery(bind(this.#insert, postId, id, "RESTORED", when, by.userId, false, by.clientId));
    if (isKept) await tx.updateTable("post_revisions").set({ is_kept: 1 }).where("id", "=", id).execute();
  }
}

function lastOf(tx: Tx, postId: Id) {
  return tx
    .selectFrom("post_revisions")
    .select(["id", "created_at"])
    .where("post_id", "=", postId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** SQL for each column of a new revision. */
type RevisionValues = Readonly<Record<Exclude<keyof Schema["post_revisions"], "name">, RawBuilder<unknown>>>;

/** Inserts a revision for each of the rows, within the database. */
function revisionFrom<DB, From extends keyof DB>(
  db: Kysely<Schema>,
  rows: SelectQueryBuilder<DB, From, object>,
  values: RevisionValues,
) {
  const names = Object.keys(values) as (keyof RevisionValues)[];
  const selected = rows.select(names.map((name) => values[name].as(name)));
  return db.insertInto("post_revisions").columns(names).expression(selected);
}

/** The parts of a post that people wrote. A slug or an excerpt that is derived does not count. */
export const OWN_TEXT = {
  title: sql<string>`title`,
  body: sql<string>`body`,
  slug: sql<string | null>`case when slug_by_hand = 1 then slug end`,
  excerpt: sql<string | null>`case when derived_excerpt is not null then excerpt end`,
} as const;

export const TEXT_FIELDS = Object.keys(OWN_TEXT) as readonly (keyof typeof OWN_TEXT)[];

/** Whether the post in slot 0 has a revision with a text of it. The condition is that of their index. */
const HAS_TEXT = sql`exists (select 1 from post_revisions where post_id = ${param(0)} and title is not null and kind <> 'MERGED')`;
const STATES = sql`from post_revisions where post_id = ${param(0)} and kind <> 'MERGED'`;
const LAST = sql`from post_revisions where post_id = ${param(0)} order by created_at desc, id desc limit 1`;

/** Clocks of several nodes may differ a little; the order of the history does not follow them. */
function laterOf(at: string, last: string | undefined): string {
  return last !== undefined && last > at ? last : at;
}
