/** D02, D05: a reader does what each document says, block after block, in an empty folder and with a real server. */
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { type Block, readAllBlocks } from "./blocks.ts";
import { ASSUMED } from "./documents.ts";
import { openReader } from "./reader.ts";

/** Milliseconds for one document. */
const LONGEST = 600_000;

/** A document, to follow it alone. */
const only = process.env.DOCUMENT;

/** Programs of a reader's machine; documents of other languages name theirs. */
const missing = ["bash", "curl", "openssl"].filter((name) => spawnSync(name, ["--help"]).error !== undefined);
const lacking = missing.length > 0 ? `there is no ${missing.join(" and no ")} on this machine` : null;

const walks = new Map<string, Block[]>();
for (const block of readAllBlocks()) {
  if (!["run", "type", "output"].includes(block.kind ?? "") || (only !== undefined && block.document !== only))
    continue;
  walks.set(block.document, [...(walks.get(block.document) ?? []), block]);
}

describe("D02 a reader who follows each block of a document", () => {
  for (const [document, blocks] of walks) {
    if (!blocks.some(({ kind }) => kind === "run")) continue;
    const options = ASSUMED[document] ?? {};
    const skip = lacking ?? options.lacks?.() ?? false;
    test(document, { skip, timeout: LONGEST }, async () => {
      // A walk that waits for nothing would end the process, and nobody would notice.
      const alive = setInterval(() => {}, LONGEST);
      const startsServer = /^npm start/m.test(blocks.find(({ kind }) => kind === "run")?.text ?? "");
      const reader = await openReader(options, startsServer);
      try {
        for (const [index, block] of blocks.entries()) {
          if (block.kind === "output" || (block.kind === "type" && block.detail === "")) continue;
          await reader.follow(block, blocks[index + 1]).catch((error) => {
            throw new Error(`${document}:${block.line}: ${error.message}`);
          });
        }
      } finally {
        await reader.close();
        clearInterval(alive);
      }
    });
  }
});
