import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { openStore } from "../../src/storage/open.ts";
import { code, codes, head, type Page, plain, table } from "./markdown.ts";

const INTRODUCTION = `Every table of the database, as the newest migration leaves it, with its types in SQLite and PostgreSQL.
Other programs should use the API: a migration may change any table. Times in columns that end in \`_at\` are RFC 3339 text in
UTC with milliseconds. Those that end in \`_seconds\` are Unix time. Flags are 0 or 1.`;

interface Column {
  readonly type: string;
  readonly isNullable: boolean;
}

/** The columns of each table by name, and its indexes by name with their columns. */
type Tables = ReadonlyMap<string, { readonly columns: Map<string, Column>; readonly indexes: Map<string, string> }>;

/** @param postgresUrl a database without tables, which gets them */
export async function tablesPage(postgresUrl: string): Promise<Page> {
  const [sqlite, postgres] = [await readSqlite(), await readPostgres(postgresUrl)];
  const words = readWords();
  const names = [...new Set([...sqlite.keys(), ...postgres.keys()])].filter((name) => !isShadow(name)).sort();
  const sections = names.map((name) => {
    const [here, there] = [sqlite.get(name), postgres.get(name)];
    const columns = [...new Set([...(there?.columns.keys() ?? []), ...(here?.columns.keys() ?? [])])];
    const rows = columns.map((column) => {
      const [small, large] = [here?.columns.get(column), there?.columns.get(column)];
      return [
        code(column),
        small === undefined ? "–" : small.type.toLowerCase(),
        large === undefined ? "–" : large.type,
        (large ?? small)?.isNullable === true ? "yes" : "",
        words.get(`${name}.${column}`) ?? "",
      ];
    });
    return [
      `## ${name}\n`,
      ...(words.has(name) ? [`${words.get(name)}\n`] : []),
      table(["column", "SQLite", "PostgreSQL", "null", "meaning"], rows),
      table(["index", "SQLite", "PostgreSQL"], indexRows(here?.indexes, there?.indexes)),
    ]
      .filter((part) => part !== "")
      .join("\n");
  });
  const sources = ["src/storage/migrations", "src/storage/database/schema.ts"];
  return { name: "database", text: [head("Database tables", sources, INTRODUCTION), ...sections].join("\n") };
}

/** SQLite's full-text index keeps its own tables, which nobody reads or writes. */
function isShadow(name: string): boolean {
  return /_(?:data|idx|content|docsize|config)$/.test(name) && /search|fts/.test(name);
}

function indexRows(here = new Map<string, string>(), there = new Map<string, string>()): string[][] {
  const names = [...new Set([...here.keys(), ...there.keys()])].sort();
  return names.map((name) => [code(name), here.get(name) ?? "–", there.get(name) ?? "–"]);
}

async function readSqlite(): Promise<Tables> {
  const folder = mkdtempSync(join(tmpdir(), "content-api-tables-"));
  try {
    const file = join(folder, "content.db");
    await (await openStore(`sqlite:${file}`)).close();
    const database = new DatabaseSync(file, { readOnly: true });
    const all = (sql: string) => database.prepare(sql).all() as Record<string, string | number | null>[];
    const names = all("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'");
    const tables = names.map(({ name }) => {
      const columns = all(`select name, type, "notnull", pk from pragma_table_info('${name}')`).map(
        (column): [string, Column] => [
          String(column.name),
          { type: String(column.type), isNullable: column.notnull === 0 && column.pk === 0 },
        ],
      );
      const indexes = all(`select name, "unique", origin from pragma_index_list('${name}')`).map(
        ({ name: index, unique, origin }): [string, string] => {
          const parts = all(`select coalesce(name, '(expression)') as name from pragma_index_info('${index}')`);
          const kind = origin === "pk" ? "primary key " : unique === 1 ? "unique " : "";
          return [
            indexName(String(name), String(index), String(origin)),
            kind + codes(parts.map((part) => String(part.name))),
          ];
        },
      );
      return [String(name), { columns: new Map(columns), indexes: new Map(indexes) }] as const;
    });
    database.close();
    return new Map(tables);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** SQLite numbers the indexes of keys. PostgreSQL names them for their table. */
function indexName(table: string, index: string, origin: string): string {
  return origin === "pk" ? `${table}_pkey` : index;
}

async function readPostgres(url: string): Promise<Tables> {
  await (await openStore(url)).close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = new Map<string, { columns: Map<string, Column>; indexes: Map<string, string> }>();
    const of = (name: string) => {
      const found = tables.get(name) ?? { columns: new Map(), indexes: new Map() };
      tables.set(name, found);
      return found;
    };
    const columns = await client.query(
      "select table_name, column_name, data_type, is_nullable from information_schema.columns where table_schema = current_schema() order by table_name, ordinal_position",
    );
    for (const row of columns.rows)
      of(row.table_name).columns.set(row.column_name, { type: row.data_type, isNullable: row.is_nullable === "YES" });
    const indexes = await client.query(
      "select tablename, indexname, indexdef from pg_indexes where schemaname = current_schema() order by indexname",
    );
    for (const { tablename, indexname, indexdef } of indexes.rows) {
      const [, unique = "", method = "", parts = ""] =
        /^CREATE (UNIQUE )?INDEX .* USING (\w+) \((.*)\)/.exec(indexdef) ?? [];
      const kind = indexname.endsWith("_pkey") ? "primary key " : unique === "" ? "" : "unique ";
      of(tablename).indexes.set(indexname, kind + (method === "btree" ? "" : `${method} `) + codes(parts.split(", ")));
    }
    return tables;
  } finally {
    await client.end();
  }
}

/** Comments of tables (`posts`) and columns (`posts.slug`) in the types of the schema. */
function readWords(): Map<string, string> {
  const root = join(import.meta.dirname, "../../src/storage/database");
  const text = globSync("*schema.ts", { cwd: root })
    .sort()
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");
  const tables = new Map(
    [...text.matchAll(/^ {2}readonly (\w+): (\w+Table);$/gm)].map(([, name = "", type = ""]) => [type, name]),
  );
  const words = new Map<string, string>();
  const comment = String.raw`(?:\/\*\*((?:(?!\*\/)[^])*?)\*\/\n *)?`;
  const interfaces = new RegExp(String.raw`^${comment}(?:export )?interface (\w+Table) \{\n([^]*?)^\}`, "gm");
  for (const [, about, type = "", body = ""] of text.matchAll(interfaces)) {
    const name = tables.get(type);
    if (name === undefined) continue;
    if (about !== undefined) words.set(name, tidy(about));
    for (const [, meaning, column = ""] of body.matchAll(new RegExp(`${comment}readonly (\\w+):`, "g")))
      if (meaning !== undefined) words.set(`${name}.${column}`, tidy(meaning));
  }
  return words;
}

function tidy(comment: string): string {
  return plain(
    comment
      .replaceAll(/\n\s*\*/g, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/\{@link (\w+)\}/g, "`$1`")
      .trim(),
  );
}
