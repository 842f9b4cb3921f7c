import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lacks } from "../faults/machine.ts";
import { serverEnvironment, startServer } from "../server-process.ts";
import { NEEDED, standInForSystemd } from "../systemd.ts";

describe("systemd hears of the server", { skip: lacks(NEEDED) }, () => {
  for (const workers of ["1", "2"])
    test(`WORKERS=${workers}: once when it is ready, again and again while it is alive, and when it stops`, async (t) => {
      const systemd = await standInForSystemd(t);
      const environment = await serverEnvironment(`sqlite:${join(systemd.folder, "content.db")}`, {
        ...systemd.environment,
        WORKERS: workers,
      });
      const server = await startServer(environment);
      t.after(() => server.stop("SIGKILL"));
      await systemd.until("READY=1");
      await systemd.until("WATCHDOG=1", 2);

      server.child.kill("SIGSTOP"); // as a process that hangs
      await pause(1_000); // what was on its way arrives
      const heard = systemd.messages.length;
      await pause(2_000);
      assert.equal(systemd.messages.length, heard, "nothing is heard of a process that hangs");
      server.child.kill("SIGCONT");

      assert.equal(await server.stop(), 0);
      await systemd.until("STOPPING=1");
      for (const message of ["READY=1", "STOPPING=1"])
        assert.equal(systemd.messages.filter((one) => one === message).length, 1, message);
      assert.equal(systemd.messages[1], "READY=1", "after bound");
    });

  test("without systemd-notify the server runs, and says once what is missing", async (t) => {
    const systemd = await standInForSystemd(t);
    const environment = await serverEnvironment(`sqlite:${join(systemd.folder, "content.db")}`, {
      ...systemd.environment,
      PATH: "/nonexistent",
    });
    const server = await startServer(environment);
    await pause(1_500);
    assert.equal(await server.stop(), 0);
    assert.equal(server.output().match(/The service manager cannot be notified: .*ENOENT/g)?.length, 1);
    assert.deepEqual(systemd.messages, ["bound"]);
  });
});
