import { type Expression, type RawBuilder, sql } from "kysely";
import { MARK_BEGIN, MARK_END, PIECE_WORDS, type SearchDialect } from "../database/search.ts";

/** Characters of a body that are searched: what PostgreSQL makes of a text has to stay under a megabyte. */
const SEARCHED = 200_000;

/**
 * PostgreSQL's full-text search without a language (https://www.postgresql.org/docs/current/textsearch.html), in a generated
 * column. Accents are taken off before, as FTS5 does by itself.
 */
export const postgresSearch: SearchDialect = {
  async create(tx) {
    const title =
      "setweight(to_tsvector('simple', regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g')), 'A')";
    const body = `to_tsvector('simple', regexp_replace(normalize(left(body, ${SEARCHED}), NFKD), '[\u0300-\u036f]', '', 'g'))`;
    for (const statement of [
      `alter table posts add column search tsvector not null generated always as (${title} || ${body}) stored`,
      "create index posts_by_words on posts using gin (search)",
    ]) {
      await sql.raw(statement).execute(tx);
    }
  },
  matches: (words, limit) =>
    sql`select number from posts where search @@ ${query(words)} order by number desc limit ${sql.lit(limit)}`,
  isInTitle: (post, words) => sql`${sql.ref(`${post}.search`)} @@ ${query(words, "title")}`,
  piece: (
    post,
    words,
  ) => sql<string>`ts_headline('simple', left(${sql.ref(`${post}.body`)}, ${sql.lit(SEARCHED)}), ${query(words)},
    ${sql.lit(`StartSel=${MARK_BEGIN}, StopSel=${MARK_END}, MaxFragments=1, MinWords=${PIECE_WORDS / 2}, MaxWords=${PIECE_WORDS}`)})`,
};

/** Each word as a term of a tsquery: `:*` says that it is a beginning, `:A` that it has to be in the title. */
function query(words: Expression<string>, where: "anywhere" | "title" = "anywhere"): RawBuilder<unknown> {
  const terms =
    where === "title" ? sql`regexp_replace(${words}, '([^ *]+)', '\\1:A', 'g')` : sql`replace(${words}, '*', ':*')`;
  return sql`to_tsquery('simple', replace(${terms}, ' ', ' & '))`;
}
