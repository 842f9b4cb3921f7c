import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { loadTrustedDocuments } from "../../../src/graphql/documents/trusted-documents.ts";
import { type Answer, openTestServer } from "../server.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const QUERY = "{ posts(first: 1) { title } }";
const ANSWER = '{"data":{"posts":[{"title":"Post 2"}]}}';

function assertCode(answer: Answer, code: string, status: number): void {
  assert.equal(answer.json.errors[0].extensions.code, code);
  assert.equal(answer.status, status);
}

describe("PERSISTED automatic persisted queries (Apollo)", () => {
  const persisted = (text: string, more: object = {}) => ({
    ...more,
    extensions: { persistedQuery: { version: 1, sha256Hash: digest(text) } },
  });

  test("a digest is unknown until the document has come with it once", async () => {
    const server = openTestServer();
    const unknown = await server.send({ body: persisted(QUERY) });
    assertCode(unknown, "PERSISTED_QUERY_NOT_FOUND", 200);
    assert.equal(unknown.json.errors[0].message, "PersistedQueryNotFound");
    assert.equal((await server.send({ body: persisted(QUERY, { query: QUERY }) })).body, ANSWER);
    assert.equal((await server.send({ body: persisted(QUERY) })).body, ANSWER);
    const url = `/graphql?${new URLSearchParams({ extensions: JSON.stringify(persisted(QUERY).extensions) })}`;
    assert.equal((await server.send({ method: "GET", url, body: null })).body, ANSWER);
    assert.equal((await server.send({ body: { documentId: `sha256:${digest(QUERY)}` } })).body, ANSWER);
  });

  test("a wrong digest registers nothing and cannot replace what is there", async () => {
    const server = openTestServer();
    await server.send({ body: persisted(QUERY, { query: QUERY }) });
    assertCode(await server.send({ body: persisted(QUERY, { query: "{ __typename }" }) }), "BAD_REQUEST", 400);
    assert.equal((await server.send({ body: persisted(QUERY) })).body, ANSWER);
  });

  test("a document that is wrong is not kept", async () => {
    const server = openTestServer();
    await server.send({ body: persisted("{ nope }", { query: "{ nope }" }) });
    assertCode(await server.send({ body: persisted("{ nope }") }), "PERSISTED_QUERY_NOT_FOUND", 200);
  });

  test("a malformed digest is refused", async () => {
    const server = openTestServer();
    for (const persistedQuery of [
      1,
      "a",
      [],
      {},
      { version: 2, sha256Hash: digest(QUERY) },
      { version: 1, sha256Hash: "ABC" },
    ]) {
      assertCode(await server.send({ body: { query: QUERY, extensions: { persistedQuery } } }), "BAD_REQUEST", 400);
    }
  });
});

describe("PERSISTED trusted documents", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trusted-"));
    await writeFile(join(folder, "latest.graphql"), QUERY);
    await writeFile(
      join(folder, "manifest.json"),
      JSON.stringify({ [digest("{ __typename }")]: "{ __typename }", hello: "{ hello: __typename }" }),
    );
  });
  after(() => rm(folder, { recursive: true }));
  const open = (only: boolean) => openTestServer({ trustedDocuments: loadTrustedDocuments(folder, only) });

  test("are known by digest and by name, from files and from tables", async () => {
    const server = open(false);
    for (const id of ["latest", `sha256:${digest(QUERY)}`]) {
      assert.equal((await server.send({ body: { documentId: id } })).body, ANSWER);
    }
    assert.equal((await server.send({ body: { documentId: "hello" } })).body, '{"data":{"hello":"Query"}}');
    assert.equal((await server.send({ method: "GET", url: "/graphql?documentId=latest", body: null })).body, ANSWER);
    const digestOnly = { extensions: { persistedQuery: { version: 1, sha256Hash: digest("{ __typename }") } } };
    assert.equal((await server.send({ body: digestOnly })).status, 200);
    assert.equal((await server.query("{ __typename }")).status, 200);
  });

  test("an unknown identifier is refused, and so is one beside a document", async () => {
    const server = open(false);
    assertCode(await server.send({ body: { documentId: "other" } }), "PERSISTED_QUERY_NOT_FOUND", 400);
    assertCode(await server.send({ body: { documentId: "latest", query: QUERY } }), "BAD_REQUEST", 400);
    assertCode(await server.send({ body: { documentId: 1 } }), "BAD_REQUEST", 400);
    assertCode(await server.send({ body: { documentId: "__proto__" } }), "PERSISTED_QUERY_NOT_FOUND", 400);
  });

  test("can be the only ones", async () => {
    const server = open(true);
    const other = "{ posts { id } }";
    assertCode(await server.query(other), "BAD_REQUEST", 400);
    const registering = { query: other, extensions: { persistedQuery: { version: 1, sha256Hash: digest(other) } } };
    assertCode(await server.send({ body: registering }), "BAD_REQUEST", 400);
    assert.equal((await server.query(QUERY)).body, ANSWER);
    assert.equal((await server.send({ body: { documentId: "latest" } })).body, ANSWER);
  });

  test("a table that is none is named", async () => {
    const broken = await mkdtemp(join(tmpdir(), "trusted-"));
    await writeFile(join(broken, "manifest.json"), '{"a":1}');
    assert.throws(() => loadTrustedDocuments(broken, true), /manifest\.json.*"a"/);
    await rm(broken, { recursive: true });
  });
});
