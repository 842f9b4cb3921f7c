import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openAuthenticator } from "./authenticator.ts";
import { later, listUntil, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorize, Browser, formOf, getTokens, type Stop } from "./client.ts";
import { addPasskey, answerWith } from "./passkeys.ts";
import { openAccount, STALE, signedIn, somebody } from "./people.ts";

const DAY = 86_400;

const LINKED_AT = "2026-01-31T12:00:00.000Z";

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true });
});
after(() => server.close());

function open(browser: Browser): Promise<Stop> {
  return openAccount(server, browser, "/export");
}

async function download(browser: Browser): Promise<Stop> {
  return browser.submit(await open(browser), "/account/export");
}

describe("U73 a person takes their data with them", () => {
  test("U73 one file has all of it, and no secret", async () => {
    const [person, stranger] = [await somebody(server, { name: "Öwner" }), await somebody(server)];
    const { store } = server;
    const titles = [];
    for (const status of ["PUBLISHED", "DRAFT"] as const)
      for (let i = 0; i < 12; i++) {
        titles.push(`${status} ${i} "</script>\u2028`);
        await store.posts.create({ authorId: person.id, title: titles.at(-1) ?? "", body: `*${i}* 👩‍👩‍👧‍👦`, status });
      }
    const archived = await store.posts.create({ authorId: person.id, title: "archived", body: "" });
    await store.posts.edit(archived, () => ({ event: "post.archived", status: "ARCHIVED" }));
    await store.posts.create({ authorId: stranger.id, title: "a stranger's", body: "" });
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, email: person.email };
    const tokens = await getTokens({ ...client, scope: "openid email offline_access", params: { prompt: "consent" } });
    const browser = await signedIn(server, person);
    await server.letters();
    assert.match((await browser.follow(`${server.issuer}/account`)).text, /href="\/account\/export">Export data</);
    const { response, text } = await download(browser);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal(response.headers.get("content-disposition"), 'attachment; filename="account-export.json"');
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    const data = JSON.parse(text);
    const { id, name, email, role, createdAt } = person;
    assert.deepEqual(data.profile, {
      ...{ id, name, email, emailVerified: true, role, createdAt },
      ...{ disabledAt: null, deletesAt: null },
    });
    assert.deepEqual(data.passkeys, []);
    assert.deepEqual(data.posts.map((post: { title: string }) => post.title).sort(), [...titles, "archived"].sort());
    const [draft] = data.posts.filter((post: { status: string }) => post.status === "DRAFT");
    assert.deepEqual(
      [draft.body.endsWith("👩‍👩‍👧‍👦"), draft.publishedAt, draft.version, draft.createdAt === draft.updatedAt],
      [true, null, 1, true],
    );
    assert.deepEqual(data.secondStep, { isOn: false, authenticatorAppSince: null, recoveryCodesLeft: 0 });
    assert.deepEqual(
      data.sessions.map((session: { address: string }) => session.address),
      ["127.0.0.1", "127.0.0.1"],
    );
    assert.deepEqual(
      data.apps.map(({ clientId, allowedBy }: Record<string, string>) => [clientId, allowedBy]),
      [["spa", "you"]],
    );
    assert.deepEqual(data.apps[0].scopes.toSorted(), ["email", "offline_access", "openid"]);
    const kinds = data.securityEvents.map(({ event }: { event: string }) => event);
    for (const kind of ["sign-in", "consent", "export"]) assert.ok(kinds.includes(kind), kind);
    assert.deepEqual(Object.keys(data), [
      "exportedAt",
      "profile",
      "posts",
      "deletedPosts",
      "unpublishedTexts",
      "plannedUpdates",
      "history",
      "passkeys",
      "secondStep",
      "linkedServices",
      "sessions",
      "apps",
      "ownClients",
      "agents",
      "changesByAgents",
      "securityEvents",
      "mails",
    ]);
    for (const { kind, createdAt, sentAt, ...rest } of data.mails) {
      assert.match(kind, /^new-browser$|^export-made$/);
      assert.match(`${createdAt} ${sentAt}`, /^\d{4}-\S+Z (?:null|\d{4}-\S+Z)$/);
      assert.deepEqual(rest, {});
    }
    const sessions = await store.artifacts.listOfUser(person.id, ["Session"]);
    const cookie = browser.cookie("content-api-session") ?? "";
    for (const secret of [
      person.passwordHash ?? "",
      "$argon2id",
      tokens.access_token,
      tokens.refresh_token,
      cookie,
      ...sessions.flatMap(({ idHash, uidHash, payload }) => [idHash, uidHash ?? idHash, payload]),
    ])
      assert.ok(secret !== "" && !text.includes(secret), secret);
    assert.ok(!text.includes(stranger.id) && !text.includes("a stranger's"));
    const letters = await server.letters();
    assert.ok(letters.some(({ to, subject }) => to === person.email && subject === "Your data was exported"));
    const [event] = await listUntil(store.audit, { userId: person.id, event: "export" }, (all) => all.length > 0);
    assert.deepEqual([event?.result, event?.detail], ["ok", "downloaded"]);
  });

  test("U73 S40 the file has the texts that the person is writing, and wrote, and nobody else's", async () => {
    const [person, stranger] = [await somebody(server), await somebody(server)];
    const { posts, workingCopies, plannedUpdates, revisions } = server.store;
    const id = await posts.create({ authorId: person.id, title: "Own", body: "first" });
    for (const [{ id: userId }, body] of [[person, "mine"] as const, [stranger, "a stranger's"] as const])
      await posts.edit(id, () => ({ event: "post.updated", body, by: { userId, clientId: "studio" } }));
    const by = { userId: person.id, clientId: "studio" };
    await workingCopies.edit(id, by, () => ({ kind: "save", text: { body: "being written" }, baseVersion: 3 }));
    const publishAt = "2999-01-01T09:00:00.000Z";
    await plannedUpdates.plan(id, () => ({ publishAt, publishAtZone: null, by }));
    const [first] = await revisions.listOfPerson(person.id, { limit: 1 });
    await revisions.name({ postId: id, revision: first?.id ?? null, name: "Before" }, () => {});
    let text = "";
    for await (const piece of await server.server.exportAccount(person)) text += piece;
    const { unpublishedTexts, history, plannedUpdates: planned } = JSON.parse(text);
    assert.deepEqual(planned, [
      { postId: id, publishAt, title: "Own", body: "being written", slug: null, excerpt: null },
    ]);
    assert.deepEqual(
      unpublishedTexts.map(({ postId, body }: Record<string, string>) => [postId, body]),
      [[id, "being written"]],
    );
    assert.deepEqual(
      history.map(({ kind, version, body, name }: Record<string, unknown>) => [kind, version, body, name]),
      [
        ["CREATED", 1, "first", "Before"],
        ["APPLIED", 2, "mine", null],
      ],
    );
  });

  test("U73 S43 the file has the posts that the person can still restore, and their history", async () => {
    const [person, stranger] = [await somebody(server), await somebody(server)];
    const { posts } = server.store;
    for (const { id: authorId } of [person, stranger]) {
      const by = { userId: authorId, clientId: "studio" };
      const id = await posts.create({ authorId, title: `Deleted by ${authorId}`, body: "first" });
      await posts.edit(id, () => ({ event: "post.updated", body: "second", by }));
      await posts.edit(id, () => ({ event: "post.deleted", by }));
    }
    let text = "";
    for await (const piece of await server.server.exportAccount(person)) text += piece;
    assert.ok(!text.includes(stranger.id));
    const { deletedPosts, history, posts: present } = JSON.parse(text);
    assert.deepEqual(present, []);
    const [{ id, createdAt, publishedAt, deletedAt, ...rest }, ...more] = deletedPosts;
    assert.deepEqual(more, []);
    for (const time of [createdAt, publishedAt, deletedAt]) assert.ok(Date.parse(time) <= Date.now());
    assert.deepEqual(rest, {
      ...{ title: `Deleted by ${person.id}`, body: "second", excerpt: null, slug: null },
      ...{ status: "PUBLISHED", version: 2, deletedByYou: true },
    });
    assert.deepEqual(
      history.map(({ postId, body }: Record<string, string>) => [postId, body]),
      [
        [id, "first"],
        [id, "second"],
      ],
    );
  });

  test("U73 the file names linked services", async () => {
    const person = await somebody(server);
    const link = { provider: "acme", subject: "Ada-1", userId: person.id, emailAtLink: "ada@acme.example" };
    await server.store.upstreamIdentities.link({ ...link, linkedAt: LINKED_AT }, person.credentialVersion);
    let text = "";
    for await (const piece of await server.server.exportAccount(person)) text += piece;
    assert.deepEqual(JSON.parse(text).linkedServices, [
      { service: "acme", account: "Ada-1", email: "ada@acme.example", linkedAt: LINKED_AT, lastUsedAt: null },
    ]);
  });

  test("U73 A43 the file has what agents changed for the person, and the texts before of the person's posts alone", async () => {
    const [person, stranger] = [await somebody(server), await somebody(server)];
    const { posts, agents } = server.store;
    const act = { userId: person.id, clientId: "robot", tool: "update_post", traceId: null };
    const ids = [];
    for (const authorId of [person.id, stranger.id]) {
      const id = await posts.create({ authorId, title: "Before", body: `of ${authorId}` });
      await posts.edit(id, () => ({ event: "post.updated", body: "After" }), undefined, null, { act });
      ids.push(id);
    }
    await agents.noteUse({ userId: person.id, clientId: "robot", at: LINKED_AT });
    let text = "";
    for await (const piece of await server.server.exportAccount(person)) text += piece;
    const data = JSON.parse(text);
    const used = { firstUsedAt: LINKED_AT, lastUsedAt: LINKED_AT };
    assert.deepEqual(data.agents, [{ clientId: "robot", name: null, ...used, changes: 2 }]);
    const [ofStranger, own] = data.changesByAgents;
    assert.ok(!text.includes(`of ${stranger.id}`));
    const facts = { clientId: "robot", tool: "update_post", versionBefore: 1, versionAfter: 2, revertedAt: null };
    assert.deepEqual(ofStranger, { ...facts, at: ofStranger.at, postId: ids[1] });
    const before = { statusBefore: "PUBLISHED", titleBefore: null, bodyBefore: `of ${person.id}` };
    assert.deepEqual(own, { ...facts, ...before, at: own.at, postId: ids[0] });
  });

  test("U73 the file names passkeys with their times, and has nothing of their keys", async () => {
    const [person, stranger] = [await somebody(server), await somebody(server)];
    const about = { origin: new URL(server.issuer).origin, rpId: "localhost" };
    const [phone, stick] = [
      openAuthenticator({ ...about, aaguid: "fbfc3007-154e-4ecc-8c0b-6e020557d7bd" }),
      openAuthenticator({ ...about, isSynced: false }),
    ];
    const browser = await signedIn(server, person);
    for (const device of [phone, stick]) await addPasskey(server, browser, device);
    await addPasskey(server, await signedIn(server, stranger), openAuthenticator(about));
    const [first, second] = await server.store.passkeys.listOf(person.id);
    assert.ok(first && second);
    await server.store.passkeys.rename(person.id, second.credentialId, "Stick </script>");
    const other = new Browser();
    const entered = await answerWith(other, await openAccount(server, other), phone);
    assert.match(entered.text, /<h1>Your account</);
    const kept = await server.store.passkeys.listOf(person.id);
    const { text } = await download(other);
    const [usedAt] = kept.map((passkey) => passkey.usedAt);
    assert.ok(usedAt);
    assert.deepEqual(JSON.parse(text).passkeys, [
      { name: "Apple Passwords", createdAt: first.createdAt, lastUsedAt: usedAt, synced: true },
      { name: "Stick </script>", createdAt: second.createdAt, lastUsedAt: null, synced: false },
    ]);
    for (const { credentialId, userHandle, publicKey, aaguid } of kept)
      for (const part of [credentialId, userHandle, publicKey, aaguid]) assert.ok(!text.includes(part), part);
  });

  test("P51 a GET downloads nothing, nor does a form of another session, of nobody, or of an old sign-in", async () => {
    const [person, stranger] = [await somebody(server), await somebody(server)];
    const [browser, other] = [await signedIn(server, person), await signedIn(server, stranger)];
    const page = await open(browser);
    assert.match(page.text, /<h1>Take your data with you<\/h1>/);
    const { action, hidden } = formOf(page, "/account/export");
    const post = (by: Browser, values: Record<string, string>) =>
      by.follow(action, { method: "POST", body: new URLSearchParams(values) });
    for (const [by, values] of [
      [other, hidden],
      [browser, {}],
      [browser, { csrf: "x" }],
      [new Browser(), hidden],
    ] as const) {
      const stop = await post(by, values);
      assert.match(stop.response.headers.get("content-type") ?? "", /^text\/html/);
      assert.ok(!stop.text.includes("exportedAt"));
    }
    await later(STALE, async () => {
      assert.equal((await post(browser, hidden)).url.pathname, "/account/step-up");
    });
    assert.deepEqual(await server.store.audit.list({ userId: person.id, event: "export", limit: 9 }), []);
    assert.deepEqual(
      JSON.parse((await post(other, formOf(await open(other), "/account/export").hidden)).text).profile.id,
      stranger.id,
    );
  });

  test("P51 a fourth file within a day is refused; the next day there is one again", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    for (let i = 0; i < 3; i++) assert.equal((await download(browser)).response.status, 200);
    const refused = await download(browser);
    assert.deepEqual([refused.response.status, refused.response.headers.get("retry-after")], [429, String(DAY)]);
    assert.match(refused.text, /Try again tomorrow/);
    assert.equal(
      (await download(await signedIn(server, await somebody(server)))).response.status,
      200,
      "others are not held up",
    );
    await later(DAY + 60, async () => {
      assert.equal((await download(await signedIn(server, person))).response.status, 200);
    });
  });

  test("P51 20,000 posts come as fast as they are taken: a reader who stops holds nothing in memory", async (t) => {
    const person = await somebody(server);
    const { posts } = server.store;
    const body = "A line of a post that is like many others.\n".repeat(60);
    const count = 20_000;
    for (let i = 0; i < count; i += 400)
      await Promise.all(
        Array.from({ length: 400 }, (_, j) => posts.create({ authorId: person.id, title: `${i + j}`, body })),
      );
    const reads = t.mock.method(posts, "listOfAuthor"); // counts them; the reads are real
    const browser = await signedIn(server, person);
    const { action, hidden } = formOf(await open(browser), "/account/export");
    const text = new URLSearchParams(hidden).toString();
    const cookie = ["content-api-session", "content-api-session.sig"].map((name) => `${name}=${browser.cookie(name)}`);
    const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
      const headers = { "content-type": "application/x-www-form-urlencoded", cookie: cookie.join("; ") };
      request(action, { method: "POST", headers }, resolve).on("error", reject).end(text);
    });
    assert.equal(response.statusCode, 200);
    response.pause();
    let before = -1;
    while (before !== reads.mock.callCount()) {
      before = reads.mock.callCount();
      await pause(300);
    }
    const whole = count / 10;
    assert.ok(before > 0 && before < whole / 2, `${before} of ${whole} pages were read for a reader who waits`);
    let heap = 0;
    let bytes = 0;
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk); // outside of the heap
      bytes += chunk.length;
      heap = Math.max(heap, process.memoryUsage().heapUsed);
    }
    assert.ok(bytes > 50_000_000, String(bytes));
    const data = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { posts: { title: string; body: string }[] };
    assert.equal(data.posts.length, count);
    assert.equal(new Set(data.posts.map(({ title }) => title)).size, count);
    assert.ok(data.posts.every((post) => post.body === body));
    assert.ok(heap < 400_000_000, `${heap} bytes`);
  });

  test("U73 what apps were given, and a person who never used anything, both make a whole document", async () => {
    const person = await somebody(server);
    await authorize({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, email: person.email });
    for (const one of [person, await somebody(server)]) {
      let text = "";
      for await (const piece of await server.server.exportAccount(one)) text += piece;
      const data = JSON.parse(text);
      assert.equal(data.profile.id, one.id);
      assert.equal(data.apps.length, one === person ? 1 : 0);
    }
  });
});
