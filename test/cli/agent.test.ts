import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Reverted } from "../../src/domain/agents/revert.ts";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runCommand, runJson } from "../command.ts";
import { aClient, aPerson } from "../conformance/samples.ts";

describe("content-api agent", () => {
  let app: TestApp;
  let store: Store;
  let ada: Id;

  before(async () => {
    app = await openTestApp();
    store = await openStore(app.config.DATABASE_URL);
    ada = (await store.users.create(aPerson())).id;
  });
  after(async () => {
    await store.close();
    await app.close();
  });

  const run = (...args: string[]) => runCommand(["agent", ...args], app.environment);
  const act = { clientId: "robot", tool: "create_draft", traceId: null };
  const create = (title: string) =>
    store.posts.create({ authorId: ada, title, body: "*Body*" }, undefined, null, { ...act, userId: ada });

  test("A44 list says that there are none; then client, person, since when, last use and writes", async () => {
    const none = await run("list");
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, "", "No agent has been used yet.\n"]);
    await store.clients.create(aClient({ id: "robot", name: "Robot \u001b[2J" }));
    await store.agents.noteUse({ userId: ada, clientId: "robot", at: "2026-01-31T12:00:00.000Z" });
    await store.agents.noteUse({ userId: null, clientId: "stdio", at: "2026-01-31T12:05:00.000Z" });
    await create("First");
    const { code, stdout } = await run("list");
    assert.equal(code, 0);
    const [head = "", ...rows] = stdout.trimEnd().split("\n");
    assert.match(head, /^client_id +name +person +since +last_used +writes_24h +state$/);
    assert.equal(rows.length, 2);
    assert.match(rows[0] ?? "", /^stdio +– +– +2026-01-31 +2026-01-31 12:05 +0 +active$/);
    assert.match(rows[1] ?? "", /^robot +Robot.* +ada@e.* +2026-01-31 +2026-01-31 12:00 +1 +active$/);
    assert.ok(!stdout.includes("\u001b"));
    const [, listed] = await runJson<{ writes: number; userId: string }[]>(["agent", "list"], app.environment);
    assert.deepEqual([listed?.writes, listed?.userId], [1, ada]);
  });

  test("A44 stop one, stop all, and let them in again; each is in the audit", async () => {
    assert.equal((await run("stop", "robot")).code, 0);
    assert.notEqual((await store.clients.find("robot"))?.disabledAt, null);
    assert.match((await run("list")).stdout, /robot .* stopped\n/);
    assert.match((await run("stop", "robot", "--resume")).stderr, /may act again/);
    assert.equal((await store.clients.find("robot"))?.disabledAt, null);
    assert.match((await run("stop", "--all")).stderr, /All agents are stopped/);
    assert.notEqual(await store.agents.stoppedAt(), null);
    assert.match((await run("list")).stderr, /^All agents have been stopped since .*--resume\n$/);
    assert.equal((await run("stop", "--all", "--resume")).code, 0);
    assert.equal(await store.agents.stoppedAt(), null);
    const details = (await store.audit.list({ limit: 4 })).map(({ event, detail }) => `${event} ${detail}`);
    assert.deepEqual(details, ["agent all let in again", "agent all stopped", "client enabled", "client disabled"]);
    for (const args of [["stop"], ["stop", "robot", "--all"]]) assert.equal((await run(...args)).code, 2, `${args}`);
    assert.equal((await run("stop", "nobody")).code, 1);
  });

  test("A43 revert says beforehand what it would do, does it, and leaves alone what others changed", async () => {
    const mine = await create("Mine now");
    await store.posts.edit(mine, () => ({ event: "post.updated", title: "Changed" }));
    const window = ["--client", "robot", "--since", "1h"];
    const dry = await run("revert", ...window, "--dry-run");
    assert.match(dry.stderr, /1 post would be taken back\. Nothing was changed\./);
    assert.equal((await store.posts.listIdsOfAuthor(ada, 9)).length, 2);
    assert.deepEqual((await run("revert", ...window, "--user", "ada@example.com", "--until", "30m")).stdout, "");
    const done = await runJson<Reverted>(["agent", "revert", ...window, "--user", "ada@example.com"], app.environment);
    assert.deepEqual(
      done.reverted.map(({ as }) => as),
      ["deleted"],
    );
    assert.deepEqual(done.left, [{ postId: mine, reason: "Somebody else has changed it since." }]);
    assert.deepEqual(await store.posts.listIdsOfAuthor(ada, 9), [mine]);
    const { stdout, stderr } = await run("revert", ...window);
    assert.equal(stdout, `${mine}  left alone: Somebody else has changed it since.\n`);
    assert.equal(stderr, "0 posts taken back.\n");
    const [summary] = await store.audit.list({ event: "agent", limit: 1 });
    assert.match(summary?.detail ?? "", /^changes since .* taken back: 0 posts, and 1 left alone$/);
  });

  test("used wrongly it ends with 2, for somebody who is not there with 1", async () => {
    assert.equal((await run("revert", "--client", "robot")).code, 2);
    assert.equal((await run("revert", "--client", "robot", "--since", "yesterday")).code, 2);
    assert.equal((await run("revert", "--client", "r", "--since", "1h", "--user", "eve@example.com")).code, 1);
    const { stdout } = await run("--help");
    for (const word of ["list", "stop", "revert"]) assert.ok(stdout.includes(word));
  });
});
