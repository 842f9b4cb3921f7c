import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { endProcess } from "../end-process.ts";
import { serverEnvironment } from "../server-process.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Files that only these pages need. */
const OF_DOCS = /^src\/(?:docs\/|app\/docs\.ts$|domain\/error-codes\.ts$)/;

/** Sources that the program loads from its start to its answer for /docs. */
async function visit(settings: Record<string, string>): Promise<{ status: number; loaded: readonly string[] }> {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, settings);
  const env = { PATH: process.env.PATH, ...environment };
  const child = fork(join(import.meta.dirname, "../app/loaded-process.ts"), ["serve"], { env, silent: true });
  const loaded: string[] = [];
  child.on("message", (path) => loaded.push(relative(ROOT, path as string)));
  const url = `http://localhost:${environment.PORT}/docs`;
  try {
    for (let tries = 0; ; tries++) {
      const answer = await fetch(url).catch(() => null);
      if (answer !== null && answer.status !== 503) return { status: answer.status, loaded: [...loaded] };
      assert.ok(tries < 1_000 && child.exitCode === null, "it gets ready");
      await pause(20);
    }
  } finally {
    await endProcess(child);
    await rm(folder, { recursive: true });
  }
}

describe("D07 loading of the pages at /docs", () => {
  test("D07 off: /docs is missing, and nothing of it is loaded with the other routes", async () => {
    const { status, loaded } = await visit({});
    assert.equal(status, 404);
    assert.ok(loaded.includes("src/app/routes.ts"), `${loaded.length} files are loaded`);
    assert.deepEqual(
      loaded.filter((path) => OF_DOCS.test(path)),
      [],
    );
  });

  test("D07 on: it is loaded", async () => {
    const { status, loaded } = await visit({ DOCS: "true" });
    assert.equal(status, 200);
    assert.ok(loaded.filter((path) => OF_DOCS.test(path)).length >= 9);
  });
});
