/**
 * A process for the crash tests: `node writer-process.ts DATABASE_URL EMAIL COUNT [agent]`. Writes posts, eight at a time, and
 * prints the id of each once it is acknowledged. An agent changes each of them too, and prints the id after that.
 */
import { openStore } from "../../src/storage/open.ts";
import { aPerson } from "../conformance/samples.ts";

const [url = "", email = "", count = "0", mode = ""] = process.argv.slice(2);
const store = await openStore(url);
const author = (await store.users.findByEmail(email)) ?? (await store.users.create(aPerson({ email })));
const act = mode === "agent" ? { userId: author.id, clientId: "robot", tool: "update_post", traceId: null } : undefined;
let left = Number(count);

async function write(): Promise<void> {
  while (left-- > 0) {
    const post = { authorId: author.id, title: "Acknowledged", body: "x".repeat(1_000) };
    const id = await store.posts.create(post, undefined, null, act);
    if (act !== undefined)
      await store.posts.edit(id, () => ({ event: "post.updated", title: "Changed" }), undefined, null, { act });
    process.stdout.write(`${id}\n`); // a pipe: written before this returns
  }
}

await Promise.all(Array.from({ length: 8 }, write));
await store.close();
