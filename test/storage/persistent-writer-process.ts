/**
 * A process for the tests of restarts: `node persistent-writer-process.ts DATABASE_URL`. Writes posts until it is
 * killed, eight at a time, whatever happens to the database, and prints the id of each once it is acknowledged.
 */
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../src/domain/errors.ts";
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";

const store = await openStore(process.argv[2] ?? "");
const author = await store.users.create(aPerson());

async function write(): Promise<void> {
  for (;;) {
    try {
      const id = await store.posts.create({ authorId: author.id, title: "Acknowledged", body: "x".repeat(1_000) });
      process.stdout.write(`${id}\n`); // a pipe: written before this returns
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "UNAVAILABLE") throw error;
      await pause(20);
    }
  }
}

await Promise.all(Array.from({ length: 8 }, write));
