import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { Id } from "../../domain/id.ts";
import { indexedWords } from "../../domain/reading/search.ts";
import type { Schema } from "../database/schema.ts";
import type { PostWords, SearchDialect, SearchedText } from "../database/search.ts";

/** Bytes of words in one tsvector. PostgreSQL takes a megabyte: https://www.postgresql.org/docs/current/textsearch-limitations.html */
const MAX_BYTES = 1_000_000;
/** Bytes for the position of a word, with padding. A word without one has every weight. */
const POSITION = 6;

/**
 * Words as lexemes of a tsvector, which no parser has seen. Those of the title have the weight A. The few posts with more words
 * than a tsvector takes have them in several rows of `post_words`.
 */
export const postgresSearch: SearchDialect = {
  async create(tx) {
    for (const statement of [
      "alter table posts drop column if exists search",
      "alter table posts add column search tsvector",
      "create index posts_by_words on posts using gin (search)",
      "create index posts_to_reindex on posts (number) where search is null",
      "create table post_words (number bigint not null references posts on delete cascade, words tsvector not null)",
      "create index post_words_by_number on post_words (number)",
      "create index post_words_by_words on post_words using gin (words)",
    ]) {
      await sql.raw(statement).execute(tx);
    }
  },

  async reindex(database, limit) {
    const { rows } = await sql<SearchedText & { id: Id; version: number }>`select id, version, title, body from posts
      where search is null order by number desc limit ${sql.lit(limit)}`.execute(database.read);
    if (rows.length === 0) return 0;
    await database.write(async (tx) => {
      for (const { id, version, ...text } of rows) {
        const { row, further } = wordsOf(text);
        const done = await sql`update posts set search = ${vector(sql.val(row))}
          where id = ${id} and version = ${version} and search is null returning id`.execute(tx);
        if (done.rows.length > 0 && further.length > 0) await keep(tx, id, further);
      }
    });
    return rows.length;
  },

  written: { of: wordsOf, column: (row) => ({ search: vector(row) }), keep },

  matches: (words, limit) => {
    const newest = sql`order by number desc limit ${sql.lit(limit)}`;
    const isMissing = sql`not exists (select 1 from post_words as part
      where part.number = candidate.number and part.words @@ ${query(sql.ref<string>("word"))})`;
    return sql`select number from (
      (select number from posts where search @@ ${query(words)} ${newest})
      union all
      (select number from (select distinct number from post_words where words @@ ${query(words, "|")}) as candidate
        where not exists (select 1 from unnest(string_to_array(${words}, ' ')) as word where ${isMissing}) ${newest})
    ) as found ${newest}`;
  },
  isInTitle: (post, words) => sql`${sql.ref(`${post}.search`)} @@ ${titleQuery(words)}`,
};

function wordsOf({ title, body }: SearchedText): PostWords {
  const inTitle = indexedWords(title);
  const parts: string[] = [""];
  let size = 0;
  for (const word of new Set([...inTitle, ...indexedWords(body)])) {
    const bytes = Buffer.byteLength(word) + POSITION;
    if (size + bytes > MAX_BYTES) {
      parts.push("");
      size = 0;
    }
    size += bytes;
    parts[parts.length - 1] += inTitle.has(word) ? titleWord(word) : ` '${word}':1`;
  }
  const [only = "", ...others] = parts;
  return others.length === 0
    ? { row: only, further: [] }
    : { row: Array.from(inTitle, titleWord).join(""), further: parts };
}

function titleWord(word: string): string {
  return ` '${word}':1A`;
}

async function keep(tx: Kysely<Schema>, id: Id, further: readonly string[]): Promise<void> {
  await sql`delete from post_words where number = (select number from posts where id = ${id})`.execute(tx);
  for (const words of further) {
    const part = sql`select number, ${vector(sql.val(words))} from posts where id = ${id}`;
    await sql`insert into post_words (number, words) ${part}`.execute(tx);
  }
}

function vector(words: Expression<string>): RawBuilder<string> {
  return sql<string>`cast(cast(${words} as text) as tsvector)`;
}

/** Words have nothing in them that a tsquery takes for something else: see `searchWords`. `:*` says that one is a beginning. */
function query(words: Expression<string>, between: "&" | "|" = "&"): RawBuilder<unknown> {
  const terms = sql`replace(regexp_replace(${words}, '([^ *]+)', '''\\1''', 'g'), '*', ':*')`;
  return sql`cast(replace(${terms}, ' ', ${sql.lit(between)}) as tsquery)`;
}

/** `:A` says that the word has to be in the title. */
function titleQuery(words: Expression<string>): RawBuilder<unknown> {
  return sql`cast(replace(regexp_replace(${words}, '([^ *]+)', '''\\1'':A', 'g'), ' ', '&') as tsquery)`;
}
