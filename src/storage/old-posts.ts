import { sql } from "kysely";
import { AppError } from "../domain/errors.ts";
import type { PostStore } from "../domain/store.ts";
import type { Database } from "./database.ts";

/** Posts from before there was anything derived from them. */
export function openOldPosts(database: Database): Pick<PostStore, "listUnrendered" | "keepRendered"> {
  return {
    listUnrendered: (limit) =>
      database.read
        .selectFrom("posts")
        .select(["id", "title", "body"])
        .where("slug", "is", null)
        .orderBy("number")
        .limit(limit)
        .execute(),

    async keepRendered(id, { slug, wordCount, excerpt, bodyHtml }) {
      const own = sql<string>`cast(${slug} as text)`;
      const isTaken = sql`exists (select 1 from posts as others where others.slug = ${own})`;
      const write = (free: typeof own) =>
        database.write((tx) =>
          tx
            .updateTable("posts")
            .set(({ fn, ref, val }) => ({
              slug: free,
              // A body that was written meanwhile has brought its own.
              word_count: fn.coalesce(ref("word_count"), val(wordCount)),
              excerpt: fn.coalesce(ref("excerpt"), val(excerpt)),
              body_html: fn.coalesce(ref("body_html"), val(bodyHtml)),
            }))
            .where("id", "=", id)
            .where("slug", "is", null)
            .execute(),
        );
      const longer = sql<string>`${own} || ${`-${id.slice(-12)}`}`;
      try {
        await write(sql<string>`case when ${isTaken} then ${own} || ${`-${id.slice(-6)}`} else ${own} end`);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
        await write(longer); // others have just taken it
      }
    },
  };
}
