import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse, validate } from "graphql";
import { loadSchema } from "../../src/graphql/schema.ts";
import { generatedRequests } from "./documents.ts";
import { type Content, MemoryStore } from "./memory.ts";
import { referenceAnswer } from "./reference.ts";
import { openTestServer } from "./server.ts";

const RUNS = Number(process.env.ORACLE_RUNS ?? 500);
const SEED = process.env.ORACLE_SEED;

const text = (min: number) =>
  fc
    .string({ unit: "binary", minLength: min, maxLength: 20 })
    .filter((value) => value.isWellFormed() && !value.includes("\0"));

const contents: fc.Arbitrary<Content> = fc
  .record({
    people: fc.array(text(1), { maxLength: 4 }),
    posts: fc.array(fc.record({ title: text(1), body: text(0), author: fc.nat(3), minute: fc.nat(1) }), {
      maxLength: 12,
    }),
  })
  .map(({ people, posts }) => {
    const id = (kind: number, index: number) => `0199000${kind}-0000-7000-8000-${String(index).padStart(12, "0")}`;
    return {
      people: people.map((name, index) => ({ id: id(1, index), name, email: `p${index}@example.com` })),
      articles: posts
        .filter(({ author }) => author < people.length)
        .map(({ title, body, author, minute }, index) => ({
          id: id(2, index),
          title,
          body,
          authorId: id(1, author),
          createdAt: `2026-01-31T12:0${minute}:00.000Z`,
        })),
    };
  });

test("generated documents get the answer that graphql-js gives, byte for byte", async () => {
  const schema = loadSchema();
  await fc.assert(
    fc.asyncProperty(contents, generatedRequests, async (content, generate) => {
      const { query, variables } = generate(content.people.map(({ id }) => id));
      assert.deepEqual(validate(schema, parse(query)), []);
      const server = openTestServer({ memory: new MemoryStore(content) });
      const answer = await server.query(query, variables);
      assert.equal(answer.body, referenceAnswer(schema, content, query, variables));
    }),
    { numRuns: RUNS, ...(SEED === undefined ? {} : { seed: Number(SEED) }) },
  );
});
