import type { Kysely } from "kysely";
import { AppError } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { type FoundLink, noLink, noRevision, type PreviewLinkStore } from "../../domain/posts/previews.ts";
import { MAX_PREVIEW_LINKS } from "../../domain/reading/selection.ts";
import type { Database } from "../database/database.ts";
import type { IdSource } from "../database/ids.ts";
import type { Schema } from "../database/schema.ts";
import { remember } from "./idempotency.ts";
import { findPost } from "./post-changes.ts";
import { readWithin } from "./read-back.ts";

/** @param now Unix time in milliseconds */
export function openPreviewLinks(database: Database, ids: IdSource, now: () => number): PreviewLinkStore {
  const { read, dialect } = database;

  return {
    create: ({ postId, tokenHash, createdBy, expiresAt, revision }, decide, once, readBack) =>
      database.write(async (tx) => {
        const id = ids.next();
        if (once !== undefined) await remember(tx, once, id, now);
        decide(await findPost(tx, postId, dialect));
        const at = new Date(now()).toISOString();
        const { count } = await tx
          .selectFrom("preview_links")
          .select(({ fn }) => fn.countAll().as("count"))
          .where("post_id", "=", postId)
          .where("revoked_at", "is", null)
          .where("expires_at", ">", at)
          .executeTakeFirstOrThrow();
        if (Number(count) >= MAX_PREVIEW_LINKS)
          throw new AppError("CONFLICT", `The post has ${MAX_PREVIEW_LINKS} links. Revoke one of them first.`);
        if (revision !== null) await assertRevision(tx, postId, revision);
        await tx
          .insertInto("preview_links")
          .values({
            ...{ id, post_id: postId, token_hash: tokenHash, created_by: createdBy, created_at: at },
            ...{ expires_at: expiresAt, last_used_at: null, revoked_at: null, is_over: 0, revision },
          })
          .execute();
        await readWithin(tx, readBack, id);
        return id;
      }),

    revoke: (id, decide, once, readBack) =>
      database.write(async (tx) => {
        if (once !== undefined) await remember(tx, once, id, now);
        const link = await tx.selectFrom("preview_links").select("post_id").where("id", "=", id).executeTakeFirst();
        if (link === undefined) throw noLink();
        decide(await findPost(tx, link.post_id, dialect));
        await tx
          .updateTable("preview_links")
          .set({ revoked_at: new Date(now()).toISOString() })
          .where("id", "=", id)
          .where("revoked_at", "is", null)
          .execute();
        await readWithin(tx, readBack, id);
      }),

    async find(tokenHash, at) {
      const row = await read
        .selectFrom("preview_links as link")
        .innerJoin("posts as post", "post.id", "link.post_id")
        .innerJoin("users as author", "author.id", "post.author_id")
        .leftJoin("users as maker", "maker.id", "link.created_by")
        .leftJoin("post_working_copies as copy", (join) =>
          join.onRef("copy.post_id", "=", "post.id").on("copy.is_open", "=", 1).on("link.revision", "is", null),
        )
        .leftJoin("post_revisions as past", (join) =>
          join.onRef("past.id", "=", "link.revision").onRef("past.post_id", "=", "post.id"),
        )
        .select(["link.id", "link.is_over", "link.last_used_at", "link.post_id", "author.name"])
        .select(["post.status", "post.published_at", "post.title", "post.slug", "post.excerpt", "post.word_count"])
        .select(["post.updated_at", "post.body_html", "link.revision"])
        .select(["copy.title as copy_title", "copy.body as copy_body", "copy.slug as copy_slug"])
        .select(["copy.excerpt as copy_excerpt", "copy.updated_at as copy_at"])
        .select(["past.title as past_title", "past.body as past_body", "past.slug as past_slug"])
        .select(["past.excerpt as past_excerpt", "past.created_at as past_at"])
        .where("link.token_hash", "=", tokenHash)
        .where("link.revoked_at", "is", null)
        .where("link.expires_at", ">", at)
        .where(({ eb, or, and }) =>
          or([
            eb("link.created_by", "is", null),
            and([
              eb("maker.disabled_at", "is", null),
              or([eb("maker.id", "=", eb.ref("post.author_id")), eb("maker.role", "in", ["editor", "admin"])]),
            ]),
          ]),
        )
        .executeTakeFirst();
      if (row === undefined) return null;
      const copy = textOf(row.copy_title, row.copy_body, row.copy_slug, row.copy_excerpt, row.copy_at);
      const past = textOf(row.past_title, row.past_body, row.past_slug, row.past_excerpt, row.past_at);
      if (row.revision !== null && past === null) return null; // the history does not have it any more
      return {
        id: row.id,
        lastUsedAt: row.last_used_at,
        postId: row.post_id,
        status: row.status,
        publishedAt: row.published_at === "" ? null : row.published_at,
        authorName: row.name,
        slug: row.slug ?? row.post_id,
        own: {
          title: row.title,
          excerpt: row.excerpt ?? "",
          bodyHtml: row.body_html ?? "",
          wordCount: Number(row.word_count ?? 0),
          updatedAt: row.updated_at,
        },
        wasPublishedSince: Number(row.is_over) === 1,
        other: past ?? copy,
      };
    },

    async noteUse(id, at) {
      await database.writeAtOnce([
        read
          .updateTable("preview_links")
          .set({ last_used_at: at })
          .where("id", "=", id)
          .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", at)]))
          .compile(),
      ]);
    },

    async sweep(before, limit) {
      const query = read
        .deleteFrom("preview_links")
        .where("id", "in", (eb) =>
          eb
            .selectFrom("preview_links")
            .select("id")
            .where("expires_at", "<", before)
            .orderBy("expires_at")
            .limit(limit),
        );
      const [removed = 0] = await database.writeAtOnce([query.compile()]);
      return removed;
    },
  };
}

/** null where a part is missing: there is no such text. */
function textOf(
  title: string | null,
  body: string | null,
  slug: string | null,
  excerpt: string | null,
  updatedAt: string | null,
): FoundLink["other"] {
  if (title === null || body === null || updatedAt === null) return null;
  return { title, body, slug, excerpt, updatedAt };
}

/** @throws AppError BAD_USER_INPUT for a revision that is not the post's, or has no text */
async function assertRevision(tx: Kysely<Schema>, postId: Id, revision: Id): Promise<void> {
  const found = await tx
    .selectFrom("post_revisions")
    .select("id")
    .where("id", "=", revision)
    .where("post_id", "=", postId)
    .where("title", "is not", null)
    .executeTakeFirst();
  if (found === undefined) throw noRevision();
}
