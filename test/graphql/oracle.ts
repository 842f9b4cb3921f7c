import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { Id } from "../../src/domain/id.ts";
import { POST_STATUSES, type PostStatus } from "../../src/domain/post-status.ts";
import { encodeCursor } from "../../src/domain/reading/cursor.ts";
import { ALL } from "../../src/domain/reading/selection.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { loadSchema } from "../../src/graphql/documents/schema.ts";
import { openStore } from "../../src/storage/open.ts";
import { type Article, type Content, compareText, type Person } from "../content.ts";
import { generatedRequests, type Names } from "./documents.ts";
import { listName, type Reader, referenceAnswer } from "./reference.ts";
import { ada, openTestServer, type TestServer } from "./server.ts";

/** Documents. */
export const RUNS = Number(process.env.ORACLE_RUNS ?? 500);
const SEED = Number(process.env.ORACLE_SEED ?? Date.now() % 2 ** 31);
const DATA_SETS = 8;

/** Whatever may be stored, and often what JSON escapes. */
const escaped = fc.constantFrom(
  ...'\b\f\n\r\t\v\u0001\u001f\u007f"\\/<&\u2028\ud7ff\ue000\ufeff\uffff\u{1f600}\u{10ffff}',
);
const text = (minLength: number) =>
  fc
    .oneof(
      fc.string({ unit: "binary", minLength, maxLength: 20 }),
      fc.string({ unit: escaped, minLength, maxLength: 20 }),
    )
    .filter((value) => value.isWellFormed() && !value.includes("\0"));

interface Blueprint {
  readonly people: readonly string[];
  readonly posts: readonly {
    readonly title: string;
    readonly body: string;
    readonly author: number;
    readonly later: boolean;
    readonly status: PostStatus;
    readonly words: string;
    /** Texts that were saved for it: all but the last are discarded. */
    readonly copies: readonly { readonly title: string; readonly by: number }[];
    readonly isWritten: boolean;
  }[];
}

const blueprints: fc.Arbitrary<Blueprint> = fc.record({
  people: fc.array(text(1), { maxLength: 4 }),
  posts: fc.array(
    fc.record({
      title: text(1),
      body: text(0),
      author: fc.nat(3),
      later: fc.boolean(),
      status: fc.constantFrom("PUBLISHED", "PUBLISHED", ...POST_STATUSES),
      words: fc.constantFrom("", "red", "green", "red green", "blue", "blue greenish red"),
      copies: fc.array(fc.record({ title: text(0), by: fc.nat(3) }), { maxLength: 3 }),
      isWritten: fc.boolean(),
    }),
    { maxLength: 16 },
  ),
});

const UNLIMITED = {
  MAX_TOKENS: Number.POSITIVE_INFINITY,
  MAX_DEPTH: Number.POSITIVE_INFINITY,
  MAX_ALIASES: Number.POSITIVE_INFINITY,
  MAX_DIRECTIVES: Number.POSITIVE_INFINITY,
  MAX_FIELDS: Number.POSITIVE_INFINITY,
  MAX_COST: Number.POSITIVE_INFINITY,
  REQUEST_TIMEOUT: 3_600, // seconds: the machine may pause
};

interface DataSet {
  readonly content: Content;
  readonly store: Store;
  readonly names: Names;
  readonly readers: readonly (readonly [Reader, TestServer["query"]])[];
}

/**
 * Documents that one server is asked: it keeps what it has planned, and one that has planned thousands which never come
 * again spends its time on collecting garbage.
 */
const PER_SERVER = 100;

/** Many posts share one moment, so that ties are broken. */
async function openDataSet(databaseUrl: string, { people, posts }: Blueprint): Promise<DataSet> {
  let now = Date.UTC(2026, 0, 31, 12);
  const store = await openStore(databaseUrl, { now: () => now, readCache: 10_000_000 });
  const persons: Person[] = [];
  for (const [position, name] of people.entries()) {
    const email = `p${position}@example.com`;
    persons.push(await store.users.create({ name, email, emailVerified: true, role: "member", passwordHash: null }));
  }
  const articles: Article[] = [];
  for (const { title: head, body: rest, author, later, status, words, copies, isWritten } of posts) {
    const authorId = persons[author]?.id;
    if (authorId === undefined) continue;
    if (later) now += 1;
    const title = later ? `${head} ${words}` : head;
    const body = `${words}\n${rest}`;
    const id = await store.posts.create({ authorId: authorId as Id, title, body, status });
    const createdAt = new Date(now).toISOString();
    const saved = copies.flatMap(({ title: other, by }) => {
      const personId = persons[by]?.id as Id | undefined;
      return personId === undefined ? [] : [{ title: other, personId }];
    });
    for (const [i, one] of saved.entries()) await copy(store, id, one, i < saved.length - 1 || !isWritten);
    const all = await Promise.all(persons.map((one) => store.revisions.listOfPerson(one.id as Id, { limit: 1_000 })));
    const taken = all
      .flat()
      .flatMap(({ id: revision, postId, text: kept, createdAt: at, userId }) =>
        postId === id && kept !== null && userId !== null
          ? [{ id: revision, title: kept.title, body: kept.body, createdAt: at, personId: userId }]
          : [],
      );
    const last = isWritten ? saved.at(-1) : undefined;
    const open = last && {
      body,
      version: saved.length,
      updatedAt: createdAt,
      title: last.title,
      updatedById: last.personId,
    };
    articles.push({ id, title, body, status, authorId, createdAt, copy: open ?? null, taken });
  }
  const newest = articles.toSorted((a, b) => compareText(b.createdAt + b.id, a.createdAt + a.id));
  const cursorOf = (list: string) => (article: Article) =>
    encodeCursor(listName(list), { key: article.createdAt, id: article.id });
  const names = {
    people: persons.map(({ id }) => id),
    posts: articles.map(({ id }) => id),
    cursors: newest.map(cursorOf("posts")),
    own: newest.map(cursorOf("User.posts")),
    times: [...new Set(articles.map(({ createdAt }) => createdAt))],
  };
  const readers: [Reader, typeof ada][] = [
    [null, { ...ada, userId: null, role: null }],
    [persons[0]?.id ?? null, { ...ada, userId: (persons[0]?.id as Id | undefined) ?? null }],
    [ALL, { ...ada, userId: null, role: "editor" }],
  ];
  return {
    content: { people: persons, articles },
    store,
    names,
    readers: readers.map(([reader, viewer]) => [
      reader,
      renewed(() => openTestServer({ store, settings: UNLIMITED, viewer })),
    ]),
  };
}

/** Saves a text for a post, and takes it away again where that is asked for. */
async function copy(store: Store, id: Id, { title, personId }: { title: string; personId: Id }, isTaken: boolean) {
  const by = { userId: personId, clientId: "studio" };
  await store.workingCopies.edit(id, by, () => ({ kind: "save", text: { title }, baseVersion: 1 }));
  if (isTaken) await store.workingCopies.edit(id, by, () => ({ kind: "discard", keepsText: true }));
}

function renewed(open: () => TestServer): TestServer["query"] {
  let server = open();
  let asked = 0;
  return (...request) => {
    if (++asked % PER_SERVER === 0) server = open();
    return server.query(...request);
  };
}

/** Generated documents and data: the planner's answer and that of graphql-js with plain resolvers are the same bytes. */
export function answersLikeGraphQL(database: string, runs: number, newDatabase: () => Promise<string>): void {
  describe(database, () => {
    const dataSets: DataSet[] = [];
    before(async () => {
      for (const blueprint of fc.sample(blueprints, { numRuns: DATA_SETS, seed: SEED })) {
        dataSets.push(await openDataSet(await newDatabase(), blueprint));
      }
    });
    after(() => Promise.all(dataSets.map(({ store }) => store.close())));

    test(`${runs} generated documents get the answer that graphql-js gives, byte for byte (seed ${SEED})`, async () => {
      const schema = loadSchema();
      await fc.assert(
        fc.asyncProperty(fc.nat(DATA_SETS - 1), generatedRequests, fc.nat(2), async (index, generate, who) => {
          const { content, names, readers } = dataSets[index] as DataSet;
          const [reader, ask] = readers[who] as DataSet["readers"][number];
          const { query, variables } = generate(names);
          // No check of the document here: a server that rejects it does not give the answer of graphql-js.
          const expected = referenceAnswer(schema, content, query, variables, reader);
          // The second time nothing is planned, and the third answer comes from memory where there is one.
          for (let time = 1; time <= 3; time++)
            assert.equal((await ask(query, variables)).body, expected, `time ${time}`);
        }),
        { numRuns: runs, seed: SEED },
      );
    });
  });
}
