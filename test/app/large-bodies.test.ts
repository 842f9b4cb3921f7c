import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openTestApp, type TestApp } from "../app.ts";
import { runJson } from "../command.ts";
import { openPostgres } from "../postgres.ts";

const postgres = await openPostgres();
const MIB = 1_048_576;
const SCOPE = "posts:read posts:write";
const CREATE = 'mutation ($body: String!) { createPost(input: {title: "t", body: $body}) { id body } }';

/** 1,048,576 characters each, which is what the schema allows. */
const TEXTS: readonly [name: string, text: string][] = [
  ["Cyrillic letters in one word", "ж".repeat(MIB)],
  ["Cyrillic words", "слово ".repeat(MIB / 6 + 1).slice(0, MIB)],
  ["ideographs outside the basic plane", "𠀀".repeat(MIB)],
  ["control characters, which JSON escapes", "\u0001".repeat(MIB)],
];

/** The same route twice: an address with a query goes through Fastify. */
const WAYS = [
  ["straight", "/graphql"],
  ["through Fastify", "/graphql?"],
] as const;

for (const [database, settings] of [
  ["SQLite", async () => ({})],
  ["PostgreSQL", async () => ({ DATABASE_URL: await postgres.createDatabase() })],
] as const) {
  describe(`large bodies on ${database}`, () => {
    let app: TestApp;
    let authorization: string;

    before(async () => {
      // A machine that runs tests is a slow one.
      app = await openTestApp({ ...(await settings()), REQUEST_TIMEOUT: "120s", PUBLIC_READ: "true" });
      const person = ["user", "create", "--email", "ada@example.com", "--name", "Ada"];
      await runJson(person, app.environment);
      const client = await runJson<{ client_id: string }>(
        ["client", "create", "--name", "C", "--redirect-uri", "http://127.0.0.1/cb", "--public"],
        app.environment,
      );
      const token = await runJson<{ access_token: string }>(
        ["token", "create", "--user", "ada@example.com", "--client", client.client_id, "--scope", SCOPE],
        app.environment,
      );
      authorization = `Bearer ${token.access_token}`;
    });
    after(() => app.close());

    async function send(path: string, body: BodyInit, headers: Record<string, string> = { authorization }) {
      const response = await fetch(`${app.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/graphql-response+json", ...headers },
        body,
        duplex: "half",
      } as RequestInit);
      const json = (await response.json()) as {
        data: { createPost: { id: string; body: string } };
        errors?: { message: string; extensions: { code: string } }[];
      };
      return { status: response.status, json, code: json.errors?.[0]?.extensions.code, headers: response.headers };
    }

    for (const [name, text] of TEXTS) {
      test(`I19 a post of 1,048,576 ${name} is sent, stored and read back`, async () => {
        const { status, json } = await send("/graphql", JSON.stringify({ query: CREATE, variables: { body: text } }));
        assert.deepEqual([status, json.errors], [200, undefined]);
        assert.ok(json.data.createPost.body === text);
        const query = "query ($id: ID!) { post(id: $id) { body } }";
        const read = await send("/graphql", JSON.stringify({ query, variables: { id: json.data.createPost.id } }));
        assert.ok((read.json.data as unknown as { post: { body: string } }).post.body === text);
      });
    }

    test("I19 one character more is refused as a text that is too long", async () => {
      const { json } = await send(
        "/graphql",
        JSON.stringify({ query: CREATE, variables: { body: "ж".repeat(MIB + 1) } }),
      );
      assert.equal(json.errors?.[0]?.extensions.code, "BAD_USER_INPUT");
    });

    for (const [way, path] of WAYS) {
      const padded = (bytes: number) => {
        const start = '{"query":"{ __typename }"';
        return `${start}${" ".repeat(bytes - start.length - 1)}}`;
      };
      const chunked = (text: string) => new Blob([text]).stream();

      test(`I03 ${way}: 8 MiB at the most with a token that works, 1 MiB without, told or chunked`, async () => {
        for (const form of [(text: string) => text, chunked]) {
          for (const [bytes, headers, status, code] of [
            [8 * MIB, { authorization }, 200, undefined],
            [8 * MIB + 1, { authorization }, 413, "BAD_REQUEST"],
            [MIB, {}, 200, undefined],
            [MIB + 1, {}, 413, "BAD_REQUEST"],
            [MIB + 1, { authorization: "Bearer nobody-gave-this" }, 401, "UNAUTHENTICATED"],
            [8 * MIB, { authorization: "Bearer nobody-gave-this" }, 401, "UNAUTHENTICATED"],
          ] as [number, Record<string, string>, number, string | undefined][]) {
            const answer = await send(path, form(padded(bytes)), headers);
            assert.deepEqual([answer.status, answer.code], [status, code], `${bytes} ${JSON.stringify(headers)}`);
            if (status === 401) assert.match(answer.headers.get("www-authenticate") ?? "", /error="invalid_token"/);
          }
        }
      });
    }
  });
}
