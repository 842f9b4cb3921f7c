import { Writable } from "node:stream";

/** The whole of standard input without its last line break. */
export async function passwordFromStdin(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}

/** Asks on the terminal without showing what is typed. */
export async function askPassword(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question("");
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
