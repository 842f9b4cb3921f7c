import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import pg from "pg";
import type { Change } from "../../../src/domain/change.ts";
import { AppError } from "../../../src/domain/errors.ts";
import type { Id } from "../../../src/domain/id.ts";
import type { PostSelection } from "../../../src/domain/reading/selection.ts";
import { showDatabase } from "../../../src/storage/locate.ts";
import { MIGRATIONS } from "../../../src/storage/migrations/contents.ts";
import { migrate } from "../../../src/storage/migrations/migrate.ts";
import { isStepped } from "../../../src/storage/migrations/migration.ts";
import { openStore } from "../../../src/storage/open.ts";
import { openPostgres } from "../../../src/storage/postgres/postgres.ts";
import { prepareRead } from "../../../src/storage/reading/read.ts";
import { migrationStatus } from "../../../src/storage/upgrade.ts";
import { nodesConform } from "../../conformance/nodes.ts";
import { aPerson, hasCode, listEvents } from "../../conformance/samples.ts";
import { sqlOn, startPostgres } from "../../postgres.ts";
import { livedTime } from "../../timing.ts";

const titles: PostSelection = { type: "Post", fields: [{ kind: "column", key: "title", column: "title" }] };

const latest = MIGRATIONS.at(-1)?.version;
const pending = MIGRATIONS.map(({ version, name }) => `${String(version).padStart(4, "0")}-${name}`);
const server = await startPostgres({ durable: true });
after(() => server.stop());

describe("PostgreSQL: opening", () => {
  test("addresses that cannot work are refused without showing the password", async () => {
    const hush = (code: AppError["code"], message: RegExp) => (error: unknown) =>
      error instanceof AppError &&
      error.code === code &&
      message.test(error.message) &&
      !JSON.stringify([error.message, String(error.cause)]).includes("hush");
    await assert.rejects(openStore("postgres://u:hush@"), hush("BAD_USER_INPUT", /DATABASE_URL/));
    await assert.rejects(openStore("postgres://u:hush@h/d?pool_size=1"), hush("BAD_USER_INPUT", /pool_size/));
    await assert.rejects(openStore("postgres://u:hush@h/d?listen=maybe"), hush("BAD_USER_INPUT", /listen/));
    await assert.rejects(openStore("postgres://u:hush@127.0.0.1:1/d"), hush("UNAVAILABLE", /cannot be reached/));
    await assert.rejects(migrationStatus("postgres://u:hush@127.0.0.1:1/d"), hush("UNAVAILABLE", /cannot be reached/));
    const url = new URL(await server.createDatabase());
    url.pathname = "missing";
    await assert.rejects(openStore(url.href), hush("UNAVAILABLE", /no such database/));
    url.password = "hush";
    await assert.rejects(openStore(url.href), hush("UNAVAILABLE", /refuses the user name or the password/));
    assert.equal(
      showDatabase("postgres://u:hush@db.example:5433/d?sslpassword=hush"),
      "postgres://u:***@db.example:5433/d",
    );
  });

  test("a database in another encoding, and one of another program, are refused", async () => {
    const url = await server.createDatabase();
    await sqlOn(url, "create database latin encoding 'LATIN1' locale 'C' template template0");
    const latin = new URL(url);
    latin.pathname = "latin";
    await assert.rejects(openStore(latin.href), /encoding LATIN1/);
    await sqlOn(url, "drop database latin");
    await sqlOn(url, "create table users (id integer)");
    await assert.rejects(openStore(url), hasCode("UNAVAILABLE"));
    assert.deepEqual(await sqlOn(url, "select * from users"), []);
  });

  test("without migrate, a database that is behind is refused and not touched", async () => {
    const url = await server.createDatabase();
    await assert.rejects(openStore(url, { migrate: false }), /schema of the database is not up to date/);
    assert.deepEqual(await migrationStatus(url), { current: 0, latest, pending });
    await (await openStore(url)).close();
    assert.deepEqual(await migrationStatus(url), { current: latest, latest, pending: [] });
    await (await openStore(url, { migrate: false })).close();
    await sqlOn(url, "insert into schema_migrations values (99, 'from-the-future', '')");
    await (await openStore(url)).close();
    await sqlOn(url, "update schema_limits set schema = 99");
    await assert.rejects(openStore(url), /schema 99.*newer program/);
  });

  test("F08 six nodes open and migrate one database at once: all succeed, one migrates", async () => {
    const url = await server.createDatabase();
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(url)));
    await Promise.all(stores.map((store) => store.close()));
    assert.deepEqual(
      await sqlOn(url, "select version::int from schema_migrations"),
      MIGRATIONS.map(({ version }) => ({ version })),
    );
  });

  test("F08 a migration whose connection is killed is done whole by the next", async () => {
    const tablesAt = new Map<number, number>();
    const model = await openPostgres(await server.createDatabase());
    for (const migration of MIGRATIONS) {
      if (isStepped(migration)) continue; // one that was killed may leave some of its steps
      const { version, up } = migration;
      await model.write((tx) => up(tx, model.dialect));
      const { tables } = await sql<{
        tables: number;
      }>`select count(*) as tables from pg_tables where schemaname = 'public'`
        .execute(model.read)
        .then(({ rows }) => rows[0] ?? { tables: 0 });
      tablesAt.set(version, tables + 1); // schema_migrations is the migrator's own
    }
    await model.close();
    const wholeUntil = Math.max(...tablesAt.keys());
    const countTables = async (of: string) =>
      (await sqlOn(of, "select 1 from pg_tables where schemaname = 'public'")).length;
    const url = await server.createDatabase();
    for (let delay = 0; delay < 40; delay += 5) {
      const opening = openStore(url).then(
        (store) => store.close(),
        () => {},
      );
      await pause(delay);
      await sqlOn(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'content-api'");
      await opening;
      const { current } = await migrationStatus(url);
      const wanted = tablesAt.get(current) ?? 0;
      if (current < wholeUntil) assert.equal(await countTables(url), wanted, `at version ${current}`);
    }
    const store = await openStore(url);
    await store.check();
    await store.close();
  });
});

describe("PostgreSQL: connections", () => {
  test("F12 where nothing can be heard (listen=false), a change is told within a second all the same", async () => {
    const url = await server.createDatabase();
    const store = await openStore(`${url}?listen=false`);
    const told: Change[] = [];
    store.watch(["client"], (change) => void told.push(change));
    for (const began = livedTime(); told.length === 0 && livedTime() - began < 1_000; ) await pause(10);
    assert.deepEqual(told[0], { kind: "client", id: null });
    const listening =
      "select from pg_stat_activity where application_name = 'content-api changes' and datname = current_database()";
    assert.equal((await sqlOn(url, listening)).length, 0);
    await store.close();
  });

  test("U+0000 in a name that is looked for is the name of nothing", async () => {
    const store = await openStore(await server.createDatabase());
    const nul = "a\0b";
    assert.equal(await store.users.find(nul as Id), null);
    assert.equal(await store.users.findByEmail(nul), null);
    assert.equal(await store.clients.find(nul), null);
    assert.equal(await store.artifacts.find("AccessToken", nul), null);
    assert.equal(await store.artifacts.findByUid("Session", nul), null);
    assert.equal(await store.artifacts.findAccessToken(nul, 1), null);
    assert.equal(await store.artifacts.consume("AccessToken", nul, 1), false);
    await store.artifacts.destroy("AccessToken", nul);
    await store.artifacts.revokeGrant(nul);
    await assert.rejects(store.users.update(nul as Id, { role: "admin" }), hasCode("NOT_FOUND"));
    await assert.rejects(store.users.create(aPerson({ name: nul })), hasCode("BAD_USER_INPUT"));
    assert.deepEqual(await store.users.list(), []);
    await store.close();
  });

  test("a process opens pool_size connections at the most, and works with two", async () => {
    const url = new URL(await server.createDatabase());
    url.searchParams.set("pool_size", "2");
    const store = await openStore(url.href);
    const { id: authorId } = await store.users.create(aPerson());
    const list = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection: titles });
    await Promise.all(
      Array.from({ length: 60 }, async (_, i) =>
        i % 2 === 0 ? await list.run([5]) : await store.posts.create({ authorId, title: `${i}`, body: "" }),
      ),
    );
    const [row] = await sqlOn<{ count: string }>(
      url.href,
      "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'content-api'",
    );
    assert.equal(Number(row?.count), 2);
    await store.close();
  });

  test("hundreds of prepared reads leave a bounded number of statements on a connection", async () => {
    const url = new URL(await server.createDatabase());
    url.searchParams.set("pool_size", "2"); // of which one reads
    const database = await openPostgres(url.href);
    await migrate(database, Date.now);
    const reads = Array.from({ length: 400 }, (_, i) => {
      const fields = [{ kind: "constant", key: `k${i}`, value: "v" }] as const;
      return prepareRead(database, { kind: "user", id: { slot: 0 }, selection: { type: "User", fields } }, Date.now);
    });
    const count = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements`.execute(
        database.read,
      );
      return rows[0]?.n ?? 0;
    };
    for (const read of reads) await read.run([""]);
    assert.ok((await count()) < 10, "what runs once is not kept");
    for (let round = 0; round < 3; round++) {
      await Promise.all(reads.map(async (read) => assert.equal(await read.run([""]), "null")));
    }
    assert.ok((await count()) > 200);
    assert.ok((await count()) <= 250);
    await database.close();
  });

  test("a statement whose columns a migration has changed meanwhile is prepared anew", async () => {
    const url = await server.createDatabase();
    const store = await openStore(url);
    const user = await store.users.create(aPerson());
    for (let i = 0; i < 3; i++) assert.deepEqual(await store.users.find(user.id), user);
    await sqlOn(url, "alter table users add column shoe_size integer");
    for (let i = 0; i < 3; i++) assert.deepEqual(await store.users.find(user.id), user);
    assert.equal((await store.users.update(user.id, { role: "admin" })).role, "admin");
    await store.close();
  });

  test("F09 connections that are terminated are replaced: reads and writes do not notice", async () => {
    const url = await server.createDatabase();
    const store = await openStore(url);
    const { id: authorId } = await store.users.create(aPerson());
    const list = store.prepareRead({ kind: "posts", first: { slot: 0 }, selection: titles });
    for (let round = 0; round < 5; round++) {
      await sqlOn(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'content-api'");
      const outcomes = await Promise.allSettled([
        list.run([5]),
        store.posts.create({ authorId, title: `${round}`, body: "" }),
        store.check(),
      ]);
      for (const outcome of outcomes) assert.equal(outcome.status, "fulfilled");
    }
    await store.close();
  });

  test("a lock held elsewhere: the write gives up in time with UNAVAILABLE, nothing is written, the next one works", async () => {
    const url = await server.createDatabase();
    const store = await openStore(url);
    const { id } = await store.users.create(aPerson());
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query("begin");
    await other.query("lock table users in access exclusive mode");
    const began = livedTime();
    await assert.rejects(
      store.users.update(id, { role: "admin" }),
      (error) => error instanceof AppError && error.code === "UNAVAILABLE" && error.details.retryAfter === 1,
    );
    assert.ok(livedTime() - began < 8_000);
    await other.query("rollback");
    await other.end();
    assert.equal((await store.users.find(id))?.role, "member");
    assert.equal((await store.users.update(id, { role: "editor" })).role, "editor");
    await store.close();
  });

  test("F10 a server that has stopped answering is UNAVAILABLE within ten seconds; it is used again when it answers", async () => {
    const proxy = await openProxy(await server.createDatabase());
    const store = await openStore(proxy.url);
    const { id: authorId } = await store.users.create(aPerson());
    proxy.freeze(true);
    const began = livedTime();
    const outcomes = [store.check(), store.posts.create({ authorId, title: "t", body: "" })].map((promise) =>
      assert.rejects(promise, hasCode("UNAVAILABLE")),
    );
    const others: Promise<unknown>[] = [];
    const asking = setInterval(() => others.push(store.check().catch(() => {})), 250);
    await Promise.all(outcomes);
    clearInterval(asking);
    assert.ok(livedTime() - began < 12_000, `${livedTime() - began} ms`);
    await Promise.all(others);
    proxy.freeze(false);
    await store.check();
    await store.close();
    proxy.close();
  });

  test("F10 a connection that is cut while it commits: the write is in doubt, says so, and is not made twice", async () => {
    const url = await server.createDatabase();
    const proxy = await openProxy(url);
    const store = await openStore(proxy.url);
    const { id: authorId } = await store.users.create(aPerson());
    proxy.deafen(true);
    const creating = store.posts.create({ authorId, title: "t", body: "" });
    const doubting = assert.rejects(
      creating,
      (error) => error instanceof AppError && error.code === "UNAVAILABLE" && /not known/.test(error.message),
    );
    for (let i = 0; i < 1_000 && (await sqlOn(url, "select id from posts")).length === 0; i++) await pause(20);
    proxy.cut();
    await doubting;
    proxy.deafen(false);
    assert.equal((await sqlOn(url, "select id from posts")).length, 1);
    assert.equal((await listEvents(store)).length, 1);
    await store.close();
    proxy.close();
  });

  test("F09 a user without a connection left is told so, and the process goes on", async () => {
    const url = new URL(await server.createDatabase());
    await (await openStore(url.href)).close();
    await sqlOn(url.href, "create role few login password 'few' connection limit 2");
    await sqlOn(url.href, "grant all on all tables in schema public to few");
    url.username = "few";
    url.password = "few";
    const store = await openStore(url.href, { migrate: false });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => store.users.create(aPerson({ email: `${i}@example.com` }))),
    );
    const failures = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.ok(failures.length > 0 && failures.length < 20);
    for (const { reason } of failures) assert.match((reason as AppError).message, /no connection left/);
    assert.equal((await store.users.list()).length, 20 - failures.length);
    await store.users.create(aPerson());
    await store.close();
  });
});

interface Proxy {
  readonly url: string;
  /** Holds back whatever is said, until it thaws. */
  freeze(isFrozen: boolean): void;
  /** Forwards nothing more of what the server says. */
  deafen(isDeaf: boolean): void;
  /** Cuts every connection. */
  cut(): void;
  close(): void;
}

async function openProxy(databaseUrl: string): Promise<Proxy> {
  const { port, hostname } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isDeaf = false;
  const listener = createServer((inside) => {
    const outside = connect(Number(port), hostname);
    inside.on("data", (chunk) => outside.write(chunk));
    outside.on("data", (chunk) => isDeaf || inside.write(chunk));
    for (const [a, b] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(a);
      if (isFrozen) a.pause();
      a.on("error", () => {});
      a.on("close", () => {
        sockets.delete(a);
        b.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const url = new URL(databaseUrl);
  url.port = String((listener.address() as AddressInfo).port);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    freeze(frozen) {
      isFrozen = frozen;
      for (const socket of sockets) {
        if (frozen) socket.pause();
        else socket.resume();
      }
    },
    deafen(deaf) {
      isDeaf = deaf;
    },
    cut,
    close() {
      cut();
      listener.close();
    },
  };
}

nodesConform("PostgreSQL", () => server.createDatabase(), openStore);

describe("PostgreSQL: restarts under load", () => {
  for (const signal of ["SIGQUIT", "SIGKILL", "SIGINT"] as const) {
    test(`F09 the server ends by ${signal} under writes: no acknowledged post is lost, ready within ten seconds`, async () => {
      const url = await server.createDatabase();
      const writer = startWriter(url);
      await writer.firstLine;
      await pause(300 + Math.random() * 300);
      await server.kill(signal);
      await server.start();
      const store = await openStore(url);
      const began = livedTime();
      const acknowledgedBefore = writer.lines().length;
      while (writer.lines().length < acknowledgedBefore + 10) {
        assert.ok(livedTime() - began < 10_000, "writes do not resume");
        assert.equal(writer.child.exitCode, null, "the process has ended");
        await pause(20);
      }
      writer.child.kill("SIGKILL");
      await once(writer.child, "close");
      // In one statement: PostgreSQL may still be about to commit what it has of the process that is gone.
      const written = await sqlOn<{ post: string; event: string }>(
        url,
        "select posts.id as post, subject_id as event from posts full join (select * from outbox where type = 'post.created') as events on subject_id = posts.id",
      );
      const posts = new Set(written.map(({ post }) => post));
      const lost = writer.lines().filter((id) => !posts.has(id));
      assert.deepEqual(lost, []);
      assert.equal(written.length, posts.size);
      assert.deepEqual(
        written.filter(({ post, event }) => post !== event),
        [],
      );
      await store.close();
    });
  }
});

interface Writer {
  readonly child: ChildProcess;
  readonly firstLine: Promise<unknown>;
  /** The ids that were acknowledged so far. */
  lines(): string[];
}

function startWriter(url: string): Writer {
  const file = fileURLToPath(new URL("../persistent-writer-process.ts", import.meta.url));
  const child = spawn(process.execPath, [file, url], { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return { child, firstLine: once(child.stdout, "data"), lines: () => text.split("\n").slice(0, -1) };
}
