import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runJson } from "../command.ts";
import { freePort } from "../port.ts";
import { sqlOn } from "../postgres.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Contents } from "./history.ts";
import type { Target } from "./writers.ts";

/** The program with a database of its own, a person who may write, and a token of theirs. */
export interface Installation extends Target {
  readonly environment: Record<string, string>;
  /** SQLite's file. */
  readonly file: string;
  /** Starts `serve` and waits until it is ready. The test's end ends it. */
  start(change?: Record<string, string>, through?: readonly string[]): Promise<ServerProcess>;
  /** What the database holds, read past the program. */
  read(): Promise<Contents>;
}

/** A folder on a real disk, of which faults are wanted; others of the tests may be in memory. */
function diskFolder(): string {
  return process.env.TEST_DISK ?? tmpdir();
}

/** @param place a folder for SQLite, or the address of an empty PostgreSQL database; a new folder unless given */
export async function install(
  t: TestContext,
  place: { folder?: string; url?: string } = {},
  settings: Record<string, string> = {},
): Promise<Installation> {
  let folder = place.folder;
  if (folder === undefined) {
    const made = await mkdtemp(join(diskFolder(), "content-api-faults-"));
    t.after(() => rm(made, { recursive: true, force: true }));
    folder = made;
  }
  const file = join(folder, "content.db");
  const port = await freePort();
  const environment = {
    PORT: String(port),
    HOST: "localhost",
    DATABASE_URL: place.url ?? `sqlite:${file}`,
    SECRET_KEY: randomBytes(32).toString("base64url"),
    LOG_LEVEL: "error",
    // A machine that runs tests is a busy one, and may stand still; being refused for it is for the tests of overload.
    MAX_DELAY: "60000",
    RATE_LIMIT_TOKEN: "off",
    RATE_LIMIT_ADDRESS: "off",
    RATE_LIMIT_OAUTH_ADDRESS: "off",
    RATE_LIMIT_OAUTH_CLIENT: "off",
    ...settings,
  };
  const { url = null } = place;
  return {
    url: `http://localhost:${port}`,
    token: await createToken(environment),
    environment,
    file,
    async start(change = {}, through = []) {
      const server = await startServer({ ...environment, ...change }, through);
      t.after(async () => {
        if (server.child.exitCode === null && server.child.signalCode === null) await server.stop("SIGKILL");
      });
      return server;
    },
    read: async () => (url === null ? readSqlite(file) : readPostgres(url)),
  };
}

async function createToken(environment: Record<string, string>): Promise<string> {
  await runJson(["migrate"], environment);
  await runJson(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const client = ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"];
  const { client_id } = await runJson<{ client_id: string }>(client, environment);
  const token = ["token", "create", "--user", "ada@example.com", "--client", client_id, "--ttl", "12h"];
  const scope = ["--scope", "posts:read posts:write"];
  return (await runJson<{ access_token: string }>([...token, ...scope], environment)).access_token;
}

/** Through SQLite, so that the log counts; the program may be running. */
export function readSqlite(file: string): Contents {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    database.exec("BEGIN");
    const rows = (statement: string) => database.prepare(statement).all();
    const verdict = rows("PRAGMA integrity_check").map(({ integrity_check }) => integrity_check);
    const broken = rows("PRAGMA foreign_key_check").length;
    return {
      integrity: broken > 0 ? `${broken} broken references` : verdict.join("\n"),
      posts: rows("SELECT id, title, body FROM posts") as unknown as Contents["posts"],
      events: rows("SELECT subject_id FROM outbox WHERE type = 'post.created'").map((row) => String(row.subject_id)),
    };
  } finally {
    database.close();
  }
}

export async function readPostgres(url: string): Promise<Contents> {
  const [posts, events] = await Promise.all([
    sqlOn<Contents["posts"][number]>(url, "select id, title, body from posts"),
    sqlOn<{ id: string }>(url, "select subject_id as id from outbox where type = 'post.created'"),
  ]);
  return { integrity: "ok", posts, events: events.map(({ id }) => id) };
}

/** Waits for `/readyz`. @returns how many milliseconds that took @throws AssertionError after `within` milliseconds */
export async function untilReady(url: string, within: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(within) }).catch(() => null);
    await ready?.arrayBuffer().catch(() => {});
    const took = performance.now() - began;
    if (ready?.ok) return took;
    assert.ok(took < within, `${url} is not ready after ${within} ms`);
    await pause(20);
  }
}
