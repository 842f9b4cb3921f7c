import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, type TestContext, test } from "node:test";
import { History } from "../faults/history.ts";
import { readPostgres, readSqlite } from "../faults/installation.ts";
import type { Target } from "../faults/writers.ts";
import { freePort } from "../port.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { bothDatabases, contentsOf, type Engine } from "./both-databases.ts";
import { type Load, startLoad } from "./load.ts";
import { lacksVersion, nextProgram, olderProgram, ownProgram, type Program } from "./programs.ts";

const CLIENTS = 8;
/** Requests in each phase. */
const ENOUGH = 300;
/** Tables that change with time alone, or with the beginning and end of nodes. */
const OF_NODES = ["nodes", "schema_limits", "rate_limits", "audit", "replica_readers"];

const databases = await bothDatabases();

interface Node extends Target {
  readonly server: ServerProcess;
}

interface Plan {
  readonly verdict: string;
  readonly nodes: readonly { version: string }[];
  readonly unknown: number;
}

/** The older program with its database, and a token of somebody who writes. */
async function install(t: TestContext, engine: Engine, older: Program) {
  const url = await databases.create(engine);
  const environment = {
    ...{ HOST: "localhost", DATABASE_URL: url, SECRET_KEY: randomBytes(32).toString("base64url"), LOG_LEVEL: "warn" },
    ...{ MAX_DELAY: "60000", RATE_LIMIT_TOKEN: "off", RATE_LIMIT_ADDRESS: "off", BASE_URL: "http://localhost:4000" },
  };
  await older.json(["migrate"], environment);
  await older.json(["user", "create", "--email", "ada@example.com", "--name", "Ada"], environment);
  const client = ["client", "create", "--name", "C", "--redirect-uri", "https://app.example.com/"];
  const { client_id } = await older.json<{ client_id: string }>(client, environment);
  const token = ["token", "create", "--user", "ada@example.com", "--client", client_id, "--ttl", "1h"];
  const scope = ["--scope", "posts:read posts:write"];
  const { access_token } = await older.json<{ access_token: string }>([...token, ...scope], environment);
  return {
    url,
    environment,
    async start(program: Program): Promise<Node> {
      const port = String(await freePort());
      const server = await startServer({ ...environment, PORT: port }, [], program.file);
      t.after(async () => {
        if (server.child.exitCode === null && server.child.signalCode === null) await server.stop("SIGKILL");
      });
      return { url: server.baseUrl, token: access_token, server };
    },
    read: async () => (engine === "SQLite" ? readSqlite(url.slice("sqlite:".length)) : readPostgres(url)),
  };
}

/** One phase under load, without a fault. */
async function passes(load: Load, phase: string): Promise<void> {
  await load.more(ENOUGH);
  assert.deepEqual(load.faults, [], phase);
}

async function leaves(load: Load, node: Node, others: readonly Node[]): Promise<void> {
  await load.turnTo(others);
  assert.equal(await node.server.stop(), 0, node.server.output());
}

function rolls(
  engine: Engine,
  olderName: string,
  programs: () => Promise<{ older: Program; newer: Program; writesRows: boolean }>,
): void {
  test(`K20 K21 ${olderName} and the version after it serve one ${engine} under load, there, back and there again: no failed request, no lost write`, {
    timeout: 300_000,
  }, async (t) => {
    const { older, newer, writesRows } = await programs();
    const { url, environment, start, read } = await install(t, engine, older);
    const check = async () => {
      const { code, stdout } = await newer.run(["upgrade", "--check", "--json"], environment);
      return { code, ...(JSON.parse(stdout) as Plan) };
    };
    const upgrade = () => newer.json(["upgrade", ...(engine === "SQLite" ? [] : ["--backup-done"])], environment);
    const history = new History();
    const first = await start(older);
    const load = startLoad(history, [first], CLIENTS);
    t.after(() => load.stop());
    await passes(load, "the older program alone");

    const { code, verdict, nodes, unknown } = await check();
    assert.deepEqual([code, verdict], [3, "expand only"]);
    assert.deepEqual(
      nodes.map(({ version }) => version),
      writesRows ? [older.version] : [],
    );
    if (engine === "PostgreSQL") assert.equal(unknown, writesRows ? 0 : 1);
    await upgrade();
    await passes(load, "the older program on the newer schema");
    const second = await start(newer);
    await load.turnTo([first, second]);
    await passes(load, "both together");
    if (writesRows) {
      const refused = await newer.run(["upgrade", "--finish"], environment);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        new RegExp(`until these nodes are stopped or upgraded:\n  version ${older.version}`),
      );
      const again = await start(older); // a node of the older version may restart, too
      await load.turnTo([first, second, again]);
      await passes(load, "an older node that began on the newer schema");
      await leaves(load, again, [first, second]);
    }

    // Back: the newer node ends, and the schema with it.
    await leaves(load, second, [first]);
    await newer.json(["rollback", "--to", older.version], environment);
    await passes(load, "back on the older schema");
    await load.stop();
    assert.equal(await first.server.stop(), 0);
    const third = await start(older);
    const loadAgain = startLoad(history, [third], CLIENTS);
    t.after(() => loadAgain.stop());
    await passes(loadAgain, "the older program starts on its schema again");

    await upgrade();
    const fourth = await start(newer);
    await loadAgain.turnTo([third, fourth]);
    await passes(loadAgain, "both together again");
    await leaves(loadAgain, third, [fourth]);
    await newer
      .run(["upgrade", "--finish"], environment)
      .then(({ code: done, stderr }) => assert.equal(done, 0, stderr));
    await passes(loadAgain, "the newer program after the end of the upgrade");
    await loadAgain.stop();
    history.assertExplains(await read());
    assert.equal(await fourth.server.stop(), 0);
    const { code: last, verdict: upgraded } = await check();
    assert.deepEqual([last, upgraded], [0, "compatible"]);
    if (writesRows) {
      const late = await older.run(["serve"], { ...environment, PORT: String(await freePort()) });
      assert.match(late.stderr, /this program knows schemas up to/);
    }
    t.diagnostic(
      `K20 ${engine}, ${olderName}: ${load.answered() + loadAgain.answered()} requests, ${history.summary()}`,
    );
    const before = await contentsOf(url, OF_NODES);
    assert.ok((before.posts?.length ?? 0) > ENOUGH);
  });
}

describe("rolling upgrades", () => {
  const older = "0.1.0";
  const reason = lacksVersion(older);
  for (const engine of ["SQLite", "PostgreSQL"] as const) {
    if (reason !== false) test(`K20 ${older} and this version on ${engine}`, { skip: reason }, () => {});
    else
      rolls(engine, older, async () => ({
        older: olderProgram(older, await databases.folder()),
        newer: ownProgram(),
        writesRows: false,
      }));
    rolls(engine, "this version", async () => ({
      older: ownProgram(),
      newer: nextProgram(await databases.folder()),
      writesRows: true,
    }));
  }
});
