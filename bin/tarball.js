// Writes a tar file whose bytes depend on the contents of a folder only: no dates, no owners, names in order.
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";

const BLOCK = 512;
/** The beginning of the name in a header of POSIX's tar, which has room for no more. */
const LONGEST_NAME = 100;
/** Seconds since 1970. npm dates the files of every package like this: zero and dates before 1980 upset some programs. */
const DATE = Date.UTC(1985, 9, 26, 8, 15) / 1_000;

/**
 * @param {string} folder
 * @param {string} prefix before every name, such as `package/`
 * @param {ReadonlySet<string>} executables names of files that people run
 * @returns {Buffer} the files, packed and compressed
 */
export function tarball(folder, prefix, executables) {
  const blocks = filesIn(folder).flatMap((name) => {
    const contents = readFileSync(join(folder, name));
    const header = headerOf(prefix + name, contents.length, executables.has(name) ? 0o755 : 0o644);
    return [header, contents, Buffer.alloc(-contents.length & (BLOCK - 1))];
  });
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]), { level: 9 });
  packed[9] = 0xff; // The system that compressed it: unknown.
  return packed;
}

/** Names with slashes, in the order of their characters, whatever the language of the machine. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    )
    .sort();
}

function headerOf(name, size, mode) {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw new Error(`${name} is longer than ${LONGEST_NAME} bytes.`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value, digits) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(DATE, 11), 136);
  header.write("        0", 148); // The sum counts as spaces in itself; then the kind of a file.
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  return header;
}
