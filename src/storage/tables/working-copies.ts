import { type Kysely, sql } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { type ChangedBy, noSuchText, type PostText } from "../../domain/posts/revisions.ts";
import type { CopyChange, CopyState, WorkingCopyStore } from "../../domain/posts/working-copy.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { HistoryWriter, OWN_TEXT, TEXT_FIELDS } from "./history.ts";
import { remember } from "./idempotency.ts";
import { endPlannedUpdate } from "./planned-update-row.ts";
import { findPost, openPostWriter } from "./post-changes.ts";
import { untilNoRace } from "./races.ts";
import { readWithin } from "./read-back.ts";

type Tx = Kysely<Schema>;

const NONE: CopyState = { version: 0, isRestored: false };

/**
 * @param database for what is no content: no copy of the database is waited for
 * @param content the same database, for changes of posts
 * @param now Unix time in milliseconds
 */
export function openWorkingCopies(
  database: Database,
  content: Database,
  ids: IdSource,
  now: () => number,
): WorkingCopyStore {
  const { read, dialect } = database;
  const posts = openPostWriter(content, ids, now);
  const history = new HistoryWriter(database, ids);

  async function stateOf(tx: Tx, id: Id): Promise<{ readonly copy: CopyState; readonly last: number }> {
    const row = await tx
      .selectFrom("post_working_copies")
      .select(["version", "is_open", "restored_from"])
      .where("post_id", "=", id)
      .executeTakeFirst();
    const last = Number(row?.version ?? 0);
    const copy = Number(row?.is_open ?? 0) === 1 ? { version: last, isRestored: row?.restored_from != null } : NONE;
    return { copy, last };
  }

  /** The next version: the one before must be what was decided about. */
  async function write(tx: Tx, id: Id, last: number, values: CopyValues): Promise<void> {
    const version = last + 1;
    if (last === 0) {
      const whole = { post_id: id, version, is_open: 1, ...(values as CopyValues & PostText) };
      const isFirst = tx.insertInto("post_working_copies").values(whole);
      const { numInsertedOrUpdatedRows = 0n } = await isFirst
        .onConflict((conflict) => conflict.column("post_id").doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows === 0n) throw raced();
      return;
    }
    const next = tx.updateTable("post_working_copies").set({ version, is_open: 1, ...values });
    const { numUpdatedRows } = await next
      .where("post_id", "=", id)
      .where("version", "=", last)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw raced();
  }

  /** The row stays without its text, so that the next copy goes on from its version. */
  async function close(tx: Tx, id: Id, { version }: CopyState): Promise<void> {
    if (version === 0) return;
    const { numUpdatedRows } = await tx
      .updateTable("post_working_copies")
      .set({ is_open: 0, restored_from: null, updated_by: null, title: "", body: "", slug: null, excerpt: null })
      .where("post_id", "=", id)
      .where("version", "=", version)
      .where("is_open", "=", 1)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw raced();
  }

  async function restored(tx: Tx, postId: Id, revision: Id): Promise<PostText> {
    const found = await tx
      .selectFrom("post_revisions")
      .select([...TEXT_FIELDS])
      .where("id", "=", revision)
      .where("post_id", "=", postId)
      .executeTakeFirst();
    const { title, body } = found ?? {};
    if (found === undefined || title == null || body == null) throw noSuchText();
    return { title, body, slug: found.slug, excerpt: found.excerpt };
  }

  /**
   * Whether the text of the copy is lost with it: neither the post nor what replaces the copy has it, nor the revision from which it came.
   * A few bytes of request could fill the history with the same long text otherwise.
   */
  async function isNowhereElse(tx: Tx, postId: Id, next: PostText | null): Promise<boolean> {
    const copy = await tx
      .selectFrom("post_working_copies")
      .select(["restored_from", ...TEXT_FIELDS])
      .where("post_id", "=", postId)
      .executeTakeFirstOrThrow();
    const isOf = (other: PostText) => TEXT_FIELDS.every((name) => copy[name] === other[name]);
    if ((next !== null && isOf(next)) || isOf(await textOfPost(tx, postId))) return false;
    if (copy.restored_from === null) return true;
    const source = await tx
      .selectFrom("post_revisions")
      .select("id")
      .where("id", "=", copy.restored_from)
      .executeTakeFirst();
    return source === undefined;
  }

  async function perform(tx: Tx, id: Id, by: ChangedBy, change: CopyChange, postVersion: number): Promise<void> {
    const at = new Date(now()).toISOString();
    const { copy, last } = await stateOf(tx, id);
    const saved = { updated_at: at, updated_by: by.userId };
    switch (change.kind) {
      case "discard":
        if (copy.version > 0 && change.keepsText && (await isNowhereElse(tx, id, null)))
          await history.keepCopy(tx, id, by, at);
        if (change.keepsPlan !== true) await endPlannedUpdate(tx, id);
        return close(tx, id, copy);
      case "restore": {
        const text = await restored(tx, id, change.revision);
        if (copy.version > 0 && (await isNowhereElse(tx, id, text))) await history.keepCopy(tx, id, by, at);
        return write(tx, id, last, { ...saved, ...text, base_version: postVersion, restored_from: change.revision });
      }
      case "save": {
        const text = copy.version > 0 ? change.text : { ...(await textOfPost(tx, id)), ...change.text };
        return write(tx, id, last, { ...saved, ...text, base_version: change.baseVersion, restored_from: null });
      }
    }
  }

  return {
    async find(postId) {
      const row = await read
        .selectFrom("posts")
        .leftJoin("post_working_copies as copies", (join) =>
          join.onRef("copies.post_id", "=", "posts.id").on("copies.is_open", "=", 1),
        )
        .select(["posts.author_id", "posts.status", "posts.version as post_version", "posts.publish_at"])
        .select(["posts.updated_at", "posts.title as post_title", "copies.version", "copies.restored_from"])
        .select(["copies.title", "copies.body", "copies.slug", "copies.excerpt"])
        .select([
          sql<number>`case when copies.title <> posts.title then 1 else 0 end`.as("other_title"),
          sql<number>`case when copies.body <> posts.body then 1 else 0 end`.as("other_body"),
          sql<string | null>`case when posts.slug_by_hand = 1 then posts.slug end`.as("post_slug"),
          sql<string | null>`case when posts.derived_excerpt is not null then posts.excerpt end`.as("post_excerpt"),
        ])
        .where("posts.id", "=", postId)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { title, body, slug, excerpt } = row;
      const post = {
        id: postId,
        authorId: row.author_id,
        status: row.status,
        version: Number(row.post_version),
        title: row.post_title,
        publishAt: row.publish_at,
        updatedAt: row.updated_at,
      };
      if (row.version === null || title === null || body === null) return { ...NONE, post, text: null, differing: [] };
      const differs: Readonly<Record<keyof PostText, boolean>> = {
        title: Number(row.other_title) === 1,
        body: Number(row.other_body) === 1,
        slug: slug !== row.post_slug,
        excerpt: excerpt !== row.post_excerpt,
      };
      const differing = TEXT_FIELDS.filter((name) => differs[name]);
      const text = { title, body, slug, excerpt };
      return { version: Number(row.version), isRestored: row.restored_from !== null, post, text, differing };
    },

    async listOfPerson(userId, { after, limit }) {
      let query = read
        .selectFrom("post_working_copies")
        .select(["post_id", "updated_at", ...TEXT_FIELDS])
        .where("updated_by", "=", userId)
        .where("is_open", "=", 1)
        .orderBy("post_id")
        .limit(limit);
      if (after !== undefined) query = query.where("post_id", ">", after);
      const rows = await query.execute();
      return rows.map(({ post_id, updated_at, ...text }) => ({ postId: post_id, updatedAt: updated_at, ...text }));
    },

    edit: (id, by, decide, once, readBack) =>
      untilNoRace(() =>
        database.write(async (tx) => {
          if (once !== undefined) await remember(tx, once, id, now);
          const post = await findPost(tx, id, dialect);
          const { copy } = await stateOf(tx, id);
          const change = decide(post, copy);
          await perform(tx, id, by, change, post?.version ?? 0);
          await readWithin(tx, readBack, id);
        }),
      ),

    apply: (id, decide, once, readBack, trail) =>
      posts.edit(
        id,
        async (tx, post) => {
          const { copy } = await stateOf(tx, id);
          const change = decide(post, copy);
          await close(tx, id, copy);
          await endPlannedUpdate(tx, id);
          return change;
        },
        once,
        readBack,
        trail,
      ),
  };
}

type CopyValues = Partial<PostText> & {
  readonly updated_at: string;
  readonly updated_by: Id | null;
  readonly base_version: number;
  readonly restored_from: Id | null;
};

async function textOfPost(tx: Tx, id: Id): Promise<PostText> {
  const { title, body, slug, excerpt } = OWN_TEXT;
  return tx
    .selectFrom("posts")
    .select([title.as("title"), body.as("body"), slug.as("slug"), excerpt.as("excerpt")])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
}

/** Another write was first: the decision is asked for again. */
function raced(): AppError {
  return new AppError("CONFLICT", "The working copy has changed.", {}, new Error("another write came first"));
}
