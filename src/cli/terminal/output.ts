import { cellText, type Row, tableLines } from "./table.ts";

/** Columns of a terminal that lists fit into, and of everything that is no terminal. */
const WIDTH = 80;

/** Standard output did not take a result: its disk is full, or its reader is gone. */
export class OutputError extends Error {
  override readonly name = "OutputError";
  /** Whether the reader has left, as `head` does: then nobody waits for a message. */
  readonly isReaderGone: boolean;

  constructor(cause: NodeJS.ErrnoException, consequence = "") {
    super(`The output could not be written (${cause.code ?? cause.message}).${consequence}`, { cause });
    this.isReaderGone = cause.code === "EPIPE" && consequence === "";
  }
}

/** Writes lines to standard output. @throws OutputError when they did not get there */
export function printLines(lines: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const text = lines.map((line) => `${line}\n`).join("");
    process.stdout.write(text, (error) => (error ? reject(new OutputError(error)) : resolve()));
  });
}

/**
 * Prints a result that holds a secret, which nobody can read again.
 *
 * @param lost makes the secret worthless, or says how to get another one, when it could not be shown
 * @throws OutputError that says so
 */
export async function printSecret(printed: Promise<void>, lost: () => string | Promise<string>): Promise<void> {
  try {
    await printed;
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    throw new OutputError(error.cause as NodeJS.ErrnoException, ` ${await lost()}`);
  }
}

/** One result on standard output: a JSON object for machines, aligned `name  value` lines for people. */
export function printRecord(record: Row, json: boolean | undefined): Promise<void> {
  if (json) return printLines([JSON.stringify(record)]);
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  return printLines(Object.entries(record).map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`));
}

/**
 * Several results on standard output: a JSON array, or a table with its columns aligned.
 *
 * @param kept columns that are cut last, because people copy from them
 */
export async function printTable(
  rows: readonly Row[],
  json: boolean | undefined,
  kept: readonly string[] = [],
): Promise<void> {
  if (json) return printLines([JSON.stringify(rows)]);
  if (rows.length === 0) return;
  await printLines(tableLines(rows, Math.max(WIDTH, process.stdout.columns ?? WIDTH), kept));
}

/** A message on standard error, where it does not mix with results. */
export function hint(text: string, json?: boolean): void {
  if (!json) console.error(text);
}
