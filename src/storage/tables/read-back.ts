import type { Kysely } from "kysely";
import type { Id } from "../../domain/id.ts";
import type { ReadBack } from "../../domain/reading/prepared-read.ts";
import type { Database } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import { PlannedRead } from "../reading/read.ts";

/** Reads the answer to a change within its transaction, so that it shows this change and no later one. */
export async function readWithin(tx: Kysely<Schema>, readBack: ReadBack | null | undefined, id: Id): Promise<void> {
  if (readBack == null) return;
  const values = readBack.valuesFor(id);
  const json: string[] = [];
  for (const read of plannedOf(readBack)) json.push(await read.within(tx, values));
  readBack.json = json;
}

/** As `Database.writeTogether`, which reads the answer too. */
export async function writeAndRead(
  database: Database,
  queries: Parameters<Database["writeTogether"]>[0],
  { readBack, id, author }: { readBack: ReadBack | null | undefined; id: Id; author: Id },
): Promise<void> {
  const reads = readBack == null ? [] : plannedOf(readBack);
  const readings = reads.map((read) => read.reading(readBack?.valuesFor(id) ?? []));
  const rows = await database.writeTogether(queries, readings, author);
  if (readBack != null && rows !== null) readBack.json = reads.map((read, i) => read.toJson(rows[i]));
}

function plannedOf({ reads }: ReadBack): readonly PlannedRead[] {
  return reads.filter((read) => read instanceof PlannedRead);
}
