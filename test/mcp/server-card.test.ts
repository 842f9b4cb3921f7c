import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aiCatalog, documentStatus, serverCard } from "../../src/mcp/protocol/server-card.ts";

const info = { name: "content-api", title: "Posts of Example", version: "1.2.3" };
const card = (url: string) => serverCard({ info, description: "Posts and people of Example.", url });

describe("A08 server card", () => {
  test("says where to connect and in which revisions, and lists no tool", () => {
    const { headers, body } = card("https://api.example.com/mcp");
    assert.deepEqual(JSON.parse(body), {
      $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
      name: "com.example.api/content-api",
      title: "Posts of Example",
      description: "Posts and people of Example.",
      version: "1.2.3",
      remotes: [
        {
          type: "streamable-http",
          url: "https://api.example.com/mcp",
          supportedProtocolVersions: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"],
        },
      ],
    });
    assert.equal(headers["content-type"], "application/mcp-server-card+json");
    assert.equal(headers["cache-control"], "public, max-age=3600");
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.equal(headers["access-control-expose-headers"], "ETag");
  });

  for (const [url, name] of [
    ["http://localhost:4000/mcp", "localhost/content-api"],
    ["http://127.0.0.1:4000/mcp", "127.0.0.1/content-api"],
    ["http://[::1]:4000/mcp", "--1/content-api"],
  ] as const)
    test(`the name of ${url} fits the schema's pattern`, () => {
      const document = JSON.parse(card(url).body);
      assert.equal(document.name, name);
      assert.match(document.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    });

  test("the catalog of the host has it as its one entry", () => {
    const { headers, body } = aiCatalog({ info, url: "https://api.example.com/mcp" });
    assert.deepEqual(JSON.parse(body), {
      specVersion: "1.0",
      entries: [
        {
          identifier: "urn:air:api.example.com:mcp:content-api",
          type: "application/mcp-server-card+json",
          url: "https://api.example.com/mcp/server-card",
        },
      ],
    });
    assert.equal(headers["content-type"], "application/ai-catalog+json");
  });

  test("an ETag that the client has answers 304, until the document changes", () => {
    const document = card("https://api.example.com/mcp");
    const { etag = "" } = document.headers;
    assert.match(etag, /^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"])
      assert.equal(documentStatus(document, known), 304);
    for (const other of [undefined, "", '"other"', etag.slice(1)]) assert.equal(documentStatus(document, other), 200);
    assert.notEqual(card("https://api.example.org/mcp").headers.etag, etag);
    assert.equal(card("https://api.example.com/mcp").headers.etag, etag);
  });
});
