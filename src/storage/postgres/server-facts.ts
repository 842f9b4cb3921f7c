import pg from "pg";
import type { Examined } from "../database/examined.ts";
import type { PostgresAddress } from "./address.ts";
import { CONNECTION } from "./connections.ts";
import type { EngineSettings } from "./engine.ts";

/** Versions of PostgreSQL with which the tests of this program ran. */
const TESTED = { from: 15, to: 18 };
const OLDEST = 13;
/** Statements of which the median tells the way to the server. */
const PINGS = 9;
/** Milliseconds of one statement above which each write takes long. */
const FAR = 5;

type Given = { readonly address: PostgresAddress; readonly settings: EngineSettings };

/** Facts that the server tells of itself, and programs in between. */
export async function examineServer(client: pg.Client, { address, settings }: Given): Promise<Examined[]> {
  const { rows } = await client.query<Record<Fact, string | null>>(FACTS);
  const [facts] = rows;
  if (facts === undefined) return [];
  return [
    engineRow(facts.engine ?? "", Number(facts.version)),
    facts.encoding === "UTF8"
      ? { test: "encoding", result: "good", detail: "UTF8" }
      : { test: "encoding", result: "wrong", detail: `${facts.encoding}: create the database with ENCODING 'UTF8'` },
    durabilityRow(facts),
    roomRow(Number(facts.room), address.size),
    await poolerRow(client, address, settings),
    await distanceRow(client),
  ];
}

type Fact = "engine" | "version" | "encoding" | "flush" | "sync" | "room";
/** A setting that an engine does not know is null. */
const FACTS = `select version() as engine, current_setting('server_version_num') as version,
  current_setting('server_encoding') as encoding, current_setting('fsync', true) as flush,
  current_setting('synchronous_commit', true) as sync, current_setting('max_connections', true) as room`;

function engineRow(text: string, version: number): Examined {
  const [, other] = /(CockroachDB|YugabyteDB|-YB-|Redshift|Materialize)/.exec(text) ?? [];
  const test = "engine";
  const detail = text.split(/ on |,|\(/)[0]?.trim() ?? text;
  if (other !== undefined)
    return { test, result: "warning", detail: `${detail}: this program was never run on it, only on its documents` };
  const major = Math.floor(version / 10_000);
  if (major < OLDEST) return { test, result: "wrong", detail: `${detail}: PostgreSQL ${OLDEST} or newer is needed` };
  const isTested = major >= TESTED.from && major <= TESTED.to;
  return isTested
    ? { test, result: "good", detail }
    : { test, result: "warning", detail: `${detail}: tests ran on ${TESTED.from} to ${TESTED.to}` };
}

function durabilityRow({ flush, sync }: Record<Fact, string | null>): Examined {
  const off = [...(flush === "off" ? ["fsync"] : []), ...(sync === "off" ? ["synchronous_commit"] : [])];
  const test = "durability";
  if (off.length === 0) return { test, result: "good", detail: "a commit is on the disk when it is acknowledged" };
  return { test, result: "warning", detail: `${off.join(" and ")} is off: acknowledged writes can be lost` };
}

function roomRow(room: number, size: number): Examined {
  const test = "connections";
  const detail = `${size + 1} per process, and the server has ${room || "an unknown number"}`;
  return { test, result: room > 0 && room < size + 1 ? "wrong" : "good", detail };
}

/** While another connection is in a transaction, a pooler in transaction mode gives this one another session. */
async function poolerRow(client: pg.Client, { config }: PostgresAddress, settings: EngineSettings): Promise<Examined> {
  const test = "pooler";
  const session = async () => (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid;
  const other = new pg.Client({ ...CONNECTION, ...config });
  other.on("error", () => {});
  try {
    const before = await session();
    await other.connect();
    await other.query("begin");
    await other.query("select 1");
    const isShared = (await session()) !== before;
    await other.query("rollback");
    if (!isShared) return { test, result: "good", detail: "none in transaction mode" };
    return settings.DATABASE_POOLER === "transaction"
      ? { test, result: "good", detail: "in transaction mode, as DATABASE_POOLER says" }
      : { test, result: "wrong", detail: "sessions change between transactions: set DATABASE_POOLER=transaction" };
  } finally {
    other.end().catch(() => {});
  }
}

async function distanceRow(client: pg.Client): Promise<Examined> {
  const times: number[] = [];
  for (let i = 0; i < PINGS; i++) {
    const began = performance.now();
    await client.query("select 1");
    times.push(performance.now() - began);
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(PINGS / 2)] ?? 0;
  const detail = `a statement takes ${median.toFixed(1)} ms`;
  const test = "distance";
  if (median <= FAR) return { test, result: "good", detail };
  return { test, result: "warning", detail: `${detail}: writes take several of them` };
}
