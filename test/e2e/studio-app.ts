import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { openTestApp, type TestApp } from "../app.ts";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runJson } from "../command.ts";
import { buildStudioFiles } from "../studio-files.ts";
import { ADA, becomeAdministrator, openVisitor } from "./visitor.ts";

/** The real program with its studio and a browser. Ada is its administrator, and nobody is signed in. */
export interface StudioApp {
  readonly app: TestApp;
  readonly chromium: TestBrowser;
  /** Folder of the studio's files. */
  readonly folder: string;
  /** A token of the command line, for 12 hours. @param email Ada's unless given */
  createToken(scope?: string, email?: string): Promise<string>;
  /** Asks the API as a client without the studio does, without an error. @param token Ada's for posts and people unless given */
  ask<Data>(query: string, variables?: Readonly<Record<string, unknown>>, token?: string): Promise<Data>;
  /** Takes a new token for the next request without one. */
  forgetToken(): void;
  /** Makes an account with the command line. @param role that of an author unless given */
  addPerson(person: typeof ADA, role?: "editor" | "admin"): Promise<void>;
  close(): Promise<void>;
}

export async function openStudioApp(
  settings: Record<string, string> = {},
  now: () => number = Date.now,
): Promise<StudioApp> {
  const folder = await buildStudioFiles();
  const [app, chromium] = await Promise.all([openTestApp(settings, { studioFolder: folder, now }), openBrowser()]);
  const { page, close } = await openVisitor(chromium.browser);
  assert.ok(app.setUpUrl);
  await becomeAdministrator(page, app.setUpUrl);
  await close();
  let usual: Promise<string> | undefined;

  async function createToken(scope = "posts:read posts:write users:read", email?: string): Promise<string> {
    const create = [
      "token",
      "create",
      "--ttl",
      "12h",
      "--scope",
      scope,
      ...(email === undefined ? [] : ["--user", email]),
    ];
    return (await runJson<{ access_token: string }>(create, app.environment)).access_token;
  }
  return {
    ...{ app, chromium, folder, createToken },
    async ask(query, variables = {}, token) {
      usual ??= token === undefined ? createToken() : undefined;
      const answer = await fetch(`${app.config.BASE_URL}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token ?? (await usual)}` },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await answer.json()) as { data: never; errors?: unknown };
      assert.equal(errors, undefined, JSON.stringify(errors));
      return data;
    },
    async addPerson({ name, email, password }, role) {
      const create = ["user", "create", "--name", name, "--email", email, "--password-stdin"];
      await runJson([...create, ...(role === undefined ? [] : ["--role", role])], app.environment, password);
    },
    forgetToken() {
      usual = undefined;
    },
    async close() {
      await chromium.close();
      await app.close();
    },
  };
}

/** Signs in where a page of the studio asks for it: by its sign-in page, or on the page that says that nobody is signed in. */
export async function enter(
  page: Page,
  { email, password }: Pick<typeof ADA, "email" | "password"> = ADA,
): Promise<void> {
  await page.getByRole("button", { name: "Sign in" }).or(page.getByLabel("Password")).first().waitFor();
  if (!(await page.getByLabel("Password").isVisible())) await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
