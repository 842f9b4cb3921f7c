import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { openBrowser } from "../browser.ts";
import { ADA, becomeAdministrator, openVisitor, signIn } from "../e2e/visitor.ts";
import { freePort } from "../port.ts";

const ROOT = join(import.meta.dirname, "../..");
/** `UPDATE_SNAPSHOT=1 node --test test/package/package.slow.ts` writes it. */
const SNAPSHOT = join(import.meta.dirname, "files.json");
/** Bytes of the installed package with all it needs. */
const LARGEST = 15_000_000;

const run = promisify(execFile);
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));
const own = readJson(ROOT, "package.json") as { name: string; version: string };

interface Sbom {
  readonly components: readonly { name: string; version: string; purl: string; hashes: unknown }[];
  readonly dependencies: readonly { ref: string; dependsOn: readonly string[] }[];
}

describe("the package", () => {
  let folder: string;
  let tarball: string;
  let installed: string;
  const environment = () => ({ PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, HOME: folder });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-package-"));
    const first = join(folder, "first");
    await run("npm", ["run", "package", "--", first], { cwd: ROOT, env: environment() });
    tarball = join(first, `${own.name}-${own.version}.tgz`);
    const project = join(folder, "project");
    mkdirSync(project);
    writeFileSync(join(project, "package.json"), "{}");
    const offline = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", `--cache=${join(folder, "no-cache")}`];
    await run("npm", ["install", ...offline, tarball], { cwd: project, env: environment() });
    installed = join(project, "node_modules", own.name);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("K04 a second build has the same bytes, whoever makes it", async () => {
    const second = join(folder, "elsewhere/second");
    const env = { ...environment(), TZ: "Asia/Kathmandu", LC_ALL: "sv_SE.UTF-8" };
    await run("sh", ["-c", `umask 077; exec "${process.execPath}" bin/package.js "${second}"`], { cwd: ROOT, env });
    assert.deepEqual(readdirSync(second), [`${own.name}-${own.version}.tgz`], "nothing unfinished stays");
    assert.ok(readFileSync(join(second, `${own.name}-${own.version}.tgz`)).equals(readFileSync(tarball)));
  });

  test("K02 npm installs it without the registry and without scripts; it is small, and has the files of the snapshot", (t) => {
    const modules = dirname(installed);
    const files = globSync("**/*", { cwd: modules, withFileTypes: true, exclude: [".bin"] })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const bytes = files.reduce((total, file) => total + statSync(file).size, 0);
    t.diagnostic(`${statSync(tarball).size} bytes packed, ${bytes} in ${files.length} files`);
    assert.ok(bytes < LARGEST, `${bytes} bytes`);
    const manifests = files.filter((file) => file.endsWith("package.json")).map((file) => readJson(file));
    assert.ok(manifests.length > 40, `${manifests.length} packages`);
    for (const { name, scripts = {} } of manifests)
      assert.ok(!["preinstall", "install", "postinstall"].some((script) => script in scripts), name);
    const { engines, dependencies, bin } = readJson(installed, "package.json");
    assert.deepEqual(engines, { node: ">=24.15" });
    assert.deepEqual(Object.keys(dependencies), ["oidc-provider"]);
    assert.match(readFileSync(join(installed, "CHANGELOG.md"), "utf8"), new RegExp(`^## ${own.version}$`, "m"));
    assert.deepEqual(bin, { "content-api": "bin/content-api.cjs" });

    const names = files
      .filter((file) => file.startsWith(`${installed}/`))
      .map((file) => file.slice(installed.length + 1))
      .map((name) => name.replace(/[\w.-]+-[A-Z\d]{8}\.(js|css)$/, "NAME-HASH.$1"))
      .map((name) => name.replace(/^(node_modules\/(?:@[^/]+\/)?[^/]+\/).*/, "$1"));
    const list = [...new Set(names)].sort();
    if (process.env.UPDATE_SNAPSHOT !== undefined) writeFileSync(SNAPSHOT, `${JSON.stringify(list, null, 2)}\n`);
    assert.deepEqual(list, readJson(SNAPSHOT));
  });

  test("K04 the SBOM says of each package in it what npm says, and LICENSES.txt has its license", async () => {
    const sbom = readJson(installed, "sbom.cdx.json") as Sbom;
    const options = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
    const { stdout } = await run("npm", options, { cwd: ROOT, env: environment(), maxBuffer: 2 ** 26 });
    const ofNpm = new Map((JSON.parse(stdout) as Sbom).components.map((component) => [component.purl, component]));
    for (const { purl, hashes } of sbom.components) assert.deepEqual(ofNpm.get(purl)?.hashes, hashes, purl);
    const refs = new Set(sbom.dependencies.map(({ ref }) => ref));
    assert.equal(refs.size, sbom.components.length + 1);
    for (const { dependsOn } of sbom.dependencies) assert.ok(dependsOn.every((ref) => refs.has(ref)));

    const names = new Set(sbom.components.map(({ name }) => name));
    const inFolders = readdirSync(join(installed, "node_modules")).filter((name) => name !== ".package-lock.json");
    const inBundle = ["fastify", "graphql", "kysely", "pg", "pino", "markdown-it", "preact", "react", "graphiql", "qr"];
    for (const name of [...inFolders, ...inBundle, "@codemirror/view"]) assert.ok(names.has(name), name);
    for (const name of ["esbuild", "node", "typescript", "light-my-request"]) assert.ok(!names.has(name), name);
    const licenses = readFileSync(join(installed, "LICENSES.txt"), "utf8");
    for (const { name, version } of sbom.components) assert.ok(licenses.includes(`${name} ${version} (`), name);
  });

  test("K02 an older Node says in one sentence that it is too old", () => {
    const program = join(installed, "bin/content-api.cjs");
    for (const [version, code] of [
      ["18.20.8", 1],
      ["24.14.9", 1],
      ["24.15.0", 0],
      ["26.0.0", 0],
    ] as const) {
      const older = join(folder, "older.cjs");
      writeFileSync(
        older,
        `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
      );
      const { status, stdout, stderr } = spawnSync(process.execPath, ["-r", older, program, "--version"], {
        encoding: "utf8",
      });
      const sentence = `content-api needs Node 24.15 or newer. This is Node ${version}.\n`;
      assert.deepEqual([status, stdout, stderr], code === 1 ? [1, "", sentence] : [0, `${own.version}\n`, ""], version);
    }
  });

  test("each thread of the program is a built file that runs", async () => {
    const program = join(installed, "dist/program");
    const threads = globSync("*.js", { cwd: program }).flatMap((name) =>
      [...readFileSync(join(program, name), "utf8").matchAll(/new URL\("\.\/([\w-]+\.js)",import\.meta\.url\)/g)].map(
        ([, file = ""]) => file,
      ),
    );
    assert.deepEqual(threads.sort(), ["markdown-worker.js", "storage-sqlite-checkpoint-worker.js"]);
    const answer = async (file: string, message: string) => {
      const worker = new Worker(join(program, file), { workerData: { path: join(folder, "any.db") } });
      try {
        return await new Promise<unknown>((resolve, reject) => {
          worker.once("message", resolve).once("error", reject).postMessage(message);
        });
      } finally {
        await worker.terminate();
      }
    };
    const { html } = (await answer("markdown-worker.js", "*Hello*")) as { html: string };
    assert.equal(html.trim(), "<p><em>Hello</em></p>");
    assert.deepEqual(await answer("storage-sqlite-checkpoint-worker.js", "checkpoint"), { failure: null });
  });

  describe("started without a command, in an empty folder", () => {
    let here: string;
    let port: string;
    let server: Started | undefined;
    const program = () => join(folder, "project/node_modules/.bin/content-api");
    const settings = () => ({ ...environment(), PORT: port, MAX_DELAY: "60000" });
    before(async () => {
      here = join(folder, "here");
      mkdirSync(here);
      port = String(await freePort());
    });
    after(() => server?.stop());

    test("K03 it prints the address and the link of the first administrator, who signs in, writes and reads; a second start keeps all", async (t) => {
      const startedAt = performance.now();
      server = await start(program(), here, settings());
      t.diagnostic(`first answer after ${Math.round(performance.now() - startedAt)} ms`);
      const { baseUrl } = server;
      const [link = ""] = await server.printed(/http:\/\/\S+\/setup\?token=\S+/);
      await server.printed(new RegExp(`Start page +${baseUrl}/\n`));
      assert.deepEqual(readdirSync(here), ["content-api-data"]);
      assert.ok(existsSync(join(here, "content-api-data/content.db")));

      const chromium = await openBrowser();
      const { page, complaints } = await openVisitor(chromium.browser);
      await becomeAdministrator(page, link);
      await page.context().clearCookies();
      await page.goto(`${baseUrl}/graphql#sign-in`);
      await signIn(page);
      await page.getByText(`${ADA.name} (administrator)`).waitFor();
      await page.getByRole("region", { name: "Query Editor" }).waitFor();
      await page.goto(`${baseUrl}/studio`);
      await page.getByRole("link", { name: "Posts" }).first().waitFor();
      assert.deepEqual(complaints, []);
      await chromium.close();

      const { stdout } = await run(
        program(),
        ["token", "create", "--scope", "posts:read posts:write users:read admin"],
        { cwd: here, env: settings() },
      );
      const token = stdout.trim();
      const create = `mutation { createPost(input: { title: "First", body: "*Hello*" }) { bodyHtml } }`;
      const written = await ask(baseUrl, token, create);
      assert.match(written, /<em>Hello<\/em>/);
      const read = `{ viewer { name } posts(first: 1) { title } }`;
      const before = await ask(baseUrl, token, read);
      assert.match(before, /"Ada Lovelace".*"First"/);
      const health = await ask(baseUrl, token, "{ health { checks { name detail } } }");
      assert.match(health, new RegExp(`"version","detail":"${own.version.replaceAll(".", "[.]")}, on Node`));
      assert.equal(await server.stop(), 0);

      server = await start(program(), here, settings());
      assert.equal(await ask(baseUrl, token, read), before);
      assert.doesNotMatch(server.output(), /setup\?token/);
    });
  });
});

interface Started {
  readonly baseUrl: string;
  output(): string;
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

async function start(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Started> {
  const child: ChildProcess = spawn(program, { cwd, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const baseUrl = `http://localhost:${env.PORT}`;
  const until = async <T>(look: () => Promise<T | null>): Promise<T> => {
    for (const deadline = Date.now() + 30_000; ; ) {
      const found = await look();
      if (found !== null) return found;
      if (child.exitCode !== null || Date.now() > deadline) {
        child.kill("SIGKILL");
        throw new Error(`It did not start: ${output}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await until(() =>
    fetch(`${baseUrl}/readyz`).then(
      ({ ok }) => (ok ? true : null),
      () => null,
    ),
  );
  return {
    baseUrl,
    output: () => output,
    printed: (pattern) => until(async () => pattern.exec(output)),
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

async function ask(baseUrl: string, token: string, query: string): Promise<string> {
  const response = await fetch(`${baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  assert.doesNotMatch(text, /"errors"/);
  return text;
}
