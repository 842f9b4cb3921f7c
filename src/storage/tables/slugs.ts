import { type Expression, type RawBuilder, sql } from "kysely";

/**
 * SQL for the slug of a post: its own, or where another post has that already, with so much of the post's id behind it
 * that nobody has it. Null for an own that is null.
 *
 * @param own text, as `textOf` makes it
 * @param id of the post, text as well
 */
export function freeSlug(own: Expression<string | null>, id: Expression<string>): RawBuilder<string> {
  const isTaken = (slug: Expression<string | null>) =>
    sql`exists (select 1 from posts as others where others.slug = ${slug} and others.id <> ${id})`;
  const longer = sql<string>`${own} || '-' || substr(${id}, 31)`;
  return sql<string>`case when not ${isTaken(own)} then ${own} when not ${isTaken(longer)} then ${longer}
    else ${own} || '-' || substr(${id}, 25) end`;
}

/** A parameter whose type PostgreSQL cannot tell from where it stands. */
export function textOf(value: unknown): RawBuilder<string> {
  return sql<string>`cast(${value} as text)`;
}
