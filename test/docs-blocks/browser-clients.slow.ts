/** D05: the single-page apps of docs/clients, built from their pages and used in a real browser. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build, type Plugin } from "esbuild";
import { compileScript, parse } from "vue/compiler-sfc";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "../e2e/visitor.ts";
import { freePort } from "../port.ts";
import { ROOT, readBlocks } from "./blocks.ts";

/** Seconds. The library refreshes a token a minute before its end: this one as soon as it has it. */
const ACCESS_TOKEN_TTL = "10";

/** Components of Vue, as the tools of Vue compile them. */
const VUE: Plugin = {
  name: "vue",
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { descriptor, errors } = parse(await readFile(path, "utf8"), { filename: path });
      assert.deepEqual(errors, []);
      const { content } = compileScript(descriptor, { id: "app", inlineTemplate: true });
      return { contents: content, loader: "ts", resolveDir: dirname(path) };
    });
  },
};

describe("D05 a single-page app, as its page has it", () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let visitor: Visitor;
  const servers: Server[] = [];
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp({ ACCESS_TOKEN_TTL }), openBrowser()]);
    visitor = await openVisitor(chromium.browser);
    visitor.page.setDefaultTimeout(60_000); // beside other tests
    assert.ok(app.setUpUrl);
    await becomeAdministrator(visitor.page, app.setUpUrl);
  });
  after(async () => {
    await chromium?.close();
    for (const server of servers) server.close();
    await app?.close();
  });

  for (const [document, entry, root] of [
    ["docs/clients/react.md", "src/main.tsx", "root"],
    ["docs/clients/vue.md", "src/main.ts", "app"],
  ] as const)
    test(`D05 ${document}: signs in, writes, reads, refreshes, and signs out`, async () => {
      const url = `http://localhost:${await freePort()}/`;
      const command = ["client", "create", "--name", "App", "--public", "--redirect-uri", url];
      const client = await runJson<{ client_id: string }>(
        [...command, "--post-logout-redirect-uri", url],
        app.environment,
      );
      servers.push(await serve(url, await bundle(document, entry, client.client_id), root));
      const { page } = visitor;
      await page.goto(url);
      await page.getByRole("button", { name: "Sign in" }).click();
      if (entry.endsWith("tsx")) await signIn(page);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.getByText(`Signed in as ${ADA.name}`).waitFor();

      const title = `Hello from ${document}`;
      const refreshed = page.waitForRequest((request) =>
        (request.postData() ?? "").includes("grant_type=refresh_token"),
      );
      await page.getByLabel("Title").fill(title);
      await page.getByLabel("Text").fill("First post");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByText(`${title} by ${ADA.name}`).waitFor();
      assert.equal((await (await refreshed).response())?.status(), 200);

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign out?" }).waitFor();
      await page.getByRole("button", { name: "Stay signed in" }).click();
      await page.goto(url);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      assert.deepEqual(visitor.complaints, []);
    });

  /** @returns the script of the app whose files the document shows */
  async function bundle(document: string, entry: string, clientId: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "content-api-app-"));
    try {
      await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
      for (const { detail, text } of readBlocks(document).filter((block) => block.detail.startsWith("src/"))) {
        await mkdir(dirname(join(folder, detail)), { recursive: true });
        const filled = text.replaceAll("http://localhost:4000", app.config.BASE_URL).replaceAll("CLIENT_ID", clientId);
        await writeFile(join(folder, detail), filled);
      }
      const define = { "process.env.NODE_ENV": '"development"', __VUE_OPTIONS_API__: "true" };
      const { outputFiles } = await build({
        ...{ entryPoints: [join(folder, entry)], bundle: true, write: false, jsx: "automatic", plugins: [VUE] },
        ...{ format: "esm", define: { ...define, __VUE_PROD_DEVTOOLS__: "false" } },
      });
      return outputFiles[0]?.text ?? "";
    } finally {
      await rm(folder, { recursive: true });
    }
  }
});

async function serve(url: string, script: string, root: string): Promise<Server> {
  const page = `<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><div id="${root}"></div><script type="module" src="/app.js"></script>`;
  const server = createServer(({ url: path }, response) => {
    const isScript = path === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
    response.end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), "localhost", resolve));
  return server;
}
