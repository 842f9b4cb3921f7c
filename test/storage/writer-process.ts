/**
 * A process for the crash tests: `node writer-process.ts DATABASE_URL EMAIL COUNT`. Writes posts, eight at a time, and
 * prints the id of each once it is acknowledged.
 */
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";

const [url = "", email = "", count = "0"] = process.argv.slice(2);
const store = await openStore(url);
const author = (await store.users.findByEmail(email)) ?? (await store.users.create(aPerson({ email })));
let left = Number(count);

async function write(): Promise<void> {
  while (left-- > 0) {
    const id = await store.posts.create({ authorId: author.id, title: "Acknowledged", body: "x".repeat(1_000) });
    process.stdout.write(`${id}\n`); // a pipe: written before this returns
  }
}

await Promise.all(Array.from({ length: 8 }, write));
await store.close();
