import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { folder } from "./processes.ts";

/** How many people a database holds, and how many posts each of them has written. */
export interface Shape {
  readonly people: number;
  readonly postsEach: number;
}

export interface Database {
  readonly file: string;
  readonly userIds: readonly string[];
  /** An access token that may read everything the scenarios ask for. */
  readonly token: string;
}

const SCOPE = "users:read users:email posts:read";
const DAY_MS = 86_400_000;

/** A new database, migrated by our own program, filled with people and posts by plain SQL. */
export function createDatabase({ people, postsEach }: Shape): Database {
  const file = join(folder, `${people}-people.db`);
  const email = "bench@example.com";
  contentApi(file, "user", "create", "--email", email, "--name", "Bench");
  const { client_id } = contentApi(
    file,
    ...["client", "create", "--name", "Bench", "--confidential", "--scope", SCOPE],
    ...["--redirect-uri", "http://127.0.0.1/callback"],
  );
  const { access_token } = contentApi(
    file,
    ...["token", "create", "--user", email, "--client", String(client_id), "--scope", SCOPE, "--ttl", "1d"],
  );
  return { file, userIds: fill(file, { people, postsEach }), token: String(access_token) };
}

/** Runs one command of the product; its result is JSON on standard output. */
function contentApi(file: string, ...args: readonly string[]): Record<string, unknown> {
  const program = join(import.meta.dirname, "..", "bin", "content-api");
  const output = execFileSync(process.execPath, [program, ...args, "--json"], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATABASE_URL: `sqlite:${file}` },
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 60_000,
  });
  return JSON.parse(output.toString());
}

/** Posts are written over the year 2025, in turn by everybody. @returns ids of the people */
function fill(file: string, { people, postsEach }: Shape): readonly string[] {
  const database = new DatabaseSync(file);
  const insertUser = database.prepare(
    "INSERT INTO users (id, name, email, email_key, email_verified, role, created_at) VALUES (?, ?, ?, ?, 1, 'member', ?)",
  );
  const insertPost = database.prepare(
    "INSERT INTO posts (id, author_id, title, body, created_at) VALUES (?, ?, ?, ?, ?)",
  );
  const body = "A paragraph of text, as long as a short post has it. ".repeat(4);
  const firstUser = Date.UTC(2024, 0, 1);
  const firstPost = Date.UTC(2025, 0, 1);
  const posts = people * postsEach;
  const userIds: string[] = [];
  database.exec("BEGIN");
  for (let i = 0; i < people; i++) {
    const createdAt = firstUser + i;
    const email = `person${i}@example.com`;
    userIds.push(uuid(createdAt, i));
    insertUser.run(uuid(createdAt, i), `Person ${i}`, email, email, new Date(createdAt).toISOString());
  }
  for (let i = 0; i < posts; i++) {
    const createdAt = firstPost + Math.floor((i / posts) * 365 * DAY_MS);
    const title = `Post ${i} of person ${i % people}`;
    insertPost.run(uuid(createdAt, i), userIds[i % people] ?? "", title, body, new Date(createdAt).toISOString());
  }
  database.exec("COMMIT");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return userIds;
}

/** A UUIDv7 that is the same in each run. */
function uuid(milliseconds: number, number: number): string {
  const time = milliseconds.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, "0")}`;
}
