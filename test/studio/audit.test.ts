import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { auditCommand, auditPath, filterOf } from "../../src/studio/browser/audit/audit-filter.ts";
import { csvLine } from "../../src/studio/browser/audit/export/csv.ts";
import { FORMATS } from "../../src/studio/browser/audit/export/formats.ts";
import { walkEntries } from "../../src/studio/browser/audit/export/walk.ts";
import { doerOf, eventWords, subjectsOf } from "../../src/studio/browser/audit/words/audit-words.ts";
import type { AuditRow } from "../../src/studio/browser/documents/audit.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";

const ROW: AuditRow = {
  ...{ id: "1", at: "2026-11-30T10:00:00.000Z", event: "SIGN_IN", result: "OK", personId: null, clientId: null },
  ...{ address: "192.0.2.1", actorId: null, requestId: null, detail: null, actor: null, person: null, client: null },
};

/** Reads CSV as RFC 4180 has it. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r\n)/g)) {
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") {
      lines.push(line);
      line = [];
    }
  }
  return lines;
}

describe("S90 filters of the audit in the URL", () => {
  test("every filter stands in the URL, and what means nothing is left out", () => {
    const query =
      "event=sign-in&result=reuse&person=p1&client=https%3A%2F%2Fa.example%2Fc&ip=192.0.2.1&request=r1" +
      "&from=2026-11-30T10:00:00Z&until=2026-12-01T10:00:00Z";
    assert.deepEqual(filterOf(new URLSearchParams(query)), {
      ...{ since: "2026-11-30T10:00:00.000Z", until: "2026-12-01T10:00:00.000Z", event: "SIGN_IN", result: "REUSE" },
      ...{ personId: "p1", clientId: "https://a.example/c", address: "192.0.2.1", requestId: "r1" },
    });
    assert.deepEqual(filterOf(new URLSearchParams("event=shoes&result=&from=soon&ip=%20")), {});
    const local = filterOf(new URLSearchParams("from=2026-11-30T10:00"))?.since;
    assert.equal(local, new Date(2026, 10, 30, 10).toISOString());
  });

  test("an e-mail address must become an id first", () => {
    assert.equal(filterOf(new URLSearchParams("person=ada%40example.com")), null);
  });

  test("links and commands name the same entries", () => {
    assert.equal(auditPath({ client: "https://a.example/c" }), "/audit?client=https%3A%2F%2Fa.example%2Fc");
    const filter = { event: "SECOND_STEP", clientId: "it's one", address: "::1" } as const;
    assert.equal(
      auditCommand(filter, "2026-11-30T10:00:00.000Z"),
      "content-api audit --until 2026-11-30T10:00:00.000Z --event second-step --client 'it'\\''s one' --address ::1 --limit 10000 --json",
    );
  });

  test("who did it, and to whom", () => {
    const ada = { id: "a", name: "Ada", email: "ada@example.com" };
    const ben = { id: "b", name: "Ben", email: "ben@example.com" };
    const app = { id: "c", name: "App" };
    const named = (row: Partial<AuditRow>) => {
      const whole = { ...ROW, ...row };
      return [doerOf(whole).name, ...subjectsOf(whole).map(({ name }) => name)];
    };
    const ids = { personId: "b", person: ben, clientId: "c", client: app };
    assert.deepEqual(named({ ...ids, actorId: "a", actor: ada }), ["Ada", "Ben", "App"]);
    assert.deepEqual(named(ids), ["Ben", "App"]);
    assert.deepEqual(named({ clientId: "c", client: app }), ["App"]);
    assert.deepEqual(named({ ...ids, address: null }), ["The server, or its terminal", "Ben", "App"]);
    assert.deepEqual(named({ actorId: "a", personId: "a" }), ["Deleted account"]);
    assert.deepEqual(named({ actorId: "a", personId: "b" }), ["Deleted account", "Deleted account"]);
    assert.deepEqual(named({}), ["Not known"]);
    assert.equal(eventWords("STEP_UP"), "Sign-in again");
  });
});

describe("S91 export of the audit", () => {
  const HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", 'say "no", twice', "two\r\nlines", "ä, 北", "", " =1"];

  test("hostile cells come back as text, with a ' before formulas", () => {
    const safe = HOSTILE.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell));
    assert.deepEqual(readCsv(csvLine(HOSTILE)), [safe]);
    for (const [cell, text] of [
      ["＝1+1", "'＝1+1"],
      ["\n=1", "\n'=1"],
      ["a;=1", "a;'=1"],
      ["a; @x;b", "a; '@x;b"],
      ["a\r\n-1", "a\r\n'-1"],
      ["a=1; b-c", "a=1; b-c"],
      ["2026-11-30T10:00:00.000Z", "2026-11-30T10:00:00.000Z"],
    ] as const)
      assert.deepEqual(readCsv(csvLine([cell, "z"])), [[text, "z"]]);
    assert.equal(csvLine(["a", null, 'b"']), 'a,,"b"""\r\n');
  });

  test("both formats have all fields, and read back", () => {
    const row: AuditRow = {
      ...ROW,
      detail: "=cmd()",
      personId: "p",
      person: { id: "p", name: 'Ada "L", x', email: "" },
    };
    const { head, line } = FORMATS.csv;
    assert.equal(head.charCodeAt(0), 0xfeff);
    const [names = [], cells = []] = readCsv((head + line(row)).slice(1));
    const read = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
    const { event, result, detail, person_name: name, ip_address: address } = read;
    assert.deepEqual([event, result, detail, name, address], ["sign-in", "ok", "'=cmd()", 'Ada "L", x', "192.0.2.1"]);
    const object = JSON.parse(FORMATS.jsonl.line(row)) as Record<string, unknown>;
    assert.deepEqual(Object.keys(object), names);
    assert.equal(object.detail, "=cmd()");
  });

  /** A server with so many entries; their cursors are their places. */
  function openWalk(total: number, most?: number) {
    const asked: [first: number, after: string | null][] = [];
    const waited: number[] = [];
    const controller = new AbortController();
    const failures: Error[] = [];
    return {
      ...{ asked, waited, controller, failures },
      walk: {
        format: FORMATS.jsonl,
        signal: controller.signal,
        ...(most !== undefined && { most }),
        async load(first: number, after: string | null) {
          asked.push([first, after]);
          const failure = failures.shift();
          if (failure !== undefined) throw failure;
          const from = Number(after ?? 0);
          const rows = Array.from({ length: Math.min(first, total - from) }, (_, index) => ({
            ...ROW,
            id: String(from + index),
          }));
          const end = from + rows.length;
          return { rows, pageInfo: { hasNextPage: end < total, endCursor: String(end) } };
        },
        async wait(seconds: number) {
          waited.push(seconds);
        },
        onProgress() {},
      },
    };
  }

  const idsOf = (parts: readonly string[]) =>
    parts
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => Number((JSON.parse(line) as { id: string }).id));

  test("it walks in pages of 100 and has each entry once", async () => {
    const { walk, asked } = openWalk(250);
    const { parts, count, oldest } = await walkEntries(walk);
    assert.deepEqual(
      idsOf(parts),
      Array.from({ length: 250 }, (_, index) => index),
    );
    assert.deepEqual([count, oldest], [250, null]);
    assert.deepEqual(asked, [
      [100, null],
      [100, "100"],
      [100, "200"],
    ]);
  });

  test("it stops at the most, and says from when on there are more", async () => {
    const { walk, asked } = openWalk(1_000, 250);
    const { count, oldest } = await walkEntries(walk);
    assert.deepEqual([count, oldest, asked.length], [250, ROW.at, 3]);
    assert.equal((await walkEntries(openWalk(250, 250).walk)).oldest, null);
  });

  test("a busy server is asked again when it says so; another failure ends it", async () => {
    const { walk, waited, failures } = openWalk(50);
    failures.push(
      new ApiFailure({ kind: "busy", message: "", retryAfter: 7 }),
      new ApiFailure({ kind: "offline", message: "" }),
    );
    assert.equal((await walkEntries(walk)).count, 50);
    assert.deepEqual(waited, [7, 2]);
    const other = openWalk(50);
    other.failures.push(new ApiFailure({ kind: "forbidden", message: "No." }));
    await assert.rejects(walkEntries(other.walk), { kind: "forbidden" });
  });

  test("it can be cancelled between two pages", async () => {
    const { walk, controller, asked } = openWalk(1_000);
    const work = walkEntries({ ...walk, onProgress: (count) => count === 200 && controller.abort() });
    await assert.rejects(work, { name: "AbortError" });
    assert.equal(asked.length, 2);
  });
});
