import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { runJson } from "../command.ts";
import { openReceiver, type Received, verify } from "../events/receiver.ts";
import { freePort } from "../port.ts";
import { openPostgres } from "../postgres.ts";
import { count } from "./counts.ts";
import { type Installation, install } from "./installation.ts";

const CREATE = "mutation ($input: CreatePostInput!) { createPost(input: $input) { id } }";
/** Posts that are written around each kill. */
const AT_ONCE = 6;
/** Claims of a killed process last for 20 seconds, and who failed once is tried again after 5: plenty for a slow machine. */
const PATIENCE = 180_000;

const postgres = await openPostgres();

describe("the program is killed while it tells a receiver that fails at times", () => {
  test("F16 SQLite: each event comes at least once, with one id, signed, one call at a time", async (t) => {
    await killWhileTelling(t, await install(t, {}, { PRIVATE_HOSTS: "127.0.0.1" }), 1);
  });

  test("F16 PostgreSQL, two nodes: each event comes at least once, with one id, signed, one call at a time", async (t) => {
    const url = await postgres.createDatabase();
    await killWhileTelling(t, await install(t, { url }, { PRIVATE_HOSTS: "127.0.0.1" }), 2);
  });
});

async function killWhileTelling(t: TestContext, installation: Installation, nodes: number): Promise<void> {
  const times = count(30, 2);
  const receiver = await openReceiver();
  t.after(() => receiver.close());
  const { secret } = await runJson<{ secret: string }>(
    ["webhook", "create", "--url", receiver.url],
    installation.environment,
  );

  const accepted = new Map<string, string>(); // post → id of the event
  const refused = new Set<string>();
  const open = new Set<string>();
  let twiceAtOnce = 0;
  let again = 0;
  receiver.answer = (response, received) => {
    const id = String(received.headers["webhook-id"]);
    if (open.has(id)) twiceAtOnce++;
    open.add(id);
    response.on("close", () => open.delete(id));
    // Late enough to be killed in, at times; and each third event is refused at first.
    setTimeout(() => {
      if (!refused.has(id) && Number.parseInt(id.slice(-4), 16) % 3 === 0) {
        refused.add(id);
        response.writeHead(503).end();
        return;
      }
      const post = subjectOf(secret, received);
      if (accepted.has(post)) again++;
      assert.equal(accepted.get(post) ?? id, id);
      accepted.set(post, id);
      response.writeHead(204).end();
    }, Math.random() * 200);
  };

  const ports = await Promise.all(
    Array.from({ length: nodes }, async (_, i) => (i === 0 ? installation.environment.PORT : String(await freePort()))),
  );
  const start = (node: number) => installation.start({ PORT: String(ports[node]) });
  const servers = await Promise.all(ports.map((_, node) => start(node)));
  for (let kill = 0; kill < times; kill++) {
    const node = kill % nodes;
    const writes = Array.from({ length: AT_ONCE }, (_, i) =>
      create(`http://localhost:${ports[node]}`, installation.token, `post ${kill}.${i}`).catch(() => null),
    );
    await Promise.race(writes); // so that there is something to tell
    await pause(Math.random() * 600);
    await servers[node]?.stop("SIGKILL");
    await Promise.all(writes);
    servers[node] = await start(node);
  }

  const { events } = await installation.read();
  for (const deadline = Date.now() + PATIENCE; events.some((post) => !accepted.has(post)); await pause(200)) {
    const missing = events.filter((post) => !accepted.has(post));
    assert.ok(Date.now() < deadline, `${missing.length} of ${events.length} events have not come`);
  }
  assert.deepEqual([...accepted.keys()].sort(), events.toSorted());
  assert.equal(new Set(accepted.values()).size, events.length);
  assert.equal(twiceAtOnce, 0, "two calls for one delivery at the same time");
  for (const server of servers) assert.equal(await server.stop(), 0);
  const facts = { kills: times, events: events.length, refused: refused.size, acceptedTwice: again };
  t.diagnostic(`F16 ${JSON.stringify(facts)}`);
}

function subjectOf(secret: string, received: Received): string {
  const { type, data } = verify(secret, received);
  assert.equal(type, "post.created");
  return (data as { id: string }).id;
}

async function create(url: string, token: string, title: string): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: CREATE, variables: { input: { title, body: "" } } }),
  });
  await response.arrayBuffer();
  return response.status;
}
