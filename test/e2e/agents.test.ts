import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Page } from "playwright-core";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { makeCertificate, WITH_CERTIFICATES } from "../security/certificates.ts";
import { type ServerProcess, serverEnvironment, startServer } from "../server-process.ts";
import { postTo } from "../subscriber.ts";
import { AgentProgram } from "./agent-program.ts";
import { ADA, openVisitor, signIn, type Visitor } from "./visitor.ts";

interface AuditRow {
  readonly event: string;
  readonly clientId: string | null;
  readonly detail: string | null;
}

const DRAFTS = [
  "search",
  "fetch",
  "list_posts",
  "get_post",
  "list_people",
  "get_person",
  "whoami",
  "create_draft",
  "update_post",
];

describe("an agent that is given nothing but the address", () => {
  let folder: string;
  let environment: Record<string, string>;
  let server: ServerProcess;
  let chromium: TestBrowser;
  /** Ada's own token, for GraphQL. */
  let token: string;
  /** What the agents and the browsers saw, and everything that must not be in it. */
  const programs: AgentProgram[] = [];
  const cookies = new Set<string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    const authority = WITH_CERTIFICATES.skip
      ? {}
      : { NODE_EXTRA_CA_CERTS: makeCertificate(folder, "site", "/CN=localhost", "DNS:localhost,IP:127.0.0.1").file };
    environment = await serverEnvironment(`sqlite:${join(folder, "content.db")}`, {
      ...{ LOG_LEVEL: "debug", REGISTRATION: "open", PRIVATE_HOSTS: "127.0.0.1" },
    });
    [server, chromium] = await Promise.all([startServer({ ...environment, ...authority }), openBrowser()]);
    const person = ["user", "create", "--email", ADA.email, "--name", ADA.name, "--role", "admin", "--password-stdin"];
    await runJson(person, environment, ADA.password);
    token = await tokenOf("posts:read posts:write users:read admin");
  });
  after(async () => {
    for (const program of programs) await program.close();
    await chromium?.close();
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  const tokenOf = async (scope: string) =>
    (await runJson<{ access_token: string }>(["token", "create", "--user", ADA.email, "--scope", scope], environment))
      .access_token;

  async function anAgent(
    name: string,
    person: (page: Page) => Promise<void>,
    more: { clientMetadataUrl?: string } = {},
  ): Promise<{ program: AgentProgram; visitor: Visitor }> {
    const visitor = await openVisitor(chromium.browser);
    const address = `${server.baseUrl}/mcp`;
    const program = await AgentProgram.open({ name, address, person, page: visitor.page, ...more });
    programs.push(program);
    return { program, visitor };
  }

  const asked = (name: string) => ({ name: `Allow ${name} to act for you?` });
  /** Names of the tools as the server lists them now. */
  const names = async (client: Client) =>
    (await client.listTools({}, { cacheMode: "bypass" })).tools.map(({ name }) => name);

  /** Signs in where that is asked, and allows the level that is marked or the one that is named. */
  function allowing(name: string, level?: string, look: (page: Page) => Promise<void> = async () => {}) {
    return async (page: Page) => {
      const heading = page.getByRole("heading", asked(name));
      await page.getByLabel("Password").or(heading).first().waitFor();
      if (!(await heading.isVisible())) await signIn(page);
      await heading.waitFor();
      await look(page);
      if (level !== undefined) await page.locator(`input[name=level][value=${level}]`).check();
      for (const { name, value } of await page.context().cookies())
        if (value.length > 8) cookies.add(`${name}=${value}`);
      await page.getByRole("button", { name: "Allow" }).click();
    };
  }

  test("A02 A10 A11 A13 A14 A42 A43 registers, drafts, steps up, publishes when the person agrees, and is ended", async () => {
    const said: string[] = [];
    let level: string | undefined;
    const { program, visitor } = await anAgent("Quill", (page) =>
      allowing("Quill", level, async () => {
        said.push((await page.textContent("main")) ?? "");
        said.push(await page.locator("input[name=level]:checked").inputValue());
      })(page),
    );
    const client = await program.connect();
    assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
    const [text = "", marked] = said;
    assert.match(text, /Quill is a program that acts for you\./);
    assert.match(text, /Any program on your computer can say that it is Quill\./);
    assert.match(text, /127\.0\.0\.1/);
    assert.equal(marked, "draft");
    assert.equal(program.sentTo[0]?.searchParams.get("resource"), `${server.baseUrl}/mcp`);
    assert.equal(program.sentTo[0]?.searchParams.get("scope"), "posts:read users:read posts:write offline_access");
    assert.equal(program.saved?.scope, "posts:read users:read posts:draft");
    assert.equal(program.cameBack[0]?.searchParams.get("iss"), server.baseUrl);

    assert.deepEqual(await names(client), DRAFTS);
    const draft = { title: "By an agent", body: "*Text*", key: "draft-1" };
    const created = await client.callTool({ name: "create_draft", arguments: draft });
    const { id, status } = created.structuredContent as { id: string; status: string };
    assert.equal(status, "DRAFT");
    const again = await client.callTool({ name: "create_draft", arguments: draft });
    assert.equal((again.structuredContent as { id: string }).id, id, "the same key makes no second one");
    const post = () => postTo(server.baseUrl, token, "query ($id: ID!) { post(id: $id) { status } }", { id });
    assert.equal((await post()).data.post.status, "DRAFT");
    const clientId = program.information?.client_id ?? "";
    const audit = () => runJson<AuditRow[]>(["audit", "--event", "agent", "--since", "1h"], environment);
    const rows = (await audit()).filter((row) => row.clientId === clientId);
    assert.deepEqual(
      rows.map(({ detail }) => detail?.replace(/,.*/, "")),
      [`create_draft: post ${id}`],
    );

    level = "write";
    const publish = () => client.callTool({ name: "publish_post", arguments: { id } });
    const exchanges = program.exchanged.length;
    assert.equal(await program.askingThePerson(publish), false, "the person was asked");
    const refusal = program.exchanged.slice(exchanges).find(({ url }) => url.pathname === "/mcp");
    assert.equal(refusal?.status, 403);
    const challenge = refusal?.headers.get("www-authenticate") ?? "";
    assert.match(challenge, /error="insufficient_scope"/);
    const needed = / scope="([^"]*)"/.exec(challenge)?.[1]?.split(" ").sort();
    assert.deepEqual(needed, ["posts:draft", "posts:read", "posts:write", "users:read"], "those that it has, too");
    assert.match(challenge, /resource_metadata="[^"]+\/\.well-known\/oauth-protected-resource\/mcp"/);
    assert.equal((await post()).data.post.status, "DRAFT");
    assert.deepEqual([said.length, said[3]], [4, "draft"], "what was agreed before is marked");
    assert.match(program.saved?.scope ?? "", /posts:write/);
    assert.deepEqual(program.questions, []);

    const published = await publish();
    assert.equal((published.structuredContent as { status?: string } | undefined)?.status, "PUBLISHED");
    assert.match(program.questions.join("\n"), /^Publish this post\? Title: “By an agent”, version 1\./);
    assert.equal((await post()).data.post.status, "PUBLISHED");
    assert.deepEqual((await audit()).map(({ detail }) => detail?.replace(/:.*/, "")).sort(), [
      "create_draft",
      "publish_post",
    ]);
    assert.equal((await names(client)).length, 13);

    const { page } = visitor;
    await page.goto(`${server.baseUrl}/account`);
    const entry = page.getByRole("listitem").filter({ hasText: "Quill" }).filter({ hasText: "Agent:" });
    await entry.getByRole("button", { name: "End access" }).click();
    await page.getByText("The app has no access any more.").waitFor();
    const sent = program.sentTo.length;
    const before = program.exchanged.length;
    await assert.rejects(client.callTool({ name: "whoami" }), { name: "UnauthorizedError" });
    assert.equal(program.exchanged[before]?.status, 401);
    assert.equal(program.sentTo.length, sent + 1, "and is sent to the person again");
    assert.deepEqual(visitor.complaints, []);
  });

  test("A20 A22 has a document instead, which lists its callback without the port", WITH_CERTIFICATES, async () => {
    const site = await publish(folder, "/agent.json", {
      client_name: "Owl",
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      token_endpoint_auth_method: "none",
    });
    let text = "";
    const look = async (page: Page) => {
      text = (await page.textContent("main")) ?? "";
    };
    const { program, visitor } = await anAgent("Owl", allowing("Owl", undefined, look), {
      clientMetadataUrl: site.url,
    });
    try {
      const client = await program.connect();
      assert.match(text, new RegExp(`${new URL(site.url).host} says that this is Owl\\.`));
      assert.equal(program.information?.client_id, site.url);
      assert.ok(!program.exchanged.some(({ url }) => url.pathname === "/register"));
      assert.deepEqual(await names(client), DRAFTS);
      const created = await client.callTool({ name: "create_draft", arguments: { title: "t", body: "b", key: "k" } });
      assert.equal((created.structuredContent as { status?: string } | undefined)?.status, "DRAFT");
      assert.deepEqual(visitor.complaints, []);
    } finally {
      site.server.close();
      site.server.closeAllConnections();
    }
  });

  test("A02 speaks the earlier era: the same way in, and the level that the person chose", async () => {
    const { program, visitor } = await anAgent("Elder", allowing("Elder", "read"));
    const client = await program.connectEarlier();
    assert.equal(program.saved?.scope, "posts:read users:read");
    assert.deepEqual(
      (await client.listTools()).tools.map(({ name }) => name),
      DRAFTS.filter((name) => !/create|update/.test(name)),
    );
    const { structuredContent } = await client.callTool({ name: "whoami" });
    assert.deepEqual((structuredContent as { scopes?: unknown }).scopes, ["posts:read", "users:read"]);
    assert.ok(program.exchanged.every(({ headers }) => !headers.has("mcp-session-id")));
    assert.deepEqual(visitor.complaints, []);
  });

  test("A12 an administrator's token with admin sees what it sees without", async () => {
    const seen = await Promise.all(
      ["posts:read users:read", "posts:read users:read admin users:email"].map(async (scope) => {
        const token = await tokenOf(scope);
        const transport = new StreamableHTTPClientTransport(new URL(`${server.baseUrl}/mcp`), {
          authProvider: { token: async () => token },
        });
        const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "auto" } });
        await client.connect(transport);
        const { tools } = await client.listTools();
        const people = await client.callTool({ name: "list_people" });
        const { structuredContent } = await client.callTool({ name: "whoami" });
        await client.close();
        return { tools, people: people.structuredContent, scopes: (structuredContent as { scopes?: unknown }).scopes };
      }),
    );
    assert.deepEqual(seen[1], seen[0]);
    assert.doesNotMatch(JSON.stringify(seen), /@example\.com/);
  });

  test("A41 no token, cookie or secret is in an answer that is not meant to give it, or in the log", async () => {
    const canary = "canary-5d41402abc4b2a76b9719d911017c592";
    for (const [path, headers] of [
      ["/mcp", { authorization: `Bearer ${canary}` }],
      ["/mcp", { authorization: `DPoP ${canary}`, dpop: canary }],
      ["/mcp", { cookie: `session=${canary}`, "idempotency-key": canary }],
      [`/mcp?access_token=${canary}`, {}],
    ] as const) {
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
      const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
      const response = await fetch(server.baseUrl + path, init);
      assert.ok([400, 401].includes(response.status), `${path} ${response.status}`);
      assert.ok(!`${await response.text()} ${JSON.stringify([...response.headers])}`.includes(canary));
    }
    assert.ok(!server.output().includes(canary));

    const secrets = new Map<string, string>([
      [ADA.password, "the password"],
      [token, "Ada's own token"],
    ]);
    const given = /"(?:access_token|refresh_token|id_token|registration_access_token|client_secret)":"([^"]+)"/g;
    for (const cookie of cookies) secrets.set(cookie.slice(cookie.indexOf("=") + 1), "a cookie");
    const answers = programs.flatMap(({ exchanged }) => exchanged);
    for (const { request, answer } of answers) {
      for (const [, secret = ""] of answer.matchAll(given)) secrets.set(secret, "from /token");
      const verifier = new URLSearchParams(request).get("code_verifier");
      if (verifier !== null) secrets.set(verifier, "a verifier");
    }
    for (const { cameBack } of programs)
      for (const { searchParams } of cameBack) secrets.set(searchParams.get("code") ?? "", "a code");
    assert.ok(secrets.size >= 15 && cookies.size >= 3, `${secrets.size} secrets are looked for`);
    assert.ok(!secrets.has(""));

    const log = server.output();
    assert.match(log, /"request_id":/, "the log says something");
    const read = answers.filter(({ url }) => url.pathname !== "/token" && url.pathname !== "/register");
    assert.ok(read.filter(({ url }) => url.pathname === "/mcp").length > 10);
    for (const [secret, kind] of secrets) {
      assert.ok(!log.includes(secret), `${kind} is in the log`);
      for (const { url, answer, headers } of read) {
        const told = `${answer} ${JSON.stringify([...headers])}`;
        assert.ok(!told.includes(secret), `${kind} is in an answer of ${url.pathname}`);
      }
    }
  });
});

/** A host on this machine that publishes the document of a client by https, as clients demand of themselves. */
async function publish(folder: string, path: string, document: object): Promise<{ url: string; server: Server }> {
  const [key, cert] = await Promise.all(["key.pem", "site.pem"].map((name) => readFile(join(folder, name))));
  const server = createServer({ key, cert });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const body = JSON.stringify({ client_id: url, ...document });
  server.on("request", (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  return { url, server };
}
