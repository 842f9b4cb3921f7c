import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";

/** The file as Have I Been Pwned has it for download: SHA-1 in hexadecimal, `:` and a count, a line each, by hash. */
const HASH = /^[0-9A-F]{40}(?=[\r\n:]|$)/;
const HASH_LENGTH = 40;

/** Bytes that hold the end of one line and the hash of the next: no line is longer. */
const WINDOW = 512;

/** Bytes that are read whole at the end of a search. */
const BLOCK = 4_096;

/** Places at which `check` looks: enough to find another kind of file, not to find one line in the wrong place. */
const PROBES = 64;

export interface BreachedPasswords {
  /**
   * Reads some twenty pieces of the file, however large it is. The file may be replaced at any time.
   *
   * @param password as the person typed it
   * @throws Error when the file cannot be read or is malformed where the search looked
   */
  has(password: string): Promise<boolean>;
  /** @throws Error, with words that follow the name of the file, when it is not such a file */
  check(): Promise<void>;
}

/** Opens nothing yet: each search opens the file, so that it finds the newest one. */
export function openBreachedPasswords(path: string): BreachedPasswords {
  async function withFile<T>(work: (file: FileHandle, size: number) => Promise<T>): Promise<T> {
    const file = await open(path);
    try {
      return await work(file, (await file.stat()).size);
    } finally {
      await file.close();
    }
  }
  return {
    has(password) {
      const hash = createHash("sha1").update(password.normalize("NFC")).digest("hex").toUpperCase();
      return withFile((file, size) => search(file, size, hash));
    },
    check: () => withFile(check),
  };
}

async function search(file: FileHandle, size: number, hash: string): Promise<boolean> {
  // Positions between which the line begins, if the file has it.
  let [low, high] = [0, size];
  while (high - low > BLOCK) {
    const line = await readLineAfter(file, low + Math.floor((high - low) / 2));
    if (line.hash === hash) return true;
    if (line.hash < hash) low = line.start;
    else high = line.start;
  }
  const text = await read(file, low, high - low + WINDOW);
  if (!HASH.test(text)) throw malformed(low);
  return text.split("\n").some((line) => line.slice(0, HASH_LENGTH) === hash);
}

async function check(file: FileHandle, size: number): Promise<void> {
  if (size === 0) throw new Error("is empty");
  let last = { start: -1, hash: "" };
  const compare = (start: number, text: string) => {
    const [hash] = HASH.exec(text) ?? [];
    if (hash === undefined) throw malformed(start);
    if (start > last.start && hash <= last.hash) throw new Error(`is not sorted by hash: see byte ${start}`);
    last = { start, hash };
  };
  let start = 0;
  for (const line of (await read(file, 0, BLOCK)).split(/(?<=\n)/)) {
    if (line.endsWith("\n") || start + line.length === size) compare(start, line);
    start += line.length;
  }
  if (last.start < 0) throw malformed(0);
  if (size <= BLOCK) return;
  for (let probe = 1; probe < PROBES; probe++) {
    const line = await readLineAfter(file, Math.floor((probe * (size - WINDOW)) / PROBES));
    if (line.start > last.start) compare(line.start, line.hash);
  }
  const end = await read(file, size - WINDOW, WINDOW);
  const begin = end.replace(/\r?\n$/, "").lastIndexOf("\n") + 1;
  compare(size - WINDOW + begin, end.slice(begin));
}

/** The first line that begins after the position. */
async function readLineAfter(file: FileHandle, position: number): Promise<{ start: number; hash: string }> {
  const text = await read(file, position, WINDOW);
  const begin = text.indexOf("\n") + 1;
  const [hash] = HASH.exec(text.slice(begin)) ?? [];
  if (begin === 0 || hash === undefined) throw malformed(position + begin);
  return { start: position + begin, hash };
}

async function read(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.toString("latin1", 0, bytesRead).toUpperCase();
}

function malformed(position: number): Error {
  return new Error(`does not have a SHA-1 hash in hexadecimal on each line: see byte ${position}`);
}
