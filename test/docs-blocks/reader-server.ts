import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { becomeAdministrator } from "./person.ts";

/** The server that a reader has started in the folder. */
export interface ReaderServer {
  /** Starts it with a command, after it has ended the one that runs. @returns what it printed until it was ready */
  start(command: string): Promise<string>;
  stop(): Promise<void>;
}

export function openReaderServer(folder: string, environment: NodeJS.ProcessEnv): ReaderServer {
  let server: ChildProcess | null = null;
  async function stop() {
    const running = server;
    server = null;
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = new Promise((resolve) => running.on("exit", resolve));
    process.kill(-running.pid, "SIGTERM"); // with npm, which has started it
    await exited;
  }
  return {
    stop,
    async start(command) {
      await stop();
      const env = { ...environment, LOG_LEVEL: "error" };
      server = spawn("bash", ["-c", `exec env ${command}`], { cwd: folder, env, detached: true });
      return whenReady(server);
    },
  };
}

/** The first start prints a one-time link, with which the reader becomes the administrator. */
async function whenReady(server: ChildProcess): Promise<string> {
  let output = "";
  for (const stream of [server.stdout, server.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const isReady = () => output.includes(" is ready.\n") && /(?:--help|setup\?token=\S+)\n/.test(output);
  for (const deadline = Date.now() + 60_000; !isReady(); await pause(50))
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`the server does not start: ${output}`);
  await pause(20); // the link comes in the same write
  const link = /http:\/\/localhost:\d+\/setup\?token=\S+/.exec(output)?.[0];
  if (link !== undefined) await becomeAdministrator(link);
  return output;
}
