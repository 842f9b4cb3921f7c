import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { buildStudioFiles } from "../studio-files.ts";

/** As S03 has it, word by word. */
const POLICY = (nonce: string, issuer: string) =>
  [
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self' ${issuer}`,
    "img-src 'self' data: blob: https:; font-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'",
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types studio",
  ].join("; ");

describe("the studio's page and files", () => {
  let app: TestApp;
  let folder: string;
  let builds: string;
  before(async () => {
    const built = await buildStudioFiles();
    builds = mkdtempSync(join(tmpdir(), "content-api-builds-"));
    folder = join(builds, "present", "studio");
    cpSync(built, folder, { recursive: true });
    app = await openTestApp({}, { studioFolder: folder });
  });
  after(async () => {
    await app?.close();
    rmSync(builds, { recursive: true });
  });
  const get = (path: string, init: RequestInit = {}) => fetch(app.config.BASE_URL + path, init);

  test("S01 every address below /studio is the same page", async () => {
    for (const path of [
      "/studio",
      "/studio/",
      "/studio/posts/0195-abc",
      "/studio/posts/new?x=1",
      "/studio/callback?code=a",
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      assert.match(await answer.text(), /data-client-id="studio"/, path);
    }
    assert.equal((await get("/studio", { method: "HEAD" })).status, 200);
  });

  test("S02 the page has a frame, settings and words for browsers without JavaScript", async () => {
    const page = await (await get("/studio")).text();
    assert.match(page, /<noscript>.*href="\/graphql".*<\/noscript>/s);
    assert.match(page, new RegExp(`data-redirect-uri="${app.config.BASE_URL}/studio/callback"`));
    assert.match(page, new RegExp(`data-issuer="${app.config.AUTH_URL}"`));
    assert.doesNotMatch(
      page,
      /<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=/,
      "nothing inline but the style with the nonce",
    );
  });

  test("S95 the page has the metadata of its authorization server, as the server publishes them", async () => {
    const page = await (await get("/studio")).text();
    const text = /data-authorization-server="([^"]*)"/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
    const own = JSON.parse(text) as Record<string, unknown>;
    const answer = await fetch(`${app.config.AUTH_URL}/.well-known/openid-configuration`);
    const published = (await answer.json()) as Record<string, unknown>;
    assert.equal(own.issuer, app.config.AUTH_URL);
    assert.equal(Object.keys(own).length, 10);
    for (const [name, value] of Object.entries(own)) assert.deepEqual(published[name], value, name);
  });

  test("S03 the policy, with a nonce of its own for each page", async () => {
    const nonces = new Set<string>();
    for (let count = 0; count < 3; count++) {
      const answer = await get("/studio");
      const page = await answer.text();
      const nonce = /<meta name="style-nonce" content="([\w-]{22})">/.exec(page)?.[1] ?? "";
      assert.equal(answer.headers.get("content-security-policy"), POLICY(nonce, app.config.AUTH_URL));
      assert.match(page, new RegExp(`<style nonce="${nonce}">`));
      nonces.add(nonce);
    }
    assert.equal(nonces.size, 3);
    const { headers } = await get("/studio/callback?code=secret");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
  });

  test("files of a build stay for ever under their names, compressed or not", async () => {
    const page = await (await get("/studio")).text();
    const names = [...page.matchAll(/\/studio\/assets\/([\w-]+\.(?:js|css))/g)].map(([, name]) => name as string);
    assert.ok(names.length >= 2);
    for (const name of names) {
      const plain = await get(`/studio/assets/${name}`, { headers: { "accept-encoding": "identity" } });
      assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
      assert.equal(plain.headers.get("content-encoding"), null);
      const bytes = Buffer.from(await plain.arrayBuffer());
      assert.deepEqual(bytes, readFileSync(join(folder, "assets", name)));
      const compressed = await get(`/studio/assets/${name}`, { headers: { "accept-encoding": "gzip" } });
      assert.equal(compressed.headers.get("content-encoding"), "gzip");
      assert.equal(compressed.headers.get("vary"), "Accept-Encoding");
      assert.deepEqual(Buffer.from(await compressed.arrayBuffer()), bytes);
    }
    assert.throws(
      () => gunzipSync(readFileSync(join(folder, "sw.js"))),
      "the comparison above is not of compressed bytes",
    );
  });

  test("S96 files of a build before are there for pages that are still open, and no others", async () => {
    mkdirSync(join(builds, "before", "studio", "assets"), { recursive: true });
    writeFileSync(join(builds, "before", "studio", "assets", "editor-ABCDEF12.js"), "old");
    assert.equal(await (await get("/studio/assets/editor-ABCDEF12.js")).text(), "old");
    for (const name of ["editor-ABCDEF13.js", "..%2f..%2fmanifest.json", "manifest.json", "metafile.json"])
      assert.equal((await get(`/studio/assets/${name}`)).status, 404, name);
  });

  test("the service worker and the web app manifest are where the browser looks for them", async () => {
    const worker = await get("/studio/sw.js");
    assert.deepEqual(
      [worker.headers.get("content-type"), worker.headers.get("cache-control")],
      ["text/javascript; charset=utf-8", "no-cache"],
    );
    assert.ok((await worker.text()).includes("studio-"), "it knows the files that the page needs first");
    const manifest = (await (await get("/studio/manifest.webmanifest")).json()) as Record<string, unknown>;
    assert.deepEqual([manifest.start_url, manifest.scope], ["/studio/", "/studio/"]);
    assert.match(await (await get("/studio/icon.svg")).text(), /^<svg /);
    assert.match(await (await get("/studio/appearance.js")).text(), /studio\.appearance/);
  });

  test("S04 its client is public, bound to keys, must push, and has nothing privileged", async () => {
    const clients = await runJson<Record<string, unknown>[]>(["client", "list"], app.environment);
    const studio = clients.find((client) => client.client_id === "studio");
    assert.ok(studio !== undefined);
    assert.deepEqual(
      [studio.type, studio.firstParty, studio.dpopBound, studio.mustPush],
      ["public", true, true, true],
      JSON.stringify(studio),
    );
    assert.deepEqual(studio.grantTypes, ["authorization_code", "refresh_token"]);
    assert.deepEqual(studio.scopes, ["openid", "profile", "offline_access", "posts:read", "posts:write", "users:read"]);
  });
});

describe("the studio by its settings", () => {
  test("S01 STUDIO=false: no page, no file, no client, and no word of it", async (t) => {
    const app = await openTestApp({ STUDIO: "false" }, { studioFolder: await buildStudioFiles() });
    t.after(() => app.close());
    for (const path of ["/studio", "/studio/posts", "/studio/sw.js"])
      assert.equal((await fetch(app.config.BASE_URL + path)).status, 404, path);
    const clients = await runJson<{ client_id: string }[]>(["client", "list"], app.environment);
    assert.deepEqual(
      clients.map((client) => client.client_id),
      ["explorer"],
    );
    assert.doesNotMatch(await (await fetch(app.config.BASE_URL)).text(), /studio/i);
  });

  test("run from its sources, the server says how to build the studio, and the API works", async (t) => {
    const app = await openTestApp();
    t.after(() => app.close());
    const answer = await fetch(`${app.config.BASE_URL}/studio`);
    assert.equal(answer.status, 503);
    assert.match(await answer.text(), /The studio is not built.*npm start/s);
    assert.equal((await fetch(`${app.config.BASE_URL}/studio/sw.js`)).status, 404);
    const query = await fetch(`${app.config.BASE_URL}/graphql?query=%7B__typename%7D`);
    assert.equal(query.status, 401);
  });
});
