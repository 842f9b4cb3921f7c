import type { Expression, Kysely, RawBuilder } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { Schema } from "./schema.ts";

/**
 * Text search in posts. `words` is the form of `searchWords`: single spaces between, `*` behind a word that is a beginning.
 * Neither database splits or folds a text: `domain/reading/words.ts` has done that before.
 */
export interface SearchDialect {
  /**
   * Makes the index, in place of one that an older version made, and what keeps it up to date. `reindex` brings posts into it
   * that exist already.
   */
  create(tx: Kysely<Schema>): Promise<void>;
  /** Takes posts into the index that are not in it, the newest first. @returns how many it found */
  reindex(database: SearchedDatabase, limit: number): Promise<number>;
  /** How a write of a post writes its words. null where the database takes them from the row, within the same transaction. */
  readonly written: WrittenWords | null;
  /** SQL for the `number` of each post that has all the words, newest first, as a subquery without parentheses. */
  matches(words: Expression<string>, limit: number): RawBuilder<unknown>;
  /**
   * SQL that says whether all the words are in the title; `post` is an alias of the table. Right at least for the posts that
   * `matches` gives with the same limit.
   */
  isInTitle(post: string, words: Expression<string>, limit: number): RawBuilder<boolean>;
}

/** The part of `Database` that is needed here. */
interface SearchedDatabase {
  readonly read: Kysely<Schema>;
  write(job: (tx: Kysely<Schema>) => Promise<void>): Promise<void>;
}

interface WrittenWords {
  of(post: SearchedText): PostWords;
  /** The column of the row, with SQL for its value. */
  column(row: Expression<string>): { readonly search: RawBuilder<string> };
  /** Replaces the words that stand outside the row. To be done after the row is written, in the same transaction. */
  keep(tx: Kysely<Schema>, id: Id, further: PostWords["further"]): Promise<void>;
}

export interface SearchedText {
  readonly title: string;
  readonly body: string;
}

export interface PostWords {
  readonly row: string;
  /** All words in several parts, where they are too many for the row. The row then has those of the title only. */
  readonly further: readonly string[];
}
