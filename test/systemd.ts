import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathOf } from "./faults/machine.ts";

/** Prints what comes to a datagram socket of its own, as systemd hears it. Node has no such sockets. */
const LISTENER = `use Socket; $| = 1;
socket(S, AF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) || die $!; print "bound\n";
my $m; while (defined recv(S, $m, 4096, 0)) { $m =~ s/\n/ /g; print "$m\n" unless $m =~ /BARRIER/ }`;

/** Commands without which `standInForSystemd` cannot be. */
export const NEEDED = ["systemd-notify", "perl"];

/** Hears what a service tells systemd. A message of several lines comes as one, with spaces between them. */
export async function standInForSystemd(t: TestContext) {
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
    for (const deadline = Date.now() + 60_000; messages.filter((one) => one === message).length < count; ) {
      if (Date.now() > deadline) assert.fail(`no ${message} among ${messages.join(", ")}`);
      await pause(10);
    }
  };
  await until("bound");
  return {
    folder,
    messages,
    until,
    environment: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "1000000" },
    /** The process that took over as the one with this number, 1 for the first. */
    async successor(number: number): Promise<number> {
      for (const deadline = Date.now() + 60_000; ; await pause(5)) {
        const found = messages.filter((one) => one.startsWith("MAINPID="))[number - 1];
        if (found !== undefined) return Number(/^MAINPID=(\d+) READY=1$/.exec(found)?.[1]);
        if (Date.now() > deadline) assert.fail(`no successor ${number}: ${messages.join(", ")}`);
      }
    },
  };
}
