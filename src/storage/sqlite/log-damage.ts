import { closeSync, openSync, readSync } from "node:fs";

const HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit says in which order of bytes the checksums were made: 0 for little-endian. */
const MAGIC = 0x377f0682;

type Sums = readonly [number, number];

/**
 * The place where the write-ahead log is damaged and has lost a write: the offset of the first broken frame, 0 for
 * the header, null for an intact log. SQLite takes the first frame with a wrong checksum for the end of the log. This is
 * right after a power cut. If the frame was damaged later, it is wrong: SQLite silently drops the frames that follow.
 * Those frames tell the two cases apart: each commit is on the disk before the next frame
 * is written, so a whole commit with a frame built upon it proves that everything before it was whole once.
 *
 * A log that another process is writing can look broken where it grows; real damage is still there at a second look.
 * Null for a log that is not there. https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
export function findLogDamage(path: string): number | null {
  const file = openIfThere(path);
  if (file === null) return null;
  try {
    const header = readAt(file, 0, HEADER);
    if (header === null || header.every((byte) => byte === 0)) return null;
    const isLittleEndian = (header.readUInt32BE(0) & 1) === 0;
    const start = sum([0, 0], header.subarray(0, 24), isLittleEndian);
    if ((header.readUInt32BE(0) & ~1) >>> 0 !== MAGIC || !areEqual(start, sumsAt(header, 24))) return 0;

    const size = FRAME_HEADER + pageSize(header.readUInt32BE(8));
    const salts = header.subarray(16, 24);
    let before = start;
    let broken: number | null = null;
    let followsCommit = false;
    for (let at = HEADER; ; at += size) {
      const frame = readAt(file, at, size);
      if (frame === null) return null;
      const kept = sumsAt(frame, 16);
      const made = sum(sum(before, frame.subarray(0, 8), isLittleEndian), frame.subarray(FRAME_HEADER), isLittleEndian);
      const isWhole = frame.subarray(8, 16).equals(salts) && areEqual(made, kept);
      if (isWhole && followsCommit) return broken;
      if (!isWhole) broken ??= at;
      followsCommit = broken !== null && isWhole && frame.readUInt32BE(4) !== 0;
      before = kept;
    }
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** @returns null where the file ends before that */
function readAt(file: number, position: number, size: number): Buffer | null {
  const bytes = Buffer.allocUnsafe(size);
  return readSync(file, bytes, 0, size, position) === size ? bytes : null;
}

/** 1 stands for 65,536. */
function pageSize(field: number): number {
  return field === 1 ? 65_536 : field;
}

function sumsAt(bytes: Buffer, at: number): Sums {
  return [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
}

function areEqual(a: Sums, b: Sums): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** Goes on with a checksum over more bytes, a multiple of eight. */
function sum([first, second]: Sums, bytes: Buffer, isLittleEndian: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.byteLength; at += 8) {
    a = (a + words.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + words.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}
