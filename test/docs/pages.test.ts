import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { buildSchema } from "graphql";
import { ERROR_CODES } from "../../src/domain/error-codes.ts";
import { schemaText } from "../../src/graphql/documents/schema.ts";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";

const PATHS = ["/docs", "/docs/schema", "/docs/settings", "/docs/errors"];

/** Text of the HTML page's blocks of code. */
function blocksOf(page: string): string[] {
  const entities: Record<string, string> = { "&quot;": '"', "&#39;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
  return [...page.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, text = ""]) =>
    text.replaceAll(/&(?:quot|#39|lt|gt|amp);/g, (entity) => entities[entity] ?? entity),
  );
}

describe("D07 the pages at /docs", () => {
  let app: TestApp;
  before(async () => {
    app = await openTestApp({ DOCS: "true", OPERATOR_NAME: "Ada & <Co>", MAX_DEPTH: "7", RATE_LIMIT_TOKEN: "5000/60" });
  });
  after(() => app?.close());
  const get = (path: string, headers: Record<string, string> = {}) => fetch(app.url + path, { headers });
  const read = async (path: string) => (await get(path)).text();

  test("D07 no script, a strict policy, and a name for caches", async () => {
    for (const path of PATHS) {
      const answer = await get(path);
      const page = await answer.text();
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(
        answer.headers.get("content-security-policy"),
        "default-src 'none'; style-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
      );
      assert.equal(answer.headers.get("cache-control"), "public, max-age=300");
      assert.equal(answer.headers.get("set-cookie"), null);
      assert.doesNotMatch(page, /<script|\sstyle=|\son\w+=|<form/, path);
      assert.match(page, /<title>[^<]+ · Ada &amp; &lt;Co&gt;<\/title>/);
      const etag = answer.headers.get("etag") ?? "";
      assert.match(etag, /^"[\w-]{43}"$/);
      assert.equal((await get(path, { "if-none-match": etag })).status, 304);
      const plain = await get(path, { "accept-encoding": "identity" });
      assert.equal(plain.headers.get("content-encoding"), null);
      assert.equal(await plain.text(), page, "compressed or not, the page is the same");
      assert.equal(answer.headers.get("content-encoding"), "gzip");
    }
  });

  test("D07 every link leads to a page, an anchor or a document of this server", async () => {
    const pages = new Map(await Promise.all(PATHS.map(async (path) => [path, await read(path)] as const)));
    for (const [path, page] of pages) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, `${path} has an id twice`);
      for (const [, link = ""] of page.matchAll(/ href="([^"]+)"/g)) {
        if (link.startsWith("data:")) continue;
        if (link.startsWith("#")) assert.ok(ids.includes(link.slice(1)), `${path}: ${link}`);
        else assert.equal((await fetch(new URL(link, app.config.BASE_URL))).status, 200, `${path}: ${link}`);
      }
    }
    const [, style = ""] = /<link rel="stylesheet" href="([^"]+)">/.exec(pages.get("/docs") ?? "") ?? [];
    assert.equal((await get(style)).headers.get("content-type"), "text/css; charset=utf-8");
  });

  test("D07 the schema page has every type, field, argument and scope of the schema that runs", async () => {
    const page = await read("/docs/schema");
    const schema = buildSchema(schemaText());
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith("__") || ["String", "Int", "Float", "Boolean", "ID"].includes(type.name)) continue;
      const section = new RegExp(`<h2 id="${type.name}">[\\s\\S]*?</section>`).exec(page)?.[0] ?? "";
      assert.notEqual(section, "", type.name);
      const members =
        "getFields" in type ? Object.values(type.getFields()) : "getValues" in type ? type.getValues() : [];
      for (const member of members) {
        assert.ok(section.includes(`<code>${member.name}</code>`), `${type.name}.${member.name}`);
        if ("args" in member)
          for (const { name } of member.args)
            assert.ok(section.includes(`<li><code>${name}</code>`), `${type.name}.${member.name}(${name}:)`);
      }
    }
    assert.match(page, /<code>posts<\/code>: [\s\S]*?<span class="scope">needs <code>posts:read<\/code>/);
    assert.match(page, /<h2 id="Query">[\s\S]*<h2 id="Mutation">[\s\S]*<h2 id="Subscription">[\s\S]*<h2 id="Post">/);
    assert.match(page, /= <code>20<\/code>|= <code>\w+<\/code>/, "defaults of arguments");
  });

  test("D07 limits, scopes and grants are those of this server", async () => {
    const page = await read("/docs/settings");
    assert.match(page, /<td><code>MAX_DEPTH<\/code><\/td><td><code>7<\/code><\/td>/);
    assert.match(page, /<td><code>RATE_LIMIT_TOKEN<\/code><\/td><td><code>5000\/60<\/code><\/td>/);
    assert.match(page, new RegExp(`<td><code>BASE_URL</code></td><td><code>${app.config.BASE_URL}</code></td>`));
    const answer = await fetch(`${app.config.AUTH_URL}/.well-known/openid-configuration`);
    const metadata = (await answer.json()) as Record<"grant_types_supported" | "scopes_supported", string[]>;
    const listed = (id: string) => {
      const part = new RegExp(`<h2 id="${id}">[\\s\\S]*?</table>`).exec(page)?.[0] ?? "";
      return [...part.matchAll(/<tr><td><code>([^<]+)<\/code>/g)].map(([, name]) => name);
    };
    assert.deepEqual(listed("grants").sort(), metadata.grant_types_supported.sort());
    assert.deepEqual(listed("scopes").sort(), metadata.scopes_supported.sort());
    for (const secret of [
      "DATABASE_URL",
      "SECRET_KEY",
      "METRICS_TOKEN",
      "SMTP",
      "REGISTRATION_TOKEN",
      "UPSTREAMS",
      "TRUST_PROXY",
    ])
      assert.ok(!page.includes(`<code>${secret}`), secret);
  });

  test("D07 each error has a heading of its own", async () => {
    const page = await read("/docs/errors");
    for (const code of Object.keys(ERROR_CODES))
      assert.ok(page.replaceAll("<wbr>", "").includes(`<h2 id="${code.toLowerCase()}">${code}</h2>`), code);
  });

  test("D07 the commands work as they are", async () => {
    const { client_id: id, client_secret: secret } = await runJson<Record<string, string>>(
      ["client", "create", "--name", "Job", "--grant", "client_credentials", "--scope", "posts:read users:read"],
      app.environment,
    );
    const [discover = "", token = "", query = ""] = blocksOf(await read("/docs"));
    const run = async (script: string) => {
      const env = { PATH: process.env.PATH, CLIENT_ID: id, CLIENT_SECRET: secret };
      return (await promisify(execFile)("sh", ["-c", script], { env, timeout: 30_000 })).stdout;
    };
    assert.equal(JSON.parse(await run(discover)).issuer, app.config.AUTH_URL);
    assert.deepEqual(JSON.parse(await run(`${token}\n${query}`)), { data: { posts: [] } });
    assert.match(await run(`TOKEN=none\n${query}`), /UNAUTHENTICATED/);
  });
});

describe("D07 settings of the pages at /docs", () => {
  test("D07 they are off by default", async () => {
    const app = await openTestApp();
    try {
      for (const path of [...PATHS, "/docs/"]) assert.equal((await fetch(app.url + path)).status, 404, path);
    } finally {
      await app.close();
    }
  });

  test("D07 without introspection nothing of the schema is told; public reading and agents are told where they are", async () => {
    const app = await openTestApp({ DOCS: "true", INTROSPECTION: "false", PUBLIC_READ: "true", MCP: "off" });
    try {
      const page = await (await fetch(`${app.url}/docs/schema`)).text();
      assert.match(page, /does not publish its schema/);
      assert.doesNotMatch(page, /PostConnection|createPost/);
      const first = await (await fetch(`${app.url}/docs`)).text();
      assert.doesNotMatch(first, /schema\.graphql|href="\/docs\/schema">Schema<\/a>: types|\/mcp/);
      assert.match(first, /are public here/);
    } finally {
      await app.close();
    }
  });

  test("D03 extensions.url of an error leads to the explanation of its code", async () => {
    const publicApp = await openTestApp({ DOCS: "true", PUBLIC_READ: "true" });
    try {
      const page = await (await fetch(`${publicApp.url}/docs/errors`)).text();
      for (const [query, code] of [
        ["{", "GRAPHQL_PARSE_FAILED"],
        ["{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
        ["{ webhooks { id } }", "UNAUTHENTICATED"],
        ["{ posts(first: -1) { id } }", "BAD_USER_INPUT"],
      ] as const) {
        const answer = await fetch(`${publicApp.url}/graphql?query=${encodeURIComponent(query)}`);
        const { errors } = (await answer.json()) as { errors: [{ extensions: { code: string; url?: string } }] };
        assert.deepEqual(
          [errors[0].extensions.code, errors[0].extensions.url],
          [code, `${publicApp.config.BASE_URL}/docs/errors#${code.toLowerCase()}`],
        );
        assert.ok(page.includes(` id="${code.toLowerCase()}"`), code);
      }
    } finally {
      await publicApp.close();
    }
  });
});
