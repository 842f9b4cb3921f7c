import { type Kysely, sql } from "kysely";
import type { Dialect } from "../../../src/storage/database/database.ts";
import type { Schema } from "../../../src/storage/database/schema.ts";
import { MIGRATIONS } from "../../../src/storage/migrations/contents.ts";
import type { FillKey, Migration } from "../../../src/storage/migrations/migration.ts";
import { addColumn, createTable, dropColumn, dropTable } from "../../../src/storage/migrations/steps.ts";

/** The newest schema of the program that is tested. */
export const NOW = MIGRATIONS.at(-1)?.version ?? 0;

/** Texts that posts get in the fill, and that rolling back destroys. */
const SUBTITLE = "none yet";

async function fillSubtitles(
  tx: Kysely<Schema>,
  _dialect: Dialect,
  limit: number,
  after: FillKey | null,
): Promise<FillKey | null> {
  const from = Number(after ?? 0);
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from (
    select number from posts where number > ${from} order by number limit ${sql.lit(limit)}) as part`.execute(tx);
  const last = rows[0]?.last ?? null;
  if (last === null) return null;
  await sql`update posts set subtitle = ${SUBTITLE}
    where number > ${from} and number <= ${last} and subtitle is null`.execute(tx);
  return Number(last);
}

/** Migrations of a version after this one: each kind of step, and a contract migration between two of the other kind. */
export const NEXT: readonly Migration[] = [
  ...MIGRATIONS,
  {
    version: NOW + 1,
    name: "subtitles",
    kind: "expand",
    costs: [{ table: "posts", sqlite: 20, postgres: 100, blocksSqlite: true }],
    up: [
      addColumn("posts", "subtitle", ({ text }) => text),
      { kind: "fill", run: fillSubtitles },
      { kind: "index", name: "posts_by_subtitle", table: "posts", columns: ["subtitle", "id"] },
    ],
    down: [{ kind: "drop index", name: "posts_by_subtitle" }, dropColumn("posts", "subtitle")],
    losses: [
      {
        what: "subtitles of posts",
        async count(db) {
          const { rows } = await sql<{
            n: number;
          }>`select count(*) as n from posts where subtitle <> ${SUBTITLE}`.execute(db);
          return Number(rows[0]?.n ?? 0);
        },
      },
    ],
  },
  {
    version: NOW + 2,
    name: "without-order-by-update",
    kind: "contract",
    demands: NOW + 1,
    up: [{ kind: "drop index", name: "posts_unpublished_by_author_and_update" }],
  },
  {
    version: NOW + 3,
    name: "notes",
    kind: "expand",
    up: [
      createTable("post_notes", (table, { text }) =>
        table.addColumn("id", text, (column) => column.primaryKey().notNull()),
      ),
    ],
    down: [dropTable("post_notes")],
  },
];
