import { Writable } from "node:stream";
import { badInput } from "../../domain/errors.ts";
import { Interrupted } from "./interrupted.ts";

/** The whole of standard input without its last line break. */
export async function passwordFromStdin(): Promise<string> {
  const { text } = await import("node:stream/consumers");
  return (await text(process.stdin)).replace(/\r?\n$/, "");
}

/** Asks on the terminal without showing what is typed. @throws Interrupted, AppError BAD_USER_INPUT when input ends */
export async function askPassword(question: string): Promise<string> {
  const { createInterface } = await import("node:readline");
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.on("SIGINT", () => reject(new Interrupted()));
      terminal.on("close", () => reject(badInput("password", "No password was given.")));
      terminal.question("", resolve);
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
