import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export const PROGRAM = join(import.meta.dirname, "../bin/content-api");

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a user would, with no environment but PATH and what is given. */
export async function runCommand(
  args: readonly string[],
  environment: Record<string, string>,
  input = "",
): Promise<CommandResult> {
  const child = spawn(PROGRAM, args, { env: { PATH: process.env.PATH, ...environment } });
  child.stdin.on("error", () => {}); // one that has ended already needs no input
  child.stdin.end(input);
  const [code, stdout, stderr] = await Promise.all([
    new Promise<number | null>((resolve) => child.on("close", resolve)),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, stdout, stderr };
}

/** Runs a command with `--json` that must work, and returns what it printed. */
export async function runJson<T>(args: readonly string[], environment: Record<string, string>, input = ""): Promise<T> {
  const { code, stdout, stderr } = await runCommand([...args, "--json"], environment, input);
  if (code !== 0) throw new Error(`content-api ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as T;
}
