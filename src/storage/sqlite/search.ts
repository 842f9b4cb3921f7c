import type { DatabaseSync, StatementSync } from "node:sqlite";
import { sql } from "kysely";
import { indexedWords } from "../../domain/reading/search.ts";
import type { SearchDialect } from "../database/search.ts";

/** Posts that one commit takes into the index at the most. More of them come only from writers other than this program. */
const AT_ONCE = 500;

/**
 * FTS5 (https://sqlite.org/fts5.html) without the text, given words with spaces between. Its tokenizer `ascii` splits nothing
 * else of them, and the same form is a query. Triggers only note which posts have changed: `SearchIndex` takes in all that the
 * writes of one commit have changed (measured: 50 microseconds for each post).
 */
export const sqliteSearch: SearchDialect = {
  async create(tx) {
    const note = (number: string) => `insert or ignore into posts_unindexed (number) values (${number})`;
    for (const statement of [
      "drop trigger if exists posts_search_insert",
      "drop trigger if exists posts_search_update",
      "drop trigger if exists posts_search_delete",
      "drop table if exists posts_search",
      "drop table if exists posts_unindexed",
      `create virtual table posts_search using fts5(title, body, content = '', contentless_delete = 1, detail = column,
        tokenize = 'ascii')`,
      "create table posts_unindexed (number integer primary key) strict",
      "create table posts_to_reindex (number integer primary key) strict",
      "insert into posts_to_reindex (number) select number from posts",
      `create trigger posts_search_insert after insert on posts begin ${note("new.number")}; end`,
      `create trigger posts_search_update after update of title, body on posts begin ${note("new.number")}; end`,
      `create trigger posts_search_delete after delete on posts begin ${note("old.number")}; end`,
    ]) {
      await sql.raw(statement).execute(tx);
    }
  },

  /** Only notes them: `SearchIndex` takes them in as the transaction ends. */
  async reindex(database, limit) {
    const some = sql`(select number from posts_to_reindex order by number desc limit ${sql.lit(limit)})`;
    const { rows } = await sql`select number from ${some}`.execute(database.read);
    if (rows.length === 0) return 0;
    await database.write(async (tx) => {
      await sql`insert or ignore into posts_unindexed (number) select number from ${some}`.execute(tx);
      await sql`delete from posts_to_reindex where number in ${some}`.execute(tx);
    });
    return rows.length;
  },

  written: null,

  matches: (words, limit) =>
    sql`select rowid from posts_search where posts_search match ${words} order by rowid desc limit ${sql.lit(limit)}`,
  isInTitle: (post, words, limit) =>
    sql`${sql.ref(`${post}.number`)} in (select rowid from posts_search where posts_search match '{title} : (' || ${words} || ')'
      order by rowid desc limit ${sql.lit(limit)})`,
};

/** Brings the index up to date within a transaction that writes. */
export class SearchIndex {
  readonly #connection: DatabaseSync;
  #statements: Readonly<Record<"find" | "read" | "remove" | "add" | "clear", StatementSync>> | null = null;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** To be called at the end of the transaction. @returns whether there was anything to take in */
  catchUp(): boolean {
    this.#statements ??= this.#prepare();
    if (this.#statements === null) return false;
    const { find, read, remove, add, clear } = this.#statements;
    const numbers = find.all() as { number: number }[];
    for (const { number } of numbers) {
      const post = read.get(number) as { title: string; body: string } | undefined;
      remove.run(number);
      if (post !== undefined) add.run(number, wordsOf(post.title), wordsOf(post.body));
      clear.run(number);
    }
    return numbers.length > 0;
  }

  /** null as long as the migration that makes the index has not run. */
  #prepare() {
    const table = this.#connection.prepare("select 1 from sqlite_schema where name = 'posts_to_reindex'");
    if (table.get() === undefined) return null;
    return {
      find: this.#connection.prepare(`select number from posts_unindexed order by number limit ${AT_ONCE}`),
      read: this.#connection.prepare("select title, body from posts where number = ?"),
      remove: this.#connection.prepare("delete from posts_search where rowid = ?"),
      add: this.#connection.prepare("insert into posts_search (rowid, title, body) values (?, ?, ?)"),
      clear: this.#connection.prepare("delete from posts_unindexed where number = ?"),
    };
  }
}

function wordsOf(text: string): string {
  return [...indexedWords(text)].join(" ");
}
