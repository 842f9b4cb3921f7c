import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { buildSchema, parse, validate } from "graphql";
import { complaintAbout, KINDS, ROOT, readAllBlocks, readBlocks } from "./blocks.ts";

/** Documents whose files other tests use: browser-clients.slow.ts, nextjs.slow.ts, and the settings of documents.ts. */
const BUILT = new Set(["docs/clients/nextjs.md", "docs/clients/vue.md", "docs/accounts.md"]);

describe("D02 every block of code in the documents", () => {
  const blocks = readAllBlocks();

  test("D02 names how it is checked, and a block that is not checked has a reason", (t) => {
    assert.deepEqual(
      blocks.map(complaintAbout).filter((complaint) => complaint !== null),
      [],
    );
    const counts = KINDS.map((kind) => `${kind} ${blocks.filter((block) => block.kind === kind).length}`);
    t.diagnostic(`blocks of code: ${counts.join(", ")}`);
    for (const { document, line, detail } of blocks.filter(({ kind }) => kind === "none"))
      t.diagnostic(`not checked: ${document}:${line}: ${detail}`);
  });

  test("D02 most blocks are checked", () => {
    const unchecked = blocks.filter(({ kind }) => kind === "none").length;
    assert.ok(unchecked < blocks.length / 4, `${unchecked} of ${blocks.length} blocks are not checked`);
  });

  test("D02 an output follows the block that prints it", () => {
    const alone = blocks.filter(({ kind, document }, index) => {
      const before = blocks[index - 1];
      return kind === "output" && !(before?.document === document && ["run", "output"].includes(before.kind ?? ""));
    });
    assert.deepEqual(
      alone.map(({ document, line }) => `${document}:${line}`),
      [],
    );
  });

  test("D02 a file that a document has is used by a command of the document, or by a test of its own", () => {
    const unused = blocks.filter(({ document, kind, detail }, index) => {
      if (kind !== "run" || detail === "" || BUILT.has(document)) return false;
      const later = blocks.slice(index + 1).filter((block) => block.document === document && block.kind === "run");
      return !later.some(({ text }) => text.includes(detail) || (detail.endsWith(".go") && text.includes("go run .")));
    });
    assert.deepEqual(
      unused.map(({ document, line }) => `${document}:${line}`),
      [],
    );
  });

  test("D02 GraphQL is valid in the schema", () => {
    const schema = buildSchema(readFileSync(join(ROOT, "schema.graphql"), "utf8"));
    const documents = blocks.filter(({ kind }) => kind === "schema");
    assert.ok(documents.length >= 6, `${documents.length} documents`);
    const errors = documents.flatMap(({ document, line, text }) =>
      validate(schema, parse(text)).map(({ message }) => `${document}:${line}: ${message}`),
    );
    assert.deepEqual(errors, []);
  });

  test("D02 a missing mark, an unknown one, a missing reason and a wrong place are noticed", () => {
    const complain = (opening: string) =>
      readBlocks("some.md", `Text\n\n1. List\n\n   \`\`\`${opening}\n   one\n     two\n   \`\`\`\n`).map(
        complaintAbout,
      );
    assert.deepEqual(complain("sh run"), [null]);
    assert.deepEqual(complain("ts type: client.ts"), [null]);
    assert.deepEqual(complain("swift none: no Swift toolchain"), [null]);
    for (const opening of [
      "sh",
      "sh ran",
      "sh none",
      "sh none: no",
      " run",
      "json schema",
      "go type",
      "sh run: a file",
    ])
      assert.match(complain(opening)[0] ?? "", /^some\.md:5: /, opening);
    assert.deepEqual(
      readBlocks("some.md", "1. List\n\n   ```sh run\n   one\n     two\n\n   ```\n").map(({ text }) => text),
      ["one\n  two\n\n"],
    );
  });
});
