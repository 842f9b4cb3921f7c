import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { openStore } from "../../../src/storage/open.ts";
import { aPerson } from "../../conformance/samples.ts";
import { openPostgres } from "../../postgres.ts";
import { type Answer, ada, openTestServer, type TestServer } from "../server.ts";

const RUNS = Math.min(1_000, Number(process.env.ORACLE_RUNS ?? 15));

const folder = await mkdtemp(join(tmpdir(), "nothing-lost-"));
after(() => rm(folder, { recursive: true }));
const postgres = await openPostgres();

/** What one of two writers does; each has the post open, and knows the versions that it has seen last. */
const act = fc.record({
  name: fc.constantFrom(
    "save",
    "save",
    "save",
    "apply",
    "publish",
    "update",
    "discard",
    "restore",
    "look",
    "unpublish",
  ),
  who: fc.constantFrom(0, 1),
  revision: fc.nat(5),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;
/** Acts that are under way at the same time. */
const story = fc.array(fc.array(act, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });

const READ = `query ($id: ID!) { post(id: $id) { body version workingCopy { body version }
  revisions(first: 100) { nodes { id body } pageInfo { hasNextPage } } } }`;
const SAVE = `mutation ($id: ID!, $body: String!, $working: Int!) {
  saveWorkingCopy(id: $id, input: { body: $body }, workingVersion: $working, baseVersion: 1) { workingCopy { version } } }`;
const APPLY = `mutation ($id: ID!, $working: Int!, $version: Int!, $after: AfterApply!) {
  applyWorkingCopy(id: $id, workingVersion: $working, expectedVersion: $version, then: $after) { post { version } } }`;
const DISCARD =
  "mutation ($id: ID!, $working: Int!) { discardWorkingCopy(id: $id, workingVersion: $working) { post { id } } }";
const RESTORE = `mutation ($id: ID!, $working: Int!, $revision: ID!) {
  restoreRevision(id: $id, revision: $revision, workingVersion: $working) { workingCopy { version } } }`;
const UPDATE =
  "mutation ($id: ID!, $body: String!) { updatePost(id: $id, input: { body: $body }) { post { version } } }";
const UNPUBLISH = "mutation ($id: ID!) { unpublishPost(id: $id) { post { version } } }";

interface Known {
  readonly server: TestServer;
  working: number;
  version: number;
}

/** Plays a story, and finds what its writers were told is safe. @returns texts that are nowhere */
async function play(id: string, writers: readonly [Known, Known], batches: readonly (readonly Act[])[]) {
  let count = 0;
  /** Texts that were acknowledged, by version of the copy, and those that nothing may replace. */
  const saved = new Map<number, string>();
  const written = new Set<string>(["first"]);
  const replaced = new Set<number>();
  const refusals = new Set<string>();

  async function look(writer: Known) {
    const { post } = (await writer.server.query(READ, { id })).json.data;
    writer.working = post.workingCopy?.version ?? 0;
    writer.version = post.version;
    return post;
  }

  function isDone(answer: Answer): boolean {
    const code = answer.json.errors?.[0].extensions.code;
    if (code !== undefined) refusals.add(code);
    return code === undefined;
  }

  async function perform({ name, who, revision }: Act): Promise<void> {
    const writer = writers[who] as Known;
    const { server, working, version } = writer;
    const body = `text ${count++}`;
    switch (name) {
      case "save": {
        const answer = await server.query(SAVE, { id, body, working });
        if (!isDone(answer)) return;
        const next: number = answer.json.data.saveWorkingCopy.workingCopy.version;
        assert.ok(!saved.has(next), `version ${next} names two texts`);
        saved.set(next, body);
        replaced.add(working);
        writer.working = Math.max(writer.working, next);
        return;
      }
      case "apply":
      case "publish": {
        const step = name === "apply" ? "STAY" : "PUBLISH";
        isDone(await server.query(APPLY, { id, working, version, after: step }));
        return;
      }
      case "update":
        if (isDone(await server.query(UPDATE, { id, body }))) written.add(body);
        return;
      case "discard":
        isDone(await server.query(DISCARD, { id, working }));
        return;
      case "unpublish":
        isDone(await server.query(UNPUBLISH, { id }));
        return;
      case "restore": {
        const post = await look(writer);
        const found = post.revisions.nodes.filter(({ body: text }: { body: string | null }) => text !== null);
        const chosen = found[revision % Math.max(1, found.length)];
        if (chosen !== undefined)
          isDone(await server.query(RESTORE, { id, working: writer.working, revision: chosen.id }));
        return;
      }
      default:
        await look(writer);
    }
  }

  for (const batch of batches) await Promise.all(batch.map(perform));
  const post = await look(writers[0]);
  assert.equal(post.revisions.pageInfo.hasNextPage, false);
  const there = new Set([
    post.body,
    post.workingCopy?.body,
    ...post.revisions.nodes.map((one: Known & { body: string }) => one.body),
  ]);
  const safe = [...written, ...[...saved].flatMap(([version, text]) => (replaced.has(version) ? [] : [text]))];
  assert.deepEqual(
    [...refusals].filter((code) => code !== "CONFLICT"),
    [],
  );
  return safe.filter((text) => !there.has(text));
}

function losesNothing(database: string, newDatabase: () => Promise<string>): void {
  test(`S33 S42 no text that was acknowledged is lost, whatever two writers do at the same time, on ${database}`, async () => {
    const url = await newDatabase();
    const stores = [await openStore(url), await openStore(url)] as const;
    try {
      const { id: userId } = await stores[0].users.create(aPerson({ role: "member" }));
      const servers = stores.map((store) => openTestServer({ store, viewer: { ...ada, userId } }));
      const create = 'mutation { createPost(input: {title: "T", body: "first", status: DRAFT}) { id } }';
      await fc.assert(
        fc.asyncProperty(story, async (batches) => {
          const created = await (servers[0] as TestServer).query(create);
          const writers = servers.map((server): Known => ({ server, working: 0, version: 1 }));
          const lost = await play(created.json.data.createPost.id, writers as [Known, Known], batches);
          assert.deepEqual(lost, []);
        }),
        { numRuns: RUNS },
      );
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });
}

losesNothing("SQLite", async () => `sqlite:${join(folder, "content.db")}`);
losesNothing("PostgreSQL", () => postgres.createDatabase());
