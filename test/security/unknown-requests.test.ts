import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser } from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

async function ask(params: Record<string, string>) {
  const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params });
  const stop = await new Browser().follow(url);
  const id = stop.response.headers.get("x-request-id") ?? "";
  const line = server.lines.map((text) => JSON.parse(text)).find((fields) => fields.requestId === id);
  const words = stop.text
    .replace(/<style>.*?<\/style>/s, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
  return { ...stop, words, id, line };
}

describe("what is not registered", () => {
  test("A02 an address that does not match: page and log say the client, the address, and how to go on", async () => {
    const foreign = `${SPA_CALLBACK}/?code=secret&x=1`;
    const { response, words, id, line } = await ask({ redirect_uri: foreign });
    assert.equal(response.status, 400);
    for (const part of [
      "This redirect URI is not registered",
      "<dd><code>A page &lt;b&gt;</code></dd>",
      "<dd><code>spa</code></dd>",
      `<dd><code>${foreign}</code></dd>`,
      "compared character by character",
      `<code>bin/content-api client create --name 'A page &lt;b&gt;' --redirect-uri '${foreign}' --public</code>`,
      `<code>${id}</code>`,
    ])
      assert.ok(words.includes(part), part);
    assert.equal(line.clientId, "spa");
    assert.equal(line.askedRedirectUri, `${SPA_CALLBACK}/?code=…&x=…`);
    assert.equal(line.error, "invalid_redirect_uri");
    assert.ok(!server.lines.join().includes("secret"), "A42");
  });

  test("A01 an unknown client: page and log say what came", async () => {
    const { response, words, id, line } = await ask({ client_id: "nobody-here" });
    assert.equal(response.status, 400);
    for (const part of [
      "This client is not registered",
      "<dd><code>nobody-here</code></dd>",
      `--redirect-uri '${SPA_CALLBACK}'`,
      `<code>${id}</code>`,
    ])
      assert.ok(words.includes(part), part);
    assert.equal(line.askedClientId, "nobody-here");
    assert.equal(line.error, "invalid_client");
  });

  test("A11 the command cannot be made to run anything else, and what came is shown as text", async () => {
    const attack = `https://x.example/'; touch /tmp/owned; '$(id)\`id\``;
    for (const redirect_uri of [
      attack,
      `${attack}\nrm -rf ~`,
      "https://x.example/\u202e",
      "<script>alert(1)</script>",
    ]) {
      const { words, text } = await ask({ redirect_uri });
      assert.doesNotMatch(text, /<script>/);
      const [, line = ""] = /--redirect-uri (.*?) --public/s.exec(words) ?? [];
      assert.match(line, /^(?:REDIRECT_URI|'(?:[^'\s]|'\\'')*')$|^'(?:[^']|'\\'')*'$/);
      assert.doesNotMatch(line, /[\n\u202e]/);
    }
  });
});
