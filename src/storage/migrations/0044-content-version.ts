import { type Kysely, sql } from "kysely";
import type { Dialect } from "../database/database.ts";
import type { Schema } from "../database/schema.ts";
import type { Step } from "./migration.ts";
import { dropTable } from "./steps.ts";

const COUNTED = ["users", "posts", "post_slugs", "preview_links"].flatMap((table) =>
  ["insert", "update", "delete"].map((event) => [table, event] as const),
);

/**
 * Counts writes of content on SQLite, so that a process knows whether another one has changed what it keeps in memory. Triggers
 * count those of older programs and of other tools as well.
 */
async function count(tx: Kysely<Schema>, { writesOneByOne, tableOptions, wholeNumber }: Dialect): Promise<void> {
  if (!writesOneByOne) return; // rows from PostgreSQL are not kept in memory
  await tx.schema
    .createTable("content_version")
    .ifNotExists()
    .addColumn("version", wholeNumber, (column) => column.notNull())
    .modifyEnd(tableOptions)
    .execute();
  // The time in microseconds: a version that was there before the table went away never comes again.
  await sql`insert into content_version (version) select cast(unixepoch('subsec') * 1000000 as integer)
    where not exists (select 1 from content_version)`.execute(tx);
  for (const [table, event] of COUNTED)
    await sql
      .raw(`create trigger if not exists ${triggerOf(table, event)} after ${event} on ${table}
        begin update content_version set version = version + 1; end`)
      .execute(tx);
}

async function forget(tx: Kysely<Schema>): Promise<void> {
  for (const [table, event] of COUNTED) await sql.raw(`drop trigger if exists ${triggerOf(table, event)}`).execute(tx);
}

function triggerOf(table: string, event: string): string {
  return `${table}_${event}_counted`;
}

/** One transaction each, because the table without its triggers would say that nothing changes. */
export const contentVersion: readonly Step[] = [{ kind: "change", run: count }];

export const withoutContentVersion: readonly Step[] = [
  {
    kind: "change",
    async run(tx, dialect) {
      if (!dialect.writesOneByOne) return;
      await forget(tx);
      await dropTable("content_version").run(tx, dialect);
    },
  },
];
