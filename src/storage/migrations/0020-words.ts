import type { Kysely } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";

/** An index of the words that `domain/reading/words.ts` splits. Posts from before it are taken in later, in small steps. */
export async function words(tx: Kysely<Schema>, dialect: Dialect): Promise<void> {
  await dialect.search.create(tx);
}
