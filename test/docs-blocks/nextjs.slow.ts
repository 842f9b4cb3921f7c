/** D05: the site of docs/clients/nextjs.md, built by Next.js from the page and used in a real browser. */
import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "../e2e/visitor.ts";
import { endProcess } from "../end-process.ts";
import { freePort } from "../port.ts";
import { ROOT, readBlocks } from "./blocks.ts";

const DOCUMENT = "docs/clients/nextjs.md";

/** Seconds. The site refreshes ten seconds before the end: with this token on each page. */
const ACCESS_TOKEN_TTL = "10";

/** As `create-next-app` writes it. */
const LAYOUT = `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

const folder = await mkdtemp(join(process.env.TEST_DISK ?? tmpdir(), "content-api-nextjs-"));
after(() => rm(folder, { recursive: true, force: true }));

/** @returns why the site cannot be built here */
async function install(): Promise<string | null> {
  await cp(join(ROOT, "test/clients/nextjs"), folder, { recursive: true });
  try {
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, timeout: 300_000 });
    return null;
  } catch {
    return "npm cannot install Next.js here";
  }
}

describe("D05 a site with Next.js and Auth.js, as its page has it", { skip: (await install()) ?? false }, () => {
  let app: TestApp;
  let chromium: TestBrowser;
  let visitor: Visitor;
  let site: ChildProcess | undefined;
  let url: string;
  before(async () => {
    [app, chromium] = await Promise.all([openTestApp({ ACCESS_TOKEN_TTL }), openBrowser()]);
    visitor = await openVisitor(chromium.browser);
    visitor.page.setDefaultTimeout(60_000); // the site answers late beside other tests
    assert.ok(app.setUpUrl);
    await becomeAdministrator(visitor.page, app.setUpUrl);
    const port = await freePort();
    url = `http://localhost:${port}`;
    const command = ["client", "create", "--name", "Next.js site", "--redirect-uri"];
    const uri = `${url}/api/auth/callback/content`;
    const client = await runJson<{ client_id: string; client_secret: string }>([...command, uri], app.environment);
    for (const { detail, text } of readBlocks(DOCUMENT).filter((block) => /\.tsx?$/.test(block.detail))) {
      await mkdir(dirname(join(folder, detail)), { recursive: true });
      await writeFile(join(folder, detail), text);
    }
    await writeFile(join(folder, "app/layout.tsx"), LAYOUT);
    const { PATH, HOME } = process.env;
    const env = {
      ...{ PATH, HOME, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production", AUTH_TRUST_HOST: "true" },
      ...{ AUTH_CONTENT_ISSUER: app.config.AUTH_URL, AUTH_SECRET: "a secret of the site, which is long enough" },
      ...{ AUTH_CONTENT_ID: client.client_id, AUTH_CONTENT_SECRET: client.client_secret },
    };
    const next = join(folder, "node_modules/next/dist/bin/next");
    execFileSync(process.execPath, [next, "build"], { cwd: folder, env, timeout: 300_000 });
    site = spawn(process.execPath, [next, "start", "--port", String(port)], {
      ...{ cwd: folder, env },
      stdio: ["ignore", "ignore", "inherit"], // it says why, if it ends
    });
    for (const deadline = Date.now() + 60_000; !(await fetch(url).catch(() => null))?.ok; await pause(100))
      assert.ok(Date.now() < deadline && site.exitCode === null, "the site does not start");
  });
  after(async () => {
    await chromium?.close(); // Next.js waits for connections
    if (site !== undefined) await endProcess(site);
    await app?.close();
  });

  test("D05 it signs in, writes, reads, refreshes, and signs out, and the browser has no token", async () => {
    const { page } = visitor;
    await page.goto(url);
    await page.getByRole("button", { name: "Sign in" }).click();
    await signIn(page);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Signed in as ${ADA.name}`).waitFor();
    for (const title of ["First", "Second"]) {
      await page.getByLabel("Title").fill(title);
      await page.getByLabel("Text").fill("Some text");
      await page.getByRole("button", { name: "Publish" }).click();
      await page.getByText(`${title} by ${ADA.name}`).waitFor();
    }
    const session = await page.evaluate(async () => (await fetch("/api/auth/session")).json());
    assert.deepEqual(Object.keys(session).sort(), ["expires", "grant", "user"]);
    const cookies = (await page.context().cookies(url)).filter(({ name }) => name.includes("session-token"));
    assert.deepEqual([cookies.length, cookies[0]?.httpOnly], [1, true]);

    const cookie = await cookieOf(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.match(
      await (await fetch(url, { headers: { cookie } })).text(),
      /Sign in/,
      "a cookie from before is worth nothing",
    );
  });

  test("D05 requests at the same time share a refresh", async () => {
    const { page } = visitor;
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`Signed in as ${ADA.name}`).waitFor();
    const cookie = await cookieOf(page);
    const pages = await Promise.all(
      Array.from({ length: 5 }, async () => (await fetch(url, { headers: { cookie } })).text()),
    );
    for (const text of pages) assert.match(text, /Signed in as/);
  });

  async function cookieOf(page: Page): Promise<string> {
    return (await page.context().cookies(url)).map(({ name, value }) => `${name}=${value}`).join("; ");
  }
});
