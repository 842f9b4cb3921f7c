import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseMessage } from "../../src/mcp/protocol/json.ts";
import { Lines } from "../../src/mcp/protocol/lines.ts";

/** Strings with much of what matters to a reader of JSON. */
const text = fc.string({
  unit: fc.constantFrom('"', "\\", ":", "{", "}", ",", " ", "\n", "a", "é", "😀"),
  maxLength: 12,
});
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 6 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie("object"), tie("list")),
  object: fc.dictionary(text, tie("value"), { maxKeys: 5, noNullPrototype: true }),
  list: fc.array(tie("value"), { maxLength: 4 }),
}));

describe("A02 reading messages", () => {
  test("every JSON text is read as JSON.parse reads it, however it is spaced", () => {
    fc.assert(
      fc.property(value, fc.constantFrom("", "  ", "\t"), (written, indent) => {
        const json = JSON.stringify(written, null, indent);
        assert.deepEqual(parseMessage(json), written);
        assert.deepEqual(parseMessage(Buffer.from(json)), written);
      }),
      { numRuns: 1_000 },
    );
  });

  test("a name that an object has twice is rejected wherever it stands", () => {
    fc.assert(
      fc.property(text, value, value, (name, one, other) => {
        const key = JSON.stringify(name);
        const twice = `{"before":${JSON.stringify(one)},"it":[{${key} : ${JSON.stringify(one)},${key}:${JSON.stringify(other)}}]}`;
        assert.throws(() => parseMessage(twice), { code: -32600 });
      }),
    );
  });

  test("no text makes it throw anything but an error of the protocol", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          parseMessage(Buffer.from(bytes));
        } catch (error) {
          assert.equal((error as Error).name, "ProtocolError");
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("lines are the same however the stream is cut", () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom("a", "é", "😀", " b"), minLength: 1, maxLength: 9 }));
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 7 }), (written, size) => {
        const read: string[] = [];
        const reader = new Lines(1_000, (line) => read.push(line), assert.fail);
        const bytes = Buffer.from(written.map((line) => `${line}\n`).join(""));
        for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size));
        assert.deepEqual(
          read,
          written.map((line) => line.trim()),
        );
      }),
    );
  });
});
