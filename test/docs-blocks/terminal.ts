import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Milliseconds that one block may take: some install packages. */
const LONGEST = 240_000;

/** Milliseconds for output that arrives after the end. What it has left in the background may keep the pipe open. */
const LAST_WORDS = 100;

const PRELUDE = join(import.meta.dirname, "prelude.sh");

/** One terminal that a reader has open: a variable or a folder stays for the next block. */
export interface Terminal {
  /**
   * Runs a block of commands to its end.
   *
   * @param mayFail answers of the server with 4xx are what the block is about
   * @returns what it printed. @throws Error with that, when a command fails or takes too long
   */
  run(text: string, mayFail?: boolean): Promise<string>;
  /** Ends it, and all that it has started. */
  close(): Promise<void>;
}

/** @param onText called with all that the running block has printed so far, each time it prints more */
export async function openTerminal(
  folder: string,
  environment: NodeJS.ProcessEnv,
  onText: (text: string) => void = () => {},
): Promise<Terminal> {
  // A group of its own: what it has started in the background ends with it.
  const bash = spawn("bash", ["--noprofile", "--norc"], { cwd: folder, env: environment, detached: true });
  const exited = new Promise<void>((resolve) => bash.on("exit", () => resolve()));
  bash.stdin.on("error", () => {}); // a block that failed has ended it
  bash.stdin.write(`. "${PRELUDE}"\n`);
  let count = 0;
  return {
    async run(text, mayFail = false) {
      count += 1;
      const file = join(folder, `.block-${count}.sh`);
      await writeFile(file, text);
      const end = `--- end of block ${count} ---`;
      const output = untilEnd(bash, end, onText);
      bash.stdin.write(`FAIL=${mayFail ? "" : "--fail-with-body"}\n. ${file} < /dev/null\necho; echo "${end}"\n`);
      return output;
    },
    async close() {
      endGroup(bash);
      await exited;
    },
  };
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function untilEnd(bash: ChildProcess, end: string, onText: (text: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const timer = setTimeout(() => settle(new Error(`still running after ${LONGEST / 1_000} s: ${output}`)), LONGEST);
    const onExit = () => setTimeout(() => settle(new Error(`a command failed: ${output}`)), LAST_WORDS);
    const onData = (chunk: Buffer) => {
      output += chunk;
      const at = output.indexOf(end);
      if (at >= 0) settle(output.slice(0, at).trimEnd());
      else onText(output);
    };
    function settle(result: string | Error) {
      clearTimeout(timer);
      bash.stdout?.off("data", onData);
      bash.off("exit", onExit);
      if (typeof result === "string") resolve(result);
      else reject(result);
    }
    bash.stdout?.on("data", onData);
    bash.on("exit", onExit);
  });
}
