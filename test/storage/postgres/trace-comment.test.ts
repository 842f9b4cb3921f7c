import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CompiledQuery } from "kysely";
import { RequestRecord, withRecord } from "../../../src/observe/request-record.ts";
import { openSampling } from "../../../src/observe/sampling.ts";
import { openStatementWatch } from "../../../src/observe/statement-watch.ts";
import type { Database } from "../../../src/storage/database/database.ts";
import { openPostgres } from "../../../src/storage/postgres/postgres.ts";
import { createDatabase, dropDatabase } from "../../postgres.ts";

const SERVER = process.env.TEST_DATABASE_URL;
const lines: { readonly plan?: readonly string[]; readonly statement?: string }[] = [];
const silent = () => {};
const log = { debug: silent, info: silent, error: silent, warn: (fields: object) => void lines.push(fields) };

describe("statements on PostgreSQL", { skip: SERVER === undefined }, () => {
  let url: string;
  let database: Database;
  before(async () => {
    url = await createDatabase(SERVER ?? "");
    const statements = openStatementWatch({
      ...{ system: "postgresql", namespace: "content", SLOW_QUERY: 20, SQL_TRACE_COMMENT: true, log },
    });
    database = await openPostgres(url, undefined, undefined, statements);
  });
  after(async () => {
    await database.close();
    await dropDatabase(SERVER ?? "", url);
  });
  const textSeen = async () => {
    const { rows } = await database.read.executeQuery<{ query: string }>(
      CompiledQuery.raw("select query from pg_stat_activity where pid = pg_backend_pid()"),
    );
    return rows[0]?.query ?? "";
  };
  const recordOf = (sampler: "always_on" | "always_off") => {
    const record = new RequestRecord("r", performance.now(), openSampling(sampler, 0.05, "none"));
    record.choose(null);
    return record;
  };

  test("O05 SQL_TRACE_COMMENT adds the traceparent of what is traced, and nothing else's", async () => {
    const traced = recordOf("always_on");
    const text = await withRecord(traced, textSeen);
    assert.ok(text.endsWith(`/*traceparent='${traced.traceparent()}'*/`), text);
    assert.doesNotMatch(await withRecord(recordOf("always_off"), textSeen), /traceparent/);
    assert.doesNotMatch(await textSeen(), /traceparent/);
  });

  test("O04 a write is one span for what goes to the database together, with its wait noted", async () => {
    const record = recordOf("always_on");
    await withRecord(record, () =>
      database.write(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw("create table notes (id integer)"));
        await tx.executeQuery(CompiledQuery.raw("insert into notes values ($1)", [1]));
      }),
    );
    const names = record.spans?.map(({ name }) => name) ?? [];
    assert.equal(names.length, 3, names.join());
    assert.match(names[0] ?? "", /^BEGIN; SELECT; CREATE notes$/);
    assert.deepEqual(names.slice(1), ["INSERT notes", "COMMIT"]);
    assert.ok(record.waitMs > 0);
    assert.equal(record.statements, 5);
  });

  test("O31 a slow statement has the plan that PostgreSQL makes without values", async () => {
    const slow = "select pg_sleep(0.05), $1::text as value from pg_class where oid = $2";
    await database.read.executeQuery(CompiledQuery.raw(slow, ["of-a-person", 1259]));
    // On a busy machine others are slow too.
    const line = () => lines.find(({ statement }) => statement === slow);
    for (const deadline = performance.now() + 5_000; line() === undefined && performance.now() < deadline; )
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(line() !== undefined, JSON.stringify(lines));
    assert.match(JSON.stringify(line()?.plan ?? "none, as before PostgreSQL 16"), /pg_class|none/);
    assert.doesNotMatch(JSON.stringify(lines), /of-a-person/);
  });
});
