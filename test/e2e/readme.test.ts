import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { readBlocks } from "../docs-blocks/blocks.ts";
import { freePort } from "../port.ts";

const ROOT = join(import.meta.dirname, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const run = promisify(execFile);

/** The blocks of a language, without the indentation of the list that they stand in. */
function blocks(language: string): string[] {
  return readBlocks("README.md")
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

describe("a newcomer who copies each block of the README, in order, from an empty folder", () => {
  let folder: string;
  let server: ChildProcess;
  let output = "";
  let baseUrl: string;
  let environment: Record<string, string | undefined>;
  /** In one terminal: what a block sets, the next one has. */
  const terminal = (script: string) => run("sh", ["-e", "-c", script], { cwd: folder, env: environment });
  const here = (text: string) => text.replaceAll("http://localhost:4000", baseUrl);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-readme-"));
    // What a clone holds, without the minute that installing takes (test/e2e/fresh-clone.slow.ts).
    for (const name of ["bin", "package.json", ".env.example"]) await symlink(join(ROOT, name), join(folder, name));
    const port = String(await freePort());
    baseUrl = `http://localhost:${port}`;
    environment = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: port };
  });
  after(async () => {
    server?.kill("SIGTERM");
    if (server?.exitCode === null) await new Promise((resolve) => server.on("exit", resolve));
    await rm(folder, { recursive: true });
  });

  test("they start a server, become the administrator, get a token, write a post and register a client", async () => {
    const [start = "", ...commands] = blocks("sh");
    assert.equal(start.trim(), "npm start");
    server = spawn("sh", ["-c", `exec ${start}`], { cwd: folder, env: environment });
    for (const stream of [server.stdout, server.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const link = await printed(/http:\/\/localhost:\d+\/setup\?token=\S+/);

    const form = await (await fetch(link)).text();
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(form)?.[1] ?? "";
    const answers = { name: "Ada", email: "you@example.com", password: "seventeen tall birches" };
    const done = await fetch(`${baseUrl}/setup`, {
      method: "POST",
      body: new URLSearchParams({ token: hidden("token"), csrf: hidden("csrf"), ...answers }),
    });
    const page = await done.text();
    assert.equal(done.status, 200, page);

    const graphql = blocks("graphql").join("\n");
    const whole = here(commands.join("\n"));
    const read = `curl -s ${baseUrl}/graphql -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" --data "$BODY"`;
    environment = { ...environment, BODY: JSON.stringify({ query: graphql }) };
    const { stdout } = await terminal(`${whole}\n${read}`);
    assert.match(stdout, /\{"data":\{"createPost":\{"id":"[0-9a-f-]{36}","createdAt":"[^"]+"\}\}\}/);
    assert.match(stdout, /client_id +\S+/);
    assert.match(stdout, /"posts":\[\{"id":"[^"]+","title":"Hello",.*"author":\{"name":"Ada"\}/);
    assert.deepEqual(
      (await readdir(join(folder, "data"))).filter((name) => name.endsWith(".db")),
      ["content.db"],
    );

    const unescaped = page.replaceAll("&quot;", '"').replaceAll("&#39;", "'");
    const onPage = /<code>((?:\S+=\S+ )*\S*content-api client create [^<]+)<\/code>/.exec(unescaped)?.[1] ?? "";
    assert.match((await terminal(onPage)).stdout, /client_id +\S+/, "the line on the page works");
    const inBanner = /^ {2}(\S.*content-api) --help$/m.exec(output)?.[1] ?? "";
    const { stdout: listed } = await terminal(`${inBanner} client list`);
    assert.equal(listed.match(/My app/g)?.length, 2, "the line in the banner finds the server's database");
  });

  test("every line of a terminal in the README and the examples names a command that there is", async () => {
    const texts = [
      README,
      ...["spa", "server"].map((name) => readFileSync(join(ROOT, "examples", name, "README.md"), "utf8")),
    ];
    const lines = texts.flatMap((text) =>
      [...text.matchAll(/bin\/content-api ([a-z][a-z-]*(?: [a-z][a-z-]*)*)/g)].map(([, words = ""]) => words.trim()),
    );
    assert.ok(lines.length > 5);
    for (const words of new Set(lines)) await run(join(ROOT, "bin/content-api"), [...words.split(" "), "--help"]);
  });

  async function printed(pattern: RegExp): Promise<string> {
    for (const deadline = Date.now() + 60_000; ; ) {
      const found = pattern.exec(output)?.[0];
      if (found !== undefined) return found;
      if (Date.now() > deadline || server.exitCode !== null) throw new Error(`it did not print ${pattern}: ${output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
