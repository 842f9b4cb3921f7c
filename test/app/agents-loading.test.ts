import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { endProcess } from "../end-process.ts";
import { raw, stateless } from "../mcp/raw-client.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { bestOfThree } from "../timing.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Files that only agents need. */
const OF_AGENTS = /^src\/(mcp\/|app\/agent-tools\.ts$|app\/local-agent\.ts$)/;

describe("A01 loading", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
  });
  after(() => rm(folder, { recursive: true }));

  const environmentOf = (settings: Record<string, string>) =>
    serverEnvironment(`sqlite:${join(folder, "content.db")}`, settings);

  /** The program from its sources, and what it has loaded of them. */
  async function start(settings: Record<string, string>) {
    const environment = await environmentOf(settings);
    const env = { PATH: process.env.PATH, ...environment };
    const child = fork(join(import.meta.dirname, "loaded-process.ts"), ["serve"], { env, silent: true });
    const loaded: string[] = [];
    child.on("message", (path) => loaded.push(relative(ROOT, path as string)));
    const url = `http://localhost:${environment.PORT}`;
    for (let tries = 0; !(await fetch(`${url}/readyz`).catch(() => null))?.ok; tries++) {
      assert.ok(tries < 1_000 && child.exitCode === null, "it gets ready");
      await pause(20);
    }
    return { child, url, loaded };
  }

  const discover = (url: string, path = "/mcp") => raw(url + path, stateless("server/discover"));

  test("MCP=off: /mcp and all about it is 404, and nothing of it is loaded", async () => {
    const { child, url, loaded } = await start({ MCP: "off", MCP_CARD: "true" });
    try {
      for (const path of ["/mcp", "/mcp/", "/mcp/server-card", "/.well-known/ai-catalog.json"])
        assert.equal((await discover(url, path)).status, 404, path);
      for (const path of ["/mcp", "/mcp/server-card", "/.well-known/oauth-protected-resource/mcp"])
        assert.equal((await raw(url + path, { method: "GET" })).status, 404, path);
      const metadata = await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json();
      assert.notEqual(metadata.client_id_metadata_document_supported, true);
      assert.doesNotMatch(JSON.stringify(metadata), /\/mcp/);
      assert.ok(loaded.length > 200, `${loaded.length} files are loaded`);
      assert.deepEqual(
        loaded.filter((path) => OF_AGENTS.test(path)),
        [],
      );
    } finally {
      await endProcess(child);
    }
  });

  test("on: nothing of it is loaded before the first request for it", async () => {
    const { child, url, loaded } = await start({});
    try {
      const graphql = await raw(`${url}/graphql`, { body: '{"query":"{ __typename }"}' });
      assert.equal(graphql.status, 401);
      await pause(1_500); // other routes are loaded a second after the start
      assert.ok(loaded.length > 200, `${loaded.length} files are loaded`);
      assert.deepEqual(
        loaded.filter((path) => OF_AGENTS.test(path)),
        [],
      );
      assert.equal((await discover(url)).status, 401);
      assert.ok(loaded.filter((path) => OF_AGENTS.test(path)).length > 30);
    } finally {
      await endProcess(child);
    }
  });

  test("on: the first call of the built program takes at most 150 ms more than the second", async () => {
    await bestOfThree(150, async () => {
      const server = await startServer(await environmentOf({}));
      const timed = async () => {
        const began = performance.now();
        assert.equal((await discover(server.baseUrl)).status, 401);
        return performance.now() - began;
      };
      try {
        const first = await timed();
        return first - (await timed());
      } finally {
        await server.stop();
      }
    });
  });
});
