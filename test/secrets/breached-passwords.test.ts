import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import fc from "fast-check";
import { openBreachedPasswords } from "../../src/secrets/breached-passwords.ts";
import { openPasswordRules } from "../../src/secrets/password-rules.ts";
import { runs } from "../scale.ts";

const sha1 = (text: string) => createHash("sha1").update(text).digest("hex").toUpperCase();

describe("U06 BREACHED_PASSWORDS", () => {
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "breached-passwords-"));
    path = join(folder, "breached.txt");
  });
  after(() => rm(folder, { recursive: true }));

  /** Writes the file of these passwords, each hash as `line` has it. */
  async function write(passwords: readonly string[], line: (hash: string, at: number) => string): Promise<void> {
    await writeFile(path, [...new Set(passwords.map(sha1))].sort().map(line).join(""));
  }

  test("finds the same as a set does, in files of every size, line end and count", async () => {
    const password = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.normalize("NFC"));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(password, { minLength: 1, maxLength: 900, size: "max" }),
        fc.array(password, { maxLength: 20 }),
        fc.constantFrom("\n", "\r\n"),
        fc.array(fc.constantFrom("", ":1", ":37615252", `:${"9".repeat(200)}`), { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (listed, others, end, counts, endsWithLine) => {
          const last = new Set(listed.map(sha1)).size - 1;
          await write(listed, (hash, at) => hash + counts[at % counts.length] + (at < last || endsWithLine ? end : ""));
          const breached = openBreachedPasswords(path);
          await breached.check();
          const set = new Set(listed);
          for (const each of [...listed, ...others]) assert.equal(await breached.has(each), set.has(each), each);
        },
      ),
      { numRuns: runs(8, 25) },
    );
  });

  test("finds the first line, the last one and nothing outside them, in both cases of letters", async () => {
    const sorted = Array.from({ length: 1_000 }, (_, at) => `password ${at}`).sort((a, b) =>
      sha1(a) < sha1(b) ? -1 : 1,
    );
    const [first = "", last = ""] = [sorted[0], sorted.at(-1)];
    for (const letters of [(hash: string) => hash, (hash: string) => hash.toLowerCase()]) {
      await write(sorted.slice(1, -1), (hash) => `${letters(hash)}:2\n`);
      const breached = openBreachedPasswords(path);
      assert.deepEqual(await Promise.all([first, last].map(breached.has)), [false, false]);
      await write(sorted, (hash) => `${letters(hash)}:2\n`);
      assert.deepEqual(await Promise.all([first, last, first.toUpperCase()].map(breached.has)), [true, true, false]);
    }
  });

  test("finds the password in NFC, however it was typed", async () => {
    await write(["d\u00e9j\u00e0 vu, encore une fois"], (hash) => hash);
    assert.equal(await openBreachedPasswords(path).has("de\u0301ja\u0300 vu, encore une fois"), true);
  });

  test("a file put in place of the old one counts from the next password on", async () => {
    await write(["an old password of mine"], (hash) => `${hash}\n`);
    const breached = openBreachedPasswords(path);
    assert.equal(await breached.has("a new password of mine"), false);
    const next = join(folder, "next.txt");
    await writeFile(next, `${sha1("a new password of mine")}\n`);
    await rename(next, path);
    assert.equal(await breached.has("a new password of mine"), true);
    assert.equal(await breached.has("an old password of mine"), false);
  });

  test("check says what is wrong, also in the middle and at the end of a large file", async () => {
    const hashes = Array.from({ length: 5_000 }, (_, at) => sha1(String(at))).sort();
    const [low, high] = ["0".repeat(40), "F".repeat(40)];
    const sorted = hashes.join("\n");
    for (const [text, words] of [
      ["", /^is empty$/],
      ["\n", /SHA-1 hash in hexadecimal on each line: see byte 0$/],
      [sorted.replaceAll("\n", " "), /on each line: see byte 0$/],
      [hashes.map((hash) => hash.slice(0, 32)).join("\n"), /on each line: see byte 0$/],
      [`${sorted}\n\n`, /on each line/],
      [`${sorted}\n${low}\n`, /not sorted by hash: see byte 205000$/],
      [`${high}\n${sorted}\n`, /not sorted by hash: see byte 41$/],
      [`${hashes.slice(2_000).join("\n")}\n${hashes.slice(0, 2_000).join("\n")}`, /not sorted by hash/],
      [`${sorted}\n${"x".repeat(100_000)}`, /on each line/],
      [`${low}\n${low}\n`, /not sorted by hash: see byte 41$/],
    ] as const) {
      await writeFile(path, text);
      await assert.rejects(openBreachedPasswords(path).check(), { message: words }, text.slice(0, 50));
    }
    await assert.rejects(openBreachedPasswords(join(folder, "missing")).check(), { code: "ENOENT" });
    await assert.rejects(openBreachedPasswords(folder).check(), { code: "EISDIR" });
  });

  test("reads a few pieces of a file of 180 MB", async () => {
    const target = "eleven slow otters at noon";
    const hash = sha1(target);
    const lines = 2 ** 22;
    const place = Math.floor(Number.parseInt(hash.slice(0, 8), 16) / 1_024);
    const rest = "A".repeat(32);
    const file = await open(path, "w");
    for (let from = 0; from < lines; from += 65_536) {
      const part = Array.from({ length: 65_536 }, (_, at) =>
        from + at === place ? hash : ((from + at) * 1_024).toString(16).toUpperCase().padStart(8, "0") + rest,
      );
      await file.write(`${part.join(":7\n")}:7\n`);
    }
    const { size } = await file.stat();
    assert.ok(size > 180_000_000, `${size} bytes`);
    let bytes = 0;
    const handle = Object.getPrototypeOf(file) as FileHandle;
    const read = handle.read;
    mock.method(handle, "read", async function count(this: FileHandle, ...given: Parameters<typeof read>) {
      const result = await Reflect.apply(read, this, given);
      bytes += result.bytesRead;
      return result;
    });
    await file.close();
    try {
      const breached = openBreachedPasswords(path);
      assert.equal(await breached.has(target), true);
      assert.equal(await breached.has("twelve slow otters at noon"), false);
      assert.ok(bytes > 1_000 && bytes < 40_000, `${bytes} bytes read for two passwords`);
      bytes = 0;
      await breached.check();
      assert.ok(bytes > 1_000 && bytes < 40_000, `${bytes} bytes read by the check`);
    } finally {
      mock.restoreAll();
      await rm(path);
    }
  });

  test("U22 a listed password is refused; a file that cannot be read lets no password through", async () => {
    const password = "eleven slow otters at noon";
    const owner = { email: "ada@example.com", name: "Ada" };
    await write([password], (hash) => `${hash}:1\r\n`);
    const rules = openPasswordRules({ OPERATOR_NAME: "Example", BREACHED_PASSWORDS: path });
    await assert.rejects(rules.assert(password, owner), {
      code: "BAD_USER_INPUT",
      message: "This password is on a list of known passwords. Choose another.",
      details: { field: "password" },
    });
    await rules.assert("Eleven slow otters at noon", owner);
    for (const spoil of [() => writeFile(path, "not a list"), () => rm(path)]) {
      await spoil();
      await assert.rejects(rules.assert("Eleven slow otters at noon", owner), { code: "UNAVAILABLE" });
    }
  });
});
