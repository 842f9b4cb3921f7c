import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findPreview } from "../../src/domain/posts/previews.ts";
import type { RenderingJob, RenderMarkdown } from "../../src/domain/posts/rendering.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { aPerson } from "../conformance/samples.ts";

/** All of a token but its last character. */
const TOKEN = "a".repeat(42);
const HOUR = 3_600_000;
const MAY = () => {};

/** The program with a post by Ada, and everything that it logs. */
async function open(settings: Record<string, string> = {}) {
  const lines: string[] = [];
  let now = Date.now();
  const note = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message);
  const log = { debug: note, info: note, warn: note, error: note };
  const app: TestApp = await openTestApp({ TIME_ZONE: "Europe/Berlin", ...settings }, { log, now: () => now });
  const store = await openStore(app.config.DATABASE_URL);
  const { id: authorId } = await store.users.create({ ...aPerson(), name: "Ada & Co" });
  const post = await store.posts.create({
    authorId,
    title: "A <b> title",
    body: "",
    status: "DRAFT",
    rendered: RENDERED,
  });
  return {
    app,
    store,
    lines,
    post,
    get: (path: string) => fetch(`${app.url}${path}`, { redirect: "manual" }),
    link: (last: string, hours = 1) =>
      store.previewLinks.create(
        {
          ...{ postId: post, tokenHash: hashToken(TOKEN + last), createdBy: authorId, revision: null },
          expiresAt: new Date(now + hours * HOUR).toISOString(),
        },
        MAY,
      ),
    by: { userId: authorId, clientId: "studio" },
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    async close() {
      await store.close();
      await app.close();
    },
  };
}

const RENDERED = { slug: "größe", wordCount: 1, excerpt: "text", bodyHtml: "<p>The <em>text</em></p>\n" };

describe("the page of a preview link", () => {
  let site: Awaited<ReturnType<typeof open>>;
  before(async () => {
    site = await open({ LOG_LEVEL: "debug" });
  });
  after(() => site.close());

  test("S45 shows a draft without a sign-in, without script, to no cache and no search engine", async () => {
    await site.link("1");
    const answer = await site.get(`/preview/${TOKEN}1`);
    assert.equal(answer.status, 200);
    const page = await answer.text();
    for (const part of [
      "<strong>Draft</strong>",
      "A &lt;b&gt; title",
      "Ada &amp; Co",
      RENDERED.bodyHtml,
      '<meta name="robots" content="noindex, nofollow">',
    ])
      assert.ok(page.includes(part), part);
    assert.match(page, /<time datetime="[^"]+Z">[^<]+ at? ?[^<]*(?:CET|CEST|GMT\+[12])<\/time>/);
    assert.doesNotMatch(page, /<script|<form|style="/);
    const { headers } = answer;
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(policy, /^default-src 'none'; style-src 'sha256-/);
    assert.doesNotMatch(policy, /unsafe|script-src/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.match(headers.get("x-robots-tag") ?? "", /noindex/);
    assert.equal(headers.get("set-cookie"), null);
    assert.equal((await fetch(`${site.app.url}/preview/${TOKEN}1`, { method: "HEAD" })).status, 200);
  });

  test("S45 unknown, expired and revoked links have the same answer, byte for byte", async () => {
    const revoked = await site.link("2");
    await site.store.previewLinks.revoke(revoked, MAY);
    await site.link("3", 0.0001);
    site.pass(1_000);
    const paths = [`${TOKEN}2`, `${TOKEN}3`, `${TOKEN}x`, "short", "a/b", "x".repeat(500), "%C3%A4"];
    const answers = await Promise.all(
      paths.map(async (path) => {
        const answer = await site.get(`/preview/${path}`);
        const { date: _, "x-request-id": id, ...headers } = Object.fromEntries(answer.headers);
        assert.ok(id);
        return { status: answer.status, headers, body: await answer.text() };
      }),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.status, 404);
  });

  test("S45 follows the text being written, rendered as a post is; notes its use at most once a minute", async () => {
    await site.link("4");
    const lastUse = async () =>
      (await site.store.previewLinks.find(hashToken(`${TOKEN}4`), new Date(0).toISOString()))?.lastUsedAt;
    await site.store.workingCopies.edit(site.post, site.by, () => ({
      kind: "save",
      text: { title: "", body: "# Written\n\n<script>alert(1)</script> *now*" },
      baseVersion: 1,
    }));
    const page = await (await site.get(`/preview/${TOKEN}4`)).text();
    assert.ok(page.includes(">Untitled</h1>"));
    assert.ok(page.includes("<h1>Written</h1>\n<p>&lt;script&gt;alert(1)&lt;/script&gt; <em>now</em></p>"), page);
    const first = await lastUse();
    assert.ok(first);
    site.pass(59_000);
    await site.get(`/preview/${TOKEN}4`);
    assert.equal(await lastUse(), first);
    site.pass(2_000);
    await site.get(`/preview/${TOKEN}4`);
    assert.notEqual(await lastUse(), first);
  });

  test("S45 a link from before the publication shows what readers see, a later one the changes", async () => {
    await site.link("5");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await site.store.posts.edit(site.post, () => ({ event: "post.published", status: "PUBLISHED" }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await site.link("6");
    const earlier = await (await site.get(`/preview/${TOKEN}5`)).text();
    assert.ok(earlier.includes("<strong>Published</strong>") && earlier.includes(RENDERED.bodyHtml));
    const later = await (await site.get(`/preview/${TOKEN}6`)).text();
    assert.ok(later.includes("<strong>Draft of changes</strong>") && later.includes("<h1>Written</h1>"));
  });

  test("S45 a link that was made between two publications shows no draft after the second one", async () => {
    const change = async (event: "post.published" | "post.unpublished", status: "PUBLISHED" | "DRAFT") => {
      await site.store.posts.edit(site.post, () => ({ event, status }));
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await change("post.unpublished", "DRAFT");
    await site.link("7");
    assert.ok((await (await site.get(`/preview/${TOKEN}7`)).text()).includes("<h1>Written</h1>"));
    await change("post.published", "PUBLISHED");
    const page = await (await site.get(`/preview/${TOKEN}7`)).text();
    assert.ok(page.includes("<strong>Published</strong>") && !page.includes("Written"), page);
  });

  test("S45 no log has a token", () => {
    assert.deepEqual(
      site.lines.filter((line) => line.includes(TOKEN)),
      [],
    );
  });
});

test("S45 rendering for a link waits behind that link alone: nobody who opens it often holds up other links", async () => {
  const site = await open();
  const id = await site.link("1");
  await site.store.workingCopies.edit(site.post, site.by, () => ({
    ...{ kind: "save", text: { body: "Written" }, baseVersion: 1 },
  }));
  const jobs: (RenderingJob | undefined)[] = [];
  const renderMarkdown: RenderMarkdown = async (text, job) => {
    jobs.push(job);
    return { html: text, text };
  };
  const preview = await findPreview({ store: site.store, renderMarkdown, now: Date.now() }, hashToken(`${TOKEN}1`));
  assert.equal(preview?.bodyHtml, "Written");
  assert.deepEqual(jobs, [{ owner: id }]);
  await site.close();
});

test("S45 a published post is read on the operator's site", async () => {
  const site = await open({ POST_URL: "https://example.com/blog/{slug}?from=preview" });
  await site.link("1");
  assert.equal((await site.get(`/preview/${TOKEN}1`)).status, 200);
  await site.store.posts.edit(site.post, () => ({ event: "post.published", status: "PUBLISHED" }));
  const answer = await site.get(`/preview/${TOKEN}1`);
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.get("location"), "https://example.com/blog/gr%C3%B6%C3%9Fe?from=preview");
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  await site.close();
});
