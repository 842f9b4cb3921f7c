import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "./port.ts";

const PROGRAM = join(import.meta.dirname, "../bin/content-api");

/** The program as its own process, started and ready. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  /** What it has printed on standard output and standard error so far. */
  output(): string;
  /** Ends it with the signal and waits until it is gone. @returns its exit code, null when the signal ended it */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Settings of a program on a free port. A busy machine may stand still: rejecting load is for the tests of overload. */
export async function serverEnvironment<Settings extends Record<string, string>>(
  databaseUrl: string,
  settings = {} as Settings,
) {
  return {
    ...{ PORT: String(await freePort()), DATABASE_URL: databaseUrl, LOG_LEVEL: "error", MAX_DELAY: "60000" },
    ...settings,
  };
}

/**
 * Starts `serve` and waits until it is ready. The environment must set PORT.
 *
 * @param through a command that becomes the program, such as one that takes rights away
 * @param program file of another version; the one of this checkout unless given
 */
export async function startServer(
  environment: Record<string, string>,
  through: readonly string[] = [],
  program = PROGRAM,
): Promise<ServerProcess> {
  const words = [...through, process.execPath, program, "serve"];
  const child = spawn(words[0] ?? "", words.slice(1), { env: { PATH: process.env.PATH, ...environment } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const baseUrl = `http://localhost:${environment.PORT}`;
  for (const deadline = Date.now() + 60_000; ; ) {
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (ready?.ok) break;
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the server did not get ready: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    child,
    baseUrl,
    output: () => output,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}
