import { sql } from "kysely";
import type { PostStore } from "../../domain/posts/post.ts";
import type { Database } from "../database/database.ts";
import { untilNoRace } from "./races.ts";
import { freeSlug, textOf } from "./slugs.ts";

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
      await untilNoRace(() =>
        database.write((tx) =>
          tx
            .updateTable("posts")
            .set(({ fn, ref, val }) => ({
              slug: freeSlug(textOf(slug), textOf(id)),
              // A body that was written meanwhile has brought its own.
              word_count: fn.coalesce(ref("word_count"), val(wordCount)),
              excerpt: fn.coalesce(ref("excerpt"), val(excerpt)),
              derived_excerpt: sql<
                string | null
              >`case when derived_excerpt = '' then ${excerpt} else derived_excerpt end`,
              body_html: fn.coalesce(ref("body_html"), val(bodyHtml)),
            }))
            .where("id", "=", id)
            .where("slug", "is", null)
            .execute(),
        ),
      );
    },
  };
}
