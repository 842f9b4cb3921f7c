import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, type TestContext, test } from "node:test";
import { PROGRAM } from "../command.ts";
import { lacks, pathOf } from "../faults/machine.ts";
import { serverEnvironment } from "../server-process.ts";

/**
 * Listens like systemd, and never accepts: Node would. Each line "start" starts the program with the sockets as its
 * descriptors 3 and 4, "stop" stops it and waits for its end, and "wait" waits only.
 */
const HOLDER = `use Socket; use POSIX; $| = 1; $^F = 20;
my ($port, $operations, @command) = @ARGV;
my @sockets = map { socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($s, sockaddr_in($_, INADDR_LOOPBACK)) && listen($s, 1024) || die $!; $s } ($port, $operations);
my @high = map { my $fd = fcntl($_, 0, 30); $fd } @sockets; my $pid; print "listening\\n";
while (<STDIN>) {
  if (/start/) { $pid = fork;
    if ($pid == 0) { POSIX::dup2($high[0], 3); POSIX::dup2($high[1], 4);
      $ENV{LISTEN_PID} = /other/ ? 1 : $$; $ENV{LISTEN_FDS} = 2; $ENV{LISTEN_FDNAMES} = "content-api.socket:operations";
      exec @command } print "started\\n" }
  else { kill "TERM", $pid if /stop/; waitpid($pid, 0); print "stopped ", $? >> 8, "\\n" }
}
kill "KILL", $pid if $pid;`;

async function hold(t: TestContext, settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), "content-api-"));
  const [{ PORT: operations }, environment] = [
    await serverEnvironment(""),
    await serverEnvironment(`sqlite:${join(folder, "content.db")}`, settings),
  ];
  // It listens where the sockets do, and nowhere else.
  const child = spawn(
    pathOf("perl") ?? "perl",
    ["-e", HOLDER, environment.PORT, operations, process.execPath, PROGRAM, "serve"],
    { env: { PATH: process.env.PATH, ...environment, OPERATIONS_PORT: operations } },
  );
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  const lines = createInterface(child.stdout);
  const heard: string[] = [];
  lines.on("line", (line) => heard.push(line));
  t.after(async () => {
    child.stdin.end();
    await new Promise((resolve) => child.once("close", resolve));
    await rm(folder, { recursive: true });
  });
  const until = (wanted: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no ${wanted}: ${heard.join("\n")}${errors}`)), 60_000);
      const look = () => {
        const at = heard.findIndex((line) => wanted.test(line));
        if (at < 0) return;
        clearTimeout(timer);
        lines.off("line", look);
        resolve(heard.splice(0, at + 1).at(-1) ?? "");
      };
      lines.on("line", look);
      look();
    });
  await until(/^listening$/);
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    operationsUrl: `http://127.0.0.1:${operations}`,
    errors: () => errors,
    async say(word: string, answer: RegExp) {
      child.stdin.write(`${word}\n`);
      return until(answer);
    },
  };
}

/** On a connection of its own. @returns the status; it fails where the connection is refused or reset */
async function ask(url: string): Promise<number> {
  const { get } = await import("node:http");
  return new Promise((resolve, reject) => {
    const agent = new Agent();
    get(url, { agent, timeout: 60_000 }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    }).on("error", reject);
  });
}

describe("K11 sockets of systemd", { skip: lacks(["perl"]) }, () => {
  for (const workers of ["1", "2"])
    test(`WORKERS=${workers}: while the program is stopped and started, connections wait instead of being refused`, async (t) => {
      const holder = await hold(t, { WORKERS: workers });
      const early = ask(`${holder.url}/readyz`);
      await holder.say("start", /is ready/);
      assert.equal(await early, 200, "it waited for the first start");
      assert.equal(await ask(`${holder.operationsUrl}/livez`), 200);

      let isOver = false;
      const statuses: number[] = [];
      const clients = Array.from({ length: 8 }, async () => {
        while (!isOver) statuses.push(await ask(`${holder.url}/livez`));
      });
      for (let count = 0; count < 3; count++) {
        assert.equal(await holder.say("stop", /^stopped/), "stopped 0");
        await holder.say("start", /is ready/);
      }
      isOver = true;
      await Promise.all(clients);
      assert.deepEqual([...new Set(statuses)], [200]);
      assert.ok(statuses.length >= 24, String(statuses.length));
    });

  test("sockets for another process are ignored: then the port is in use", async (t) => {
    const holder = await hold(t, {});
    await holder.say("start other", /^started$/);
    assert.equal(await holder.say("wait", /^stopped/), "stopped 1");
    assert.match(holder.errors(), /The port is in use/);
  });
});
