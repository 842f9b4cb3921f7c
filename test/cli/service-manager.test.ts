import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { lacks, pathOf } from "../faults/machine.ts";
import { serverEnvironment, startServer } from "../server-process.ts";

/** Prints what comes to a datagram socket of its own, as systemd hears it. Node has no such sockets. */
const LISTENER = `use Socket; $| = 1;
socket(S, AF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) || die $!; print "bound\n";
my $m; while (defined recv(S, $m, 4096, 0)) { print "$m\n" unless $m =~ /BARRIER/ }`;

async function listen(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const socket = join(folder, "notify");
  const listener = spawn(pathOf("perl") ?? "perl", ["-e", LISTENER, socket], { stdio: ["ignore", "pipe", "inherit"] });
  t.after(async () => {
    listener.kill();
    await rm(folder, { recursive: true });
  });
  const messages: string[] = [];
  createInterface(listener.stdout).on("line", (line) => messages.push(line));
  const until = async (message: string, count = 1) => {
    for (const deadline = Date.now() + 20_000; messages.filter((one) => one === message).length < count; ) {
      if (Date.now() > deadline) assert.fail(`no ${message} among ${messages.join(", ")}`);
      await pause(10);
    }
  };
  await until("bound");
  return { folder, messages, until, environment: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "1000000" } };
}

describe("systemd hears of the server", { skip: lacks(["systemd-notify", "perl"]) }, () => {
  for (const workers of ["1", "2"])
    test(`WORKERS=${workers}: once when it is ready, again and again while it is alive, and when it stops`, async (t) => {
      const systemd = await listen(t);
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
    const systemd = await listen(t);
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
