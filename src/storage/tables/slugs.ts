import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import { slugTaken } from "../../domain/posts/chosen-texts.ts";
import type { Schema } from "../database/schema.ts";

/**
 * SQL for the slug of a post: its own, or where another post has or had that already, with so much of the post's id behind it
 * that nobody has it. Null for an own that is null.
 *
 * @param own text, as `textOf` makes it
 * @param id of the post, text as well
 */
export function freeSlug(own: Expression<string | null>, id: Expression<string>): RawBuilder<string> {
  const isTaken = (slug: Expression<string | null>) =>
    sql`(exists (select 1 from posts as others where others.slug = ${slug} and others.id <> ${id})
      or exists (select 1 from post_slugs as former where former.slug = ${slug} and former.post_id <> ${id}))`;
  const longer = sql<string>`${own} || '-' || substr(${id}, 31)`;
  return sql<string>`case when not ${isTaken(own)} then ${own} when not ${isTaken(longer)} then ${longer}
    else ${own} || '-' || substr(${id}, 25) end`;
}

/**
 * To be called before a slug that a person chose is written, and again after it: only then nobody else has it. A slug is at all times
 * either a post's present or one of its former ones, and what is written holds up everybody who writes the same.
 *
 * @throws AppError BAD_USER_INPUT for a slug that another post has or had
 */
export async function assertSlugFree(tx: Kysely<Schema>, slug: string, id: Id): Promise<void> {
  const present = await tx
    .selectFrom("posts")
    .select("id")
    .where("slug", "=", slug)
    .where("id", "<>", id)
    .executeTakeFirst();
  const former = await tx
    .selectFrom("post_slugs")
    .select("post_id")
    .where("slug", "=", slug)
    .where("post_id", "<>", id)
    .executeTakeFirst();
  if (present !== undefined || former !== undefined) throw slugTaken();
}

/** As `assertSlugFree`, after a post was written whose slug gets a suffix where another post has it. */
export async function assertHasSlug(tx: Kysely<Schema>, slug: string, id: Id): Promise<void> {
  const own = await tx.selectFrom("posts").select("slug").where("id", "=", id).executeTakeFirst();
  if (own?.slug !== slug) throw slugTaken();
  await assertSlugFree(tx, slug, id);
}

/** Keeps the slug of a post that was ever published, which is about to get another one. */
export async function keepFormerSlug(tx: Kysely<Schema>, id: Id, next: string): Promise<void> {
  await tx
    .insertInto("post_slugs")
    .columns(["slug", "post_id"])
    .expression(
      tx
        .selectFrom("posts")
        .select([sql<string>`slug`.as("slug"), "id"])
        .where("id", "=", id)
        .where("published_at", "<>", "")
        .where("slug", "is not", null)
        .where("slug", "<>", next),
    )
    .onConflict((conflict) => conflict.column("slug").doNothing())
    .execute();
}

/** A parameter whose type PostgreSQL cannot tell from where it stands. */
export function textOf(value: unknown): RawBuilder<string> {
  return sql<string>`cast(${value} as text)`;
}

/** SQL for the slug of a post where it does not follow the title: one that a person chose, or of a post that was ever published. */
export const LASTING_SLUG = sql<string | null>`case when slug_by_hand = 1 or published_at <> '' then slug end`;
