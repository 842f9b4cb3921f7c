import type { Expression, Kysely, RawBuilder } from "kysely";
import type { Schema } from "./schema.ts";

/**
 * Text search in posts. `words` is the form of `searchWords`: lower case, without accents, single spaces between, `*` behind
 * a word that is a beginning.
 */
export interface SearchDialect {
  /** Makes the index over the posts that there are, and whatever keeps it up to date. */
  create(tx: Kysely<Schema>): Promise<void>;
  /** SQL for the `number` of each post that has all the words, newest first, as a subquery without parentheses. */
  matches(words: Expression<string>, limit: number): RawBuilder<unknown>;
  /**
   * SQL that says whether all the words are in the title; `post` is an alias of the table. Right at least for the posts that
   * `matches` gives with the same limit.
   */
  isInTitle(post: string, words: Expression<string>, limit: number): RawBuilder<boolean>;
  /** SQL for a piece of the body around what was found, which stands between MARK_BEGIN and MARK_END. */
  piece(post: string, words: Expression<string>): RawBuilder<string>;
}

/** Characters that hardly any text has. One that has them anyway gets a few marks more. */
export const MARK_BEGIN = "\u0011";
export const MARK_END = "\u0012";
/** Words in a piece. */
export const PIECE_WORDS = 30;
