import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { encodeCursor } from "../src/domain/reading/cursor.ts";
import { type PostgresServer, query, withClient } from "./postgres.ts";
import { folder } from "./processes.ts";

/** How many people a database holds, and how many posts each of them has written. */
export interface Shape {
  readonly engine: "sqlite" | "postgres";
  readonly people: number;
  readonly postsEach: number;
  /** Of 20 posts, 16 are published, 3 are drafts, one of them scheduled, and one is archived. Otherwise all are published. */
  readonly isMixed?: true;
  /** PERSON may change the posts of everybody. */
  readonly isEditor?: true;
  /** Folder of another version of our program, which makes the database instead. */
  readonly madeBy?: string;
}

export interface Database {
  readonly shape: Shape;
  /** With which our program finds it. */
  readonly settings: Readonly<Record<string, string>>;
  /** With which the peers find it, and who writes their posts. */
  readonly peerSettings: Readonly<Record<string, string>>;
  readonly userIds: readonly string[];
  /** An access token that may read and write everything the scenarios ask for. */
  readonly token: string;
  readonly client: { readonly id: string; readonly secret: string };
  countPosts(): Promise<number>;
}

/** Whom the token stands for; has written no posts at first. */
export const PERSON = { email: "bench@example.com", name: "Bench", password: "four quiet herons measure rain" };
export const REDIRECT_URI = "http://127.0.0.1/callback";
const SCOPE = "users:read users:email posts:read posts:write";
const DAY_MS = 86_400_000;
const COUNT = "SELECT count(*) AS count FROM posts";

/** A new database, migrated by our own program, filled with people and posts by plain SQL. */
export async function createDatabase(shape: Shape, postgres: () => Promise<PostgresServer>): Promise<Database> {
  const { engine, people } = shape;
  const file = join(folder, `${people}-people-${randomBytes(4).toString("hex")}.db`);
  const url = engine === "sqlite" ? `sqlite:${file}` : await (await postgres()).createDatabase();
  const settings: Record<string, string> = { DATABASE_URL: url };
  if (engine === "postgres") settings.SECRET_KEY = randomBytes(32).toString("base64url");

  const { email, name, password } = PERSON;
  const run = (args: readonly string[], input?: string) => contentApi(settings, args, { input, root: shape.madeBy });
  const role = shape.isEditor ? ["--role", "editor"] : [];
  run(["migrate"]);
  const user = run(["user", "create", "--email", email, "--name", name, ...role, "--password-stdin"], password);
  const client = run([
    ...["client", "create", "--name", "Bench", "--confidential", "--first-party"],
    ...["--scope", `openid ${SCOPE}`, "--redirect-uri", REDIRECT_URI],
    ...["--grant", "authorization_code", "refresh_token", "client_credentials"],
  ]);
  const { access_token } = run([
    ...["token", "create", "--user", email, "--client", String(client.client_id), "--scope", SCOPE, "--ttl", "1d"],
  ]);
  if (engine === "sqlite") fillSqlite(file, shape);
  else await fillPostgres(url, shape);
  return {
    shape,
    settings,
    peerSettings: {
      ...(engine === "sqlite" ? { DATABASE_FILE: file } : { DATABASE_URL: url }),
      AUTHOR_ID: String(user.id),
    },
    userIds: Array.from({ length: people }, (_, i) => userId(i)),
    token: String(access_token),
    client: { id: String(client.client_id), secret: String(client.client_secret) },
    async countPosts() {
      if (engine === "postgres") return Number((await query<{ count: string }>(url, COUNT))[0]?.count);
      const database = new DatabaseSync(file, { readOnly: true });
      try {
        return Number(database.prepare(COUNT).get()?.count);
      } finally {
        database.close();
      }
    },
  };
}

/**
 * A database of its own for one of several servers of ours that are compared. On SQLite each commit of one process, if only to
 * say that it is there, empties what the others keep in memory. PostgreSQL's is the same: there nothing is kept.
 */
export function ownDatabase(database: Database): Database {
  const from = database.peerSettings.DATABASE_FILE;
  if (from === undefined) return database;
  const file = `${from}.${randomBytes(4).toString("hex")}.db`;
  const original = new DatabaseSync(from);
  original.exec(`VACUUM INTO '${file}'`);
  original.close();
  return {
    ...database,
    settings: { ...database.settings, DATABASE_URL: `sqlite:${file}` },
    peerSettings: { ...database.peerSettings, DATABASE_FILE: file },
  };
}

/** Creates a client that signs who it is (`private_key_jwt`) and gets tokens for itself. @returns its id */
export function createSigner({ settings }: Database, publicKey: object): string {
  const file = join(folder, `jwks-${randomBytes(4).toString("hex")}.json`);
  writeFileSync(file, JSON.stringify({ keys: [publicKey] }));
  const create = ["client", "create", "--name", "Signer", "--grant", "client_credentials", "--scope", "posts:read"];
  return String(contentApi(settings, [...create, "--jwks", file]).client_id);
}

const ROOT = join(import.meta.dirname, "..");

/** Runs one command of the product; its result is JSON on standard output. `root` is the folder of another version. */
function contentApi(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  { input = "", root = ROOT }: { readonly input?: string | undefined; readonly root?: string | undefined } = {},
): Record<string, unknown> {
  const output = execFileSync(process.execPath, [join(root, "bin", "content-api"), ...args, "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...settings },
    input,
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 600_000,
  });
  return JSON.parse(output.toString());
}

function fillSqlite(file: string, shape: Shape): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA cache_size = -1000000");
  for (const [table, { columns, count, row }] of Object.entries(contents(shape))) {
    const places = columns.map(() => "?").join(", ");
    const insert = database.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`);
    database.exec("BEGIN");
    for (let i = 0; i < count; i++) insert.run(...row(i));
    database.exec("COMMIT");
  }
  // As our own program does with what it writes: these texts are ASCII, which SQLite splits in the same way.
  database.exec(`BEGIN;
    INSERT INTO posts_search (rowid, title, body) SELECT number, title, body FROM posts;
    DELETE FROM posts_unindexed;
    COMMIT`);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

async function fillPostgres(url: string, shape: Shape): Promise<void> {
  const batch = 5_000;
  await withClient(url, async (client) => {
    for (const [table, { columns, count, row }] of Object.entries(contents(shape))) {
      const names = columns.join(", ");
      // As our own program does with what it writes: these texts are ASCII, which PostgreSQL splits in the same way.
      const [search, words] =
        table === "posts"
          ? [", search", ", setweight(to_tsvector('simple', title), 'A') || to_tsvector('simple', body)"]
          : ["", ""];
      const text = `INSERT INTO ${table} (${names}${search})
        SELECT r.*${words} FROM json_to_recordset($1) AS r(${columns.map((name) => `${name} ${["email_verified", "word_count"].includes(name) ? "bigint" : "text"}`).join(", ")})`;
      for (let from = 0; from < count; from += batch) {
        const rows = Array.from({ length: Math.min(batch, count - from) }, (_, i) =>
          Object.fromEntries(row(from + i).map((value, column) => [columns[column], value])),
        );
        await client.query(text, [JSON.stringify(rows)]);
      }
    }
    // As autovacuum would in time: statistics, and the map that lets lists be read from the index alone.
    await client.query("VACUUM (ANALYZE)");
    await client.query("CHECKPOINT");
  });
}

interface Table {
  readonly columns: readonly string[];
  readonly count: number;
  row(i: number): (string | number | null)[];
}

const FIRST_POST = Date.UTC(2025, 0, 1);

/** When a post is written, in milliseconds, and its id. The last one is the newest. */
function postAt({ people, postsEach }: Shape, i: number): { createdAt: number; id: string } {
  const createdAt = FIRST_POST + Math.floor((i / (people * postsEach)) * 365 * DAY_MS);
  return { createdAt, id: uuid(createdAt, i) };
}

/** The id of the post with this number. */
export function postId(shape: Shape, i: number): string {
  return postAt(shape, i).id;
}

/** A cursor of `posts`, newest first, at the post with this number. */
export function cursorAt(shape: Shape, i: number): string {
  const { createdAt, id } = postAt(shape, i);
  return encodeCursor("posts.createdAt.desc", { key: new Date(createdAt).toISOString(), id });
}

/** Posts are written over the year 2025, in turn by everybody. */
function contents(shape: Shape): Record<"users" | "posts", Table> {
  const { people, postsEach } = shape;
  const body = "A paragraph of text, as long as a short post has it. ".repeat(4);
  const posts = people * postsEach;
  return {
    users: {
      columns: ["id", "name", "email", "email_key", "email_verified", "role", "created_at"],
      count: people,
      row(i) {
        const email = `person${i}@example.com`;
        return [userId(i), `Person ${i}`, email, email, 1, "member", new Date(FIRST_USER + i).toISOString()];
      },
    },
    posts: {
      columns: [
        ...["id", "author_id", "status", "created_at", "updated_at", "published_at", "publish_at"],
        ...["title", "slug", "word_count", "excerpt", "body", "body_html"],
      ],
      count: posts,
      row(i) {
        const { createdAt, id } = postAt(shape, i);
        const title = `Post ${i} of person ${i % people}`;
        const time = new Date(createdAt).toISOString();
        const [status, publishAt] = shape.isMixed ? stateAt(i) : (["PUBLISHED", null] as const);
        const derived = [`post-${i}-of-person-${i % people}`, 44, body.slice(0, 199), body, `<p>${body}</p>\n`];
        const times = [time, time, status === "PUBLISHED" ? time : "", publishAt];
        return [id, userId(i % people), status, ...times, title, ...derived];
      },
    },
  };
}

/** The state of a post where not all are published. The people take turns, and so do their states. */
function stateAt(i: number): readonly [status: string, publishAt: string | null] {
  const turn = (i * 7 + Math.floor(i / 20)) % 20;
  if (turn > 3) return ["PUBLISHED", null];
  if (turn === 3) return ["ARCHIVED", null];
  return ["DRAFT", turn === 2 ? new Date(FIRST_GOES_LIVE + i * 1_000).toISOString() : null];
}

const FIRST_GOES_LIVE = Date.UTC(2100, 0, 1);

const FIRST_USER = Date.UTC(2024, 0, 1);

function userId(i: number): string {
  return uuid(FIRST_USER + i, i);
}

/** A UUIDv7 that is the same in each run. */
function uuid(milliseconds: number, number: number): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, "0")}`;
}
