import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client/core";
import { relayStylePagination } from "@apollo/client/utilities";
import { codegen } from "@graphql-codegen/core";
import { Client, fetchExchange } from "@urql/core";
import { buildSchema, parse } from "graphql";
import { openTestApp, type TestApp } from "../app.ts";
import { addClient, addPerson, createToken, postTo } from "../subscriber.ts";

const require = createRequire(import.meta.url);
const { preset } = require("@graphql-codegen/client-preset") as typeof import("@graphql-codegen/client-preset");
const relay = require("relay-runtime") as typeof import("relay-runtime");
const run = promisify(execFile);

const PACKAGES = new URL("../../node_modules/", import.meta.url).pathname;
const SCHEMA = new URL("../../schema.graphql", import.meta.url);
const TITLES = ["Five", "Four", "Three", "Two", "One"];

describe("clients that are made from the schema", { timeout: 120_000 }, () => {
  let app: TestApp;
  let folder: string;
  let endpoint: string;
  let headers: { authorization: string };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    app = await openTestApp();
    endpoint = `${app.config.BASE_URL}/graphql`;
    const client = await addClient(app.environment);
    await addPerson(app.environment, "ada@example.com");
    const token = await createToken(app.environment, { user: "ada@example.com", client });
    headers = { authorization: `Bearer ${token}` };
    for (const title of TITLES.toReversed())
      await postTo(app.url, token, `mutation { createPost(input: { title: "${title}", body: "b" }) { id } }`);
  });
  after(async () => {
    await app?.close();
    await rm(folder, { recursive: true });
  });

  async function write(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    return path;
  }

  test("relay-compiler and Relay: a connection page by page, an object fetched again by its id, a mutation", async () => {
    await write("relay/schema.graphql", await readFile(SCHEMA, "utf8"));
    await write(
      "relay/relay.config.json",
      JSON.stringify({ src: "./src", schema: "./schema.graphql", language: "javascript", eagerEsModules: false }),
    );
    await write(
      "relay/src/posts.js",
      `import { graphql } from "relay-runtime";
      graphql\`query postsQuery { ...posts_list }\`;
      graphql\`fragment posts_list on Query
        @refetchable(queryName: "postsPageQuery")
        @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" }) {
        postsConnection(first: $first, after: $after) @connection(key: "posts_postsConnection") {
          edges { node { id title } }
        }
      }\`;
      graphql\`fragment posts_one on Post @refetchable(queryName: "postsOneQuery") { title status author { name } }\`;
      graphql\`mutation postsArchiveMutation($id: ID!) { archivePost(id: $id) { post { id status } errors { message } } }\`;`,
    );
    await run(require("relay-compiler"), ["relay.config.json"], { cwd: join(folder, "relay") });

    const generated = (name: string) => require(join(folder, "relay/src/__generated__", `${name}.graphql.js`));
    const environment = new relay.Environment({
      store: new relay.Store(new relay.RecordSource()),
      network: relay.Network.create(async ({ text }, variables) => {
        const body = JSON.stringify({ query: text, variables });
        const json = { ...headers, "content-type": "application/json" };
        return (await fetch(endpoint, { method: "POST", headers: json, body })).json();
      }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: as generated JavaScript has it
    const ask = (name: string, variables = {}): Promise<any> =>
      relay.fetchQuery(environment, generated(name), variables).toPromise();
    const query = relay.createOperationDescriptor(relay.getRequest(generated("postsQuery")), {});
    // biome-ignore lint/suspicious/noExplicitAny: as generated JavaScript has it
    const list = (): any => {
      const { data } = environment.lookup(query.fragment);
      const selector = relay.getSingularSelector(generated("posts_list"), data);
      assert.ok(selector);
      return environment.lookup(selector).data;
    };
    const titles = () => list().postsConnection.edges.map(({ node }: { node: { title: string } }) => node.title);

    environment.retain(query);
    await ask("postsQuery");
    assert.deepEqual(titles(), TITLES.slice(0, 2));
    for (const count of [4, 5]) {
      const { endCursor, hasNextPage } = list().postsConnection.pageInfo;
      assert.equal(hasNextPage, true);
      await ask("postsPageQuery", { first: 2, after: endCursor });
      assert.deepEqual(titles(), TITLES.slice(0, count));
    }
    assert.equal(list().postsConnection.pageInfo.hasNextPage, false);

    const { id } = list().postsConnection.edges[4].node;
    await ask("postsOneQuery", { id });
    assert.deepEqual(environment.getStore().getSource().get(id)?.title, "One");
    await new Promise((resolve, reject) => {
      relay.commitMutation(environment, {
        mutation: generated("postsArchiveMutation"),
        variables: { id },
        onCompleted: resolve,
        onError: reject,
      });
    });
    assert.deepEqual(environment.getStore().getSource().get(id)?.status, "ARCHIVED");
  });

  test("graphql-codegen and urql: documents with types that hold, and answers that are what the types say", async () => {
    const text = await readFile(SCHEMA, "utf8");
    const rawSDL = `query Newest($first: Int!) { posts(first: $first) { title status author { name } } }
      mutation Create($input: CreatePostInput!) { createPost(input: $input) { title publishedAt } }`;
    const sections = await preset.buildGeneratesSection({
      baseOutputDir: "urql/",
      presetConfig: { fragmentMasking: false },
      schema: parse(text),
      schemaAst: buildSchema(text),
      documents: [{ location: "documents.graphql", document: parse(rawSDL), rawSDL }],
      config: { useTypeImports: true, enumsAsTypes: true },
      plugins: [],
      pluginMap: {},
      pluginContext: {},
    });
    const section = sections.find(({ filename }) => filename.endsWith("/graphql.ts"));
    assert.ok(section);
    const module = await write("urql/graphql.ts", await codegen(section));
    await write("urql/package.json", '{ "type": "module" }');
    await symlink(PACKAGES, join(folder, "urql/node_modules"));
    await write(
      "urql/use.ts",
      `import type { Client } from "@urql/core";
      import { CreateDocument, NewestDocument } from "./graphql.ts";
      export async function use(client: Client): Promise<void> {
        const { data } = await client.query(NewestDocument, { first: 2 });
        const name: string | undefined = data?.posts[0]?.author.name;
        const status: "ARCHIVED" | "DRAFT" | "PUBLISHED" | undefined = data?.posts[0]?.status;
        // @ts-expect-error: the argument is required
        await client.query(NewestDocument, {});
        // @ts-expect-error: not selected
        console.log(data?.posts[0]?.body, name, status);
        const created = await client.mutation(CreateDocument, { input: { title: "T", body: "b", status: "DRAFT" } });
        const publishedAt: string | null | undefined = created.data?.createPost.publishedAt;
        console.log(publishedAt);
      }`,
    );
    await write(
      "urql/tsconfig.json",
      JSON.stringify({
        compilerOptions: {
          ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ["esnext", "dom"] },
          ...{ target: "esnext", module: "nodenext", allowImportingTsExtensions: true },
        },
        files: ["use.ts"],
      }),
    );
    await run(join(PACKAGES, ".bin", "tsc"), ["-p", join(folder, "urql")]).catch(({ stdout }) => assert.fail(stdout));

    const { NewestDocument, CreateDocument } = await import(pathToFileURL(module).href);
    const client = new Client({ url: endpoint, exchanges: [fetchExchange], fetchOptions: { headers } });
    const newest = await client.query(NewestDocument, { first: 2 });
    assert.deepEqual(newest.error, undefined);
    assert.deepEqual(Object.keys(newest.data.posts[0]), ["title", "status", "author"]);
    assert.deepEqual(newest.data.posts[0].author.name, "ada@example.com");
    const input = { title: "Draft", body: "b", status: "DRAFT" };
    const created = await client.mutation(CreateDocument, { input });
    assert.deepEqual(created.data?.createPost.publishedAt, null);
  });

  test("Apollo Client: pages are merged in its cache, a mutation changes what is shown, an error is one", async () => {
    const client = new ApolloClient({
      link: new HttpLink({ uri: endpoint, headers }),
      cache: new InMemoryCache({
        possibleTypes: { Node: ["User", "Post"] },
        typePolicies: { Query: { fields: { postsConnection: relayStylePagination(["filter", "orderBy"]) } } },
      }),
    });
    const query = gql`query Titles($after: String) {
      postsConnection(first: 3, after: $after, orderBy: { field: CREATED_AT, direction: ASC }) {
        edges { node { id title } }
        pageInfo { hasNextPage endCursor }
      }
    }`;
    interface Titles {
      readonly postsConnection: {
        readonly edges: readonly { readonly node: { readonly id: string; readonly title: string } }[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
      };
    }
    const shown = client.watchQuery<Titles>({ query });
    const subscription = shown.subscribe({ next() {} });
    const first = (await shown.refetch()).data as Titles;
    const cached = () => client.readQuery<Titles>({ query }) ?? assert.fail("not in the cache");
    assert.equal(first.postsConnection.edges.length, 3);
    await shown.fetchMore({ variables: { after: first.postsConnection.pageInfo.endCursor } });
    const both = cached();
    assert.ok(both.postsConnection.edges.length > 3);
    assert.equal(
      new Set(both.postsConnection.edges.map(({ node }) => node.id)).size,
      both.postsConnection.edges.length,
    );

    const [{ node } = assert.fail()] = both.postsConnection.edges;
    await client.mutate({
      mutation: gql`mutation Rename($id: ID!) { updatePost(id: $id, input: { title: "Anew" }) { post { id title } } }`,
      variables: { id: node.id },
    });
    assert.equal(cached().postsConnection.edges[0]?.node.title, "Anew");
    subscription.unsubscribe();

    const refused = client.query({ query: gql`{ users(first: -1) { id } }` });
    await assert.rejects(refused, ({ errors: [error] }) => error.extensions.code === "BAD_USER_INPUT");
    client.stop();
  });
});
