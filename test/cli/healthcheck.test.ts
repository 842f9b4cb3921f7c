import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { listenAddresses, ownHosts } from "../../src/http/listen-addresses.ts";
import { PROGRAM, runCommand } from "../command.ts";
import { command, lacks } from "../faults/machine.ts";
import { freePort } from "../port.ts";
import { serverEnvironment, startServer } from "../server-process.ts";

async function settings(t: TestContext, more: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  t.after(() => rm(folder, { recursive: true }));
  return serverEnvironment(`sqlite:${join(folder, "content.db")}`, more);
}

describe("healthcheck", () => {
  for (const host of ["localhost", "0.0.0.0"])
    test(`at HOST=${host}: 0 while the server is ready, 1 while it stops and when it is gone`, async (t) => {
      const environment = await settings(t, { HOST: host, SHUTDOWN_DELAY: "3s" });
      const server = await startServer(environment);
      const check = () => runCommand(["healthcheck"], environment);
      assert.deepEqual(await check(), { code: 0, stdout: "ready\n", stderr: "" });
      const stopped = server.stop();
      const stopping = await check();
      assert.deepEqual([stopping.code, stopping.stdout], [1, ""]);
      assert.match(stopping.stderr, /\/readyz answers 503: the server cannot reach its database, or is stopping\.\n$/);
      await stopped;
      const gone = await check();
      assert.equal(gone.code, 1);
      assert.match(gone.stderr, /\/readyz does not answer \(ECONNREFUSED\)\.\n$/);
    });

  test("asks OPERATIONS_PORT where there is one", async (t) => {
    const operations = String(await freePort());
    const environment = await settings(t, { OPERATIONS_PORT: operations });
    const server = await startServer(environment);
    t.after(() => server.stop());
    assert.equal((await runCommand(["healthcheck"], environment)).code, 0);
    const elsewhere = await runCommand(["healthcheck"], { ...environment, OPERATIONS_PORT: String(await freePort()) });
    assert.equal(elsewhere.code, 1);
  });
});

describe("HOST=localhost", () => {
  test("is every address of the name, and other hosts are as they are written", async () => {
    const addresses = await listenAddresses("localhost");
    assert.ok(addresses.includes("127.0.0.1"), addresses.join());
    assert.equal(new Set(addresses).size, addresses.length);
    assert.deepEqual(await listenAddresses("example.com"), ["example.com"]);
    assert.deepEqual(await ownHosts("0.0.0.0"), ["127.0.0.1"]);
    assert.deepEqual(await ownHosts("::"), ["[::1]"]);
    assert.deepEqual(await ownHosts("fd00::1"), ["[fd00::1]"]);
  });

  /** Becomes its arguments, on a machine whose hosts file is empty, as in an image without one. */
  const WITHOUT_HOSTS = ["unshare", "-m", "sh", "-c", 'mount --bind /dev/null /etc/hosts && exec "$@"', "sh"];

  test("works on a machine without a hosts file, for the server and for healthcheck", {
    skip: lacks(["unshare", "mount"], { root: true }),
  }, async (t) => {
    try {
      command("unshare", "-m", "sh", "-c", "mount --bind /dev/null /etc/hosts");
    } catch (error) {
      return t.skip(`this kernel lets us mount nothing: ${(error as Error).message}`);
    }
    const environment = await settings(t, { HOST: "localhost" });
    const server = await startServer(environment, WITHOUT_HOSTS);
    t.after(() => server.stop());
    const settled = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    const said = command("env", ...settled, ...WITHOUT_HOSTS, process.execPath, PROGRAM, "healthcheck");
    assert.equal(said, "ready\n");
  });
});
