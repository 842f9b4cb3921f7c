import type { DatabaseSync, StatementSync } from "node:sqlite";
import { sql } from "kysely";
import { MARK_BEGIN, MARK_END, PIECE_WORDS, type SearchDialect } from "../database/search.ts";

/** Posts that one commit takes into the index at the most. More of them come only from writers other than this program. */
const AT_ONCE = 500;

/**
 * FTS5 (https://sqlite.org/fts5.html) over the table itself. Words of letters and digits with spaces between are a query as
 * they are. Triggers take out of the index what has changed; what is new they only note, because FTS5 writes to the file at
 * each savepoint: `SearchIndex` adds the posts of many writes together (measured: 30 microseconds for each instead of 150).
 */
export const sqliteSearch: SearchDialect = {
  async create(tx) {
    const forget = `insert into posts_search (posts_search, rowid, title, body) select 'delete', old.number, old.title, old.body
      where not exists (select 1 from posts_unindexed where number = old.number)`;
    const note = "insert or ignore into posts_unindexed (number) values (new.number)";
    for (const statement of [
      `create virtual table posts_search using fts5(title, body, content = 'posts', content_rowid = 'number',
        tokenize = 'unicode61 remove_diacritics 2')`,
      "insert into posts_search (posts_search) values ('rebuild')",
      "create table posts_unindexed (number integer primary key) strict",
      `create trigger posts_search_insert after insert on posts begin ${note}; end`,
      `create trigger posts_search_update after update of title, body on posts begin ${forget}; ${note}; end`,
      `create trigger posts_search_delete after delete on posts begin ${forget};
        delete from posts_unindexed where number = old.number; end`,
    ]) {
      await sql.raw(statement).execute(tx);
    }
  },
  matches: (words, limit) =>
    sql`select rowid from posts_search where posts_search match ${words} order by rowid desc limit ${sql.lit(limit)}`,
  isInTitle: (post, words, limit) =>
    sql`${sql.ref(`${post}.number`)} in (select rowid from posts_search where posts_search match '{title} : (' || ${words} || ')'
      order by rowid desc limit ${sql.lit(limit)})`,
  piece: (post, words) =>
    sql<string>`(select snippet(posts_search, 1, ${sql.lit(MARK_BEGIN)}, ${sql.lit(MARK_END)}, '…', ${sql.lit(PIECE_WORDS)})
    from posts_search where posts_search match ${words} and rowid = ${sql.ref(`${post}.number`)})`,
};

/** Brings the index up to date within a transaction that writes. */
export class SearchIndex {
  readonly #connection: DatabaseSync;
  #statements: Readonly<Record<"find" | "add" | "clear", StatementSync>> | null = null;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  /** To be called at the end of the transaction. */
  catchUp(): void {
    this.#statements ??= this.#prepare();
    if (this.#statements?.find.get() === undefined) return;
    this.#statements.add.run();
    this.#statements.clear.run();
  }

  /** null as long as the migration that makes the index has not run. */
  #prepare() {
    const table = this.#connection.prepare("select 1 from sqlite_schema where name = 'posts_unindexed'");
    if (table.get() === undefined) return null;
    const some = `(select number from posts_unindexed order by number limit ${AT_ONCE})`;
    return {
      find: this.#connection.prepare("select 1 from posts_unindexed limit 1"),
      add: this.#connection.prepare(
        `insert into posts_search (rowid, title, body) select number, title, body from posts where number in ${some}`,
      ),
      clear: this.#connection.prepare(`delete from posts_unindexed where number in ${some}`),
    };
  }
}
