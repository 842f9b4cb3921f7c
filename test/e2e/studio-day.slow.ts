import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { Page, Route } from "playwright-core";
import { openBrowser, type TestBrowser } from "../browser.ts";
import { runCommand, runJson } from "../command.ts";
import { createTestDatabase, type TestDatabase } from "../database.ts";
import { freePort } from "../port.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import { ADA, becomeAdministrator, openVisitor, signIn, type Visitor } from "./visitor.ts";

const ROOT = join(import.meta.dirname, "../..");
const BEN = { name: "Ben Member", email: "ben@example.com", password: "seven calm badgers dig a well" };
/** Milliseconds from `npm start` to the first published post. Packages are installed before. */
const FIRST_POST = 60_000;

interface PostNow {
  readonly version: number;
  readonly status: string;
  readonly title: string;
  readonly body: string;
  readonly bodyHtml: string;
  readonly publishAt: string | null;
  readonly workingCopy: { readonly title: string; readonly body: string; readonly version: number } | null;
  readonly revisions: { readonly nodes: readonly { readonly kind: string; readonly body: string | null }[] };
}

/** One browser from the first start to the sign-out: each part goes on where the one before ended. */
describe("S99 a writer's whole day with the built program", () => {
  let folder: string;
  let database: TestDatabase | null = null;
  let environment: Record<string, string>;
  let npm: ChildProcess | null = null;
  let server: ServerProcess | null = null;
  let chromium: TestBrowser;
  let ada: Visitor;
  let ben: Visitor;
  let page: Page;
  let token: string;
  /** The post that the day is about. */
  let id: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-day-"));
    for (const name of ["bin", "package.json", ".env.example"]) await symlink(join(ROOT, name), join(folder, name));
    environment = { PORT: String(await freePort()), LOG_LEVEL: "error", MAX_DELAY: "60000" };
    if (process.env.TEST_STORE === "postgres") {
      database = await createTestDatabase(folder);
      environment = {
        ...environment,
        DATABASE_URL: database.url,
        SECRET_KEY: randomBytes(32).toString("base64url"),
      };
    }
    chromium = await openBrowser();
    ada = await openVisitor(chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    ben = await openVisitor(chromium.browser, { locale: "en-GB", viewport: { width: 1280, height: 900 } });
    page = ada.page;
  });
  /** Complaints that a test before this one had. */
  const heard = new Map<Visitor, number>();
  afterEach(() => {
    const complaints = [ada, ben].flatMap((visitor) => visitor.complaints.slice(heard.get(visitor) ?? 0));
    for (const visitor of [ada, ben]) heard.set(visitor, visitor.complaints.length);
    assert.deepEqual(complaints, [], "nothing throws, and no policy is broken");
  });
  after(async () => {
    await chromium?.close();
    npm?.kill("SIGTERM");
    await server?.stop();
    await database?.drop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const address = (path = "") => `http://localhost:${environment.PORT}/studio${path}`;
  const field = (on: Page) => on.locator(".cm-content");

  /** A client without the studio. */
  async function ask<Data>(query: string, variables: Record<string, unknown> = {}): Promise<Data> {
    const answer = await fetch(`http://localhost:${environment.PORT}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await answer.json()) as { data: Data; errors?: unknown };
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  }

  async function read(post: string): Promise<PostNow> {
    const fields =
      "version status title body bodyHtml publishAt workingCopy { title body version } revisions { nodes { kind body } }";
    return (await ask<{ post: PostNow }>(`query ($id: ID!) { post(id: $id) { ${fields} } }`, { id: post })).post;
  }

  /** The text being written, as the server has it. */
  async function textOf(post: string): Promise<string> {
    const { body, workingCopy } = await read(post);
    return workingCopy?.body ?? body;
  }

  async function draftsTitled(title: string): Promise<number> {
    const { posts } = await ask<{ posts: { title: string; workingCopy: { title: string } | null }[] }>(
      "{ posts(first: 100, filter: { status: [DRAFT] }) { title workingCopy { title } } }",
    );
    return posts.filter((post) => (post.workingCopy?.title ?? post.title) === title).length;
  }

  async function until(what: () => Promise<boolean>, message: string): Promise<void> {
    for (const end = Date.now() + 30_000; !(await what()); ) {
      if (Date.now() > end) throw new Error(message);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async function untilSaved(post: string, body: string): Promise<void> {
    let found = "";
    await until(async () => {
      found = await textOf(post);
      return found === body;
    }, "the text does not reach the server").catch(() => assert.equal(found, body));
  }

  async function says(on: Page, words: RegExp | string): Promise<void> {
    await on.locator(".state-words, .state-help").filter({ hasText: words }).first().waitFor({ timeout: 30_000 });
  }

  async function type(on: Page, text: string, at: "start" | "end" = "end"): Promise<void> {
    await field(on).click();
    await on.keyboard.press(at === "end" ? "Control+End" : "Control+Home");
    await on.keyboard.insertText(text);
  }

  async function replaceAll(on: Page, text: string): Promise<void> {
    await field(on).click();
    await on.keyboard.press("Control+a");
    await on.keyboard.insertText(text);
  }

  /** Opens a post as a page of its own, the way a bookmark does. */
  async function open(on: Page, post: string): Promise<void> {
    await on.goto(address(`/posts/${post}`));
    await field(on).waitFor();
  }

  /** A new post with a text that the server has. @returns its id */
  async function write(title: string, body: string): Promise<string> {
    await page.goto(address("/posts/new"));
    await page.getByRole("textbox", { name: "Title" }).fill(title);
    await type(page, body);
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    const post = page.url().slice(-36);
    await untilSaved(post, body);
    return post;
  }

  async function publish(on: Page, name: string | RegExp = /^(?:Publish|Update) now$/): Promise<void> {
    await on.keyboard.press("Control+Enter");
    await on.getByRole("dialog").getByRole("button", { name }).click();
    await on.getByRole("button", { name: "Done" }).click();
    await on.getByRole("dialog").waitFor({ state: "detached" });
  }

  /** Signs in on the page that is open, as somebody. */
  async function signInAs(on: Page, { email, password }: { email: string; password: string }): Promise<void> {
    await on.getByLabel("E-mail address").fill(email);
    await on.getByLabel("Password").fill(password);
    await on.getByRole("button", { name: "Sign in", exact: true }).click();
  }

  test("the first post stands within 60 seconds of npm start", async (t) => {
    const startedAt = performance.now();
    npm = spawn("sh", ["-c", "exec npm start"], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    });
    let output = "";
    for (const stream of [npm.stdout, npm.stderr]) stream?.on("data", (chunk) => (output += chunk));
    const printed = () => /http:\/\/localhost:\d+\/setup\?token=\S+/.exec(output)?.[0];
    await until(async () => printed() !== undefined, "no link to set it up is printed");
    assert.match(output, /Studio +http:\/\/localhost:\d+\/studio/);
    await becomeAdministrator(page, printed() ?? "");
    await page.getByRole("link", { name: /\/studio$/ }).click();
    await signIn(page);
    await page.getByRole("link", { name: "Start writing" }).click();
    await page.getByRole("textbox", { name: "Title" }).click();
    await page.keyboard.type("Nine quiet herons");
    await page.keyboard.press("Enter");
    await page.keyboard.type("They came in the evening.");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Publish now" }).click();
    await page.getByRole("dialog", { name: "Published" }).waitFor();
    const took = performance.now() - startedAt;
    t.diagnostic(`from npm start to the first published post: ${(took / 1_000).toFixed(1)} s`);
    assert.ok(took < FIRST_POST, `${took} ms`);
    await page.getByRole("button", { name: "Done" }).click();
    id = page.url().slice(-36);

    if (database === null) environment.DATABASE_URL = `sqlite:${join(folder, "data/content.db")}`;
    const create = ["token", "create", "--user", ADA.email, "--ttl", "12h", "--scope", "posts:read posts:write"];
    const settings = { ...environment, ACCESS_TOKEN_TTL: "12h" };
    token = (await runJson<{ access_token: string }>(create, settings)).access_token;
    const post = await read(id);
    assert.deepEqual(
      [post.status, post.title, post.body],
      ["PUBLISHED", "Nine quiet herons", "They came in the evening."],
    );
  });

  test("the program starts again under the open page, and writing goes on", async () => {
    // Loaded a while after the editor. A browser does not ask again for what it could not load once.
    const isLoaded = () => performance.getEntriesByType("resource").some(({ name }) => name.includes("/to-markdown-"));
    await until(() => page.evaluate(isLoaded), "what pastes formatted text is not loaded");
    const ended = new Promise((resolve) => npm?.on("exit", resolve));
    npm?.kill("SIGTERM");
    await ended;
    await until(
      () =>
        fetch(`http://localhost:${environment.PORT}/livez`).then(
          () => false,
          () => true,
        ),
      "the program does not end",
    );
    await type(page, " Nobody heard them.");
    await says(page, "Saved on this device");
    server = await startServer(environment);
    await untilSaved(id, "They came in the evening. Nobody heard them.");
    await says(page, /^Saved$/);
    assert.equal((await read(id)).body, "They came in the evening.", "readers see what was published");
  });

  test("S22 S24 S44 keys and the clipboard write Markdown, and the preview is what readers get", async () => {
    await page.getByRole("button", { name: "Preview", exact: true }).waitFor();
    await replaceAll(page, "");
    await page.keyboard.type("Evening");
    await page.keyboard.press("Control+Alt+2");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("They stood in the shallow water, quiet");
    await page.keyboard.press("Shift+Control+ArrowLeft");
    await page.keyboard.press("Control+b");
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("- grey");
    await page.keyboard.press("Enter");
    await page.keyboard.type("white");
    for (let lines = 0; lines < 3; lines++) await page.keyboard.press("Enter");
    await paste(
      "<p>Seen <em>twice</em> at the <a href='https://example.com/mill'>mill</a></p>",
      "Seen twice at the mill",
    );
    const expected =
      "## Evening\n\nThey stood in the shallow water, **quiet**\n\n- grey\n- white\n\nSeen *twice* at the [mill](https://example.com/mill)";
    await untilSaved(id, expected);
    await page.keyboard.press("Control+Alt+v");
    const shown = page.frameLocator("iframe").locator("#text");
    await shown.getByText("at the mill").waitFor();
    await publish(page);
    const { bodyHtml, body } = await read(id);
    assert.equal(body, expected);
    const blank = await (await chromium.browser.newContext()).newPage();
    await blank.setContent(`<div id="text" dir="auto">${bodyHtml}</div>`);
    assert.equal(await shown.innerHTML(), await blank.locator("#text").innerHTML());
    await blank.context().close();
    await page.keyboard.press("Control+Alt+v");
  });

  test("S56 a published post is edited: the changes are not public before Update", async () => {
    await replaceAll(page, "Version two.");
    await untilSaved(id, "Version two.");
    assert.match((await read(id)).body, /^## Evening/);
    const list = await ada.newTab();
    await list.goto(address("/posts?state=published"));
    await list.getByRole("row", { name: "Nine quiet herons" }).getByText("Unpublished changes").waitFor();
    await list.close();
    await publish(page, "Update now");
    assert.equal((await read(id)).body, "Version two.");
  });

  test("S41 S42 an earlier version is compared and restored, and nothing is published by that", async () => {
    await page.getByRole("link", { name: "Compare and restore earlier versions" }).click();
    await page.getByRole("heading", { name: "History" }).waitFor();
    await page.locator("button.history-entry").first().click();
    await page.locator("ins", { hasText: "Version" }).first().waitFor();
    await page.locator("button.history-entry").last().click();
    await page.getByRole("button", { name: /^Restore version/ }).click();
    await page.getByText(/is your text now\. Nothing was published\./).waitFor();
    const { body, workingCopy } = await read(id);
    assert.equal(body, "Version two.");
    assert.notEqual(workingCopy?.body, undefined);
    await page.getByRole("link", { name: "Back to the text" }).click();
    await field(page).waitFor();
    await page.getByRole("button", { name: "Discard changes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard changes" }).click();
    await page.getByText("The changes are discarded.").waitFor();
    await untilSaved(id, "Version two.");
  });

  test("S53 S54 a post is scheduled, and goes live while it is open", async () => {
    const scheduled = await write("At nine", "It goes live.");
    await page.keyboard.press("Control+Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Later, at a time").check();
    await dialog.getByLabel("Date").fill("2031-01-07");
    await dialog.getByLabel("Time", { exact: true }).fill("09:00");
    await dialog.getByLabel("Time zone").selectOption("Europe/Berlin");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("dialog", { name: "Scheduled" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const { publishAt, version } = await read(scheduled);
    assert.equal(publishAt, "2031-01-07T08:00:00.000Z");
    // An editor elsewhere brings it forward.
    await ask(
      "mutation ($id: ID!, $at: String!, $v: Int!) { updatePost(id: $id, input: { publishAt: $at }, expectedVersion: $v) { errors { message } } }",
      { id: scheduled, at: new Date(Date.now() + 3_000).toISOString(), v: version },
    );
    await page.getByText(/^Published at \d\d:\d\d\.$/).waitFor({ timeout: 30_000 });
    assert.equal((await read(scheduled)).status, "PUBLISHED");
  });

  test("S45 a browser that never signed in reads a draft by its link, until the link is revoked", async () => {
    const draft = await write("Not yet", "Only by the link.");
    await page.getByRole("button", { name: "New preview link" }).click();
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByRole("textbox", { name: "Link", exact: true }).inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    const stranger = await openVisitor(chromium.browser);
    await stranger.page.goto(link);
    await stranger.page.getByText("Only by the link.").waitFor();
    await type(page, " Still.");
    await untilSaved(draft, "Only by the link. Still.");
    await stranger.page.reload();
    await stranger.page.getByText("Only by the link. Still.").waitFor();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The link is revoked.").waitFor();
    assert.equal((await stranger.page.reload())?.status(), 404);
    assert.deepEqual(stranger.complaints, []);
    await stranger.close();
  });

  test("S33 two people write one post: other lines are merged, the same line is decided", async () => {
    const create = ["user", "create", "--email", BEN.email, "--name", BEN.name, "--role", "editor", "--password-stdin"];
    await runJson(create, environment, BEN.password);
    await open(page, id);
    await replaceAll(page, "one\ntwo\nthree\nfour\nfive");
    await untilSaved(id, "one\ntwo\nthree\nfour\nfive");
    await ben.page.goto(address(`/posts/${id}`));
    await signInAs(ben.page, BEN);
    await field(ben.page).waitFor();
    await type(page, "Ada's ", "start");
    await type(ben.page, " of Ben");
    const both = "Ada's one\ntwo\nthree\nfour\nfive of Ben";
    await untilSaved(id, both);
    await says(ben.page, /^Saved$/);
    await says(page, /^Saved$/);

    for (const one of [page, ben.page]) await open(one, id); // one of them has merged, the other has not heard of it
    await page.context().setOffline(true);
    await type(page, "First, ", "start");
    await says(page, "Saved on this device");
    await type(ben.page, "Second, ", "start");
    await untilSaved(id, `Second, ${both}`);
    await page.context().setOffline(false);
    const decision = page.getByRole("region", { name: "This post needs a decision" });
    await decision.getByText("Ben Member changed the same passage of this post.").waitFor({ timeout: 30_000 });
    await type(page, " And on.");
    await decision.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("dialog").getByRole("radio", { name: "Both, mine first" }).check();
    await page.getByRole("dialog").getByRole("button", { name: "Use these passages" }).click();
    const rest = "\ntwo\nthree\nfour\nfive of Ben";
    await untilSaved(id, `First, Ada's one\nSecond, Ada's one${rest} And on.`);
    const { revisions } = await read(id);
    for (const body of [`First, Ada's one${rest} And on.`, `Second, ${both}`])
      assert.ok(
        revisions.nodes.some((node) => node.body === body),
        `in the history: ${body}`,
      );
    await says(page, /^Saved$/);
    await ben.page.goto(address("/"));
  });

  test("S30 written offline, kept over a reload, sent when the network is back", async () => {
    await page.goto(address("/"));
    await open(page, id);
    await replaceAll(page, "Online.");
    await untilSaved(id, "Online.");
    await page.evaluate("navigator.serviceWorker.ready");
    await page.context().setOffline(true);
    await type(page, " Written on a train.");
    await says(page, "Saved on this device");
    await until(() => isOnDevice("Online. Written on a train."), "the text is not on this device");
    await page.reload();
    await field(page).getByText("Written on a train.").waitFor();
    await says(page, "Saved on this device");
    await type(page, " And in a tunnel.");
    assert.equal(await textOf(id), "Online.");
    await page.context().setOffline(false);
    await untilSaved(id, "Online. Written on a train. And in a tunnel.");
    await says(page, /^Saved$/);
  });

  test("S06 the session ends while somebody types; signing in beside the page sends the text", async () => {
    assert.equal((await runCommand(["user", "sign-out", ADA.email], environment)).code, 0);
    await replaceAll(page, "Typed while nobody was signed in.");
    await page.getByText("You are signed out. Your text is kept on this device.").waitFor();
    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in" }).first().click();
    const window = await popup;
    const closed = window.waitForEvent("close");
    await signIn(window);
    await closed;
    const create = ["token", "create", "--user", ADA.email, "--ttl", "12h", "--scope", "posts:read posts:write"];
    token = (await runJson<{ access_token: string }>(create, { ...environment, ACCESS_TOKEN_TTL: "12h" })).access_token;
    await untilSaved(id, "Typed while nobody was signed in.");
    await says(page, /^Saved$/);
  });

  test("S99 the server dies between write and answer: no second post, and no word is lost", async () => {
    let deaths = 0;
    const die = async (route: Route) => {
      if (deaths > 0 || !(route.request().postData() ?? "").includes('"title":')) return route.fallback();
      deaths += 1;
      await route.fetch(); // the server has done it,
      await server?.stop("SIGKILL"); // and nobody hears of it
      return route.abort();
    };
    await page.goto(address("/posts/new"));
    await page.context().route("**/graphql", die);
    await page.getByRole("textbox", { name: "Title" }).fill("Written once");
    await type(page, "Before the end.");
    await until(async () => deaths === 1 && server?.child.signalCode === "SIGKILL", "the server does not die");
    await type(page, " During it.");
    await says(page, "Saved on this device");
    await page.context().unroute("**/graphql", die);
    server = await startServer(environment);
    await type(page, " After it.");
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/, { timeout: 30_000 });
    const post = page.url().slice(-36);
    await untilSaved(post, "Before the end. During it. After it.");
    assert.equal(await draftsTitled("Written once"), 1);

    // The same with a text that the server knows already.
    const dieAgain = async (route: Route) => {
      if (deaths > 1 || !(route.request().postData() ?? "").includes("workingVersion")) return route.fallback();
      deaths += 1;
      await route.fetch();
      await server?.stop("SIGKILL");
      return route.abort();
    };
    await page.context().route("**/graphql", dieAgain);
    await type(page, " Once more.");
    await until(async () => deaths === 2 && server?.child.signalCode === "SIGKILL", "the server does not die again");
    await type(page, " And the last word.");
    await page.context().unroute("**/graphql", dieAgain);
    server = await startServer(environment);
    await untilSaved(post, "Before the end. During it. After it. Once more. And the last word.");
    await says(page, /^Saved$/);
    assert.equal(await page.getByRole("region", { name: "This post needs a decision" }).count(), 0);
  });

  test("S33 a role is lowered while somebody writes: the text becomes a draft of their own", async () => {
    await open(ben.page, id);
    await type(ben.page, " Ben was here.");
    await untilSaved(id, "Typed while nobody was signed in. Ben was here.");
    assert.equal((await runCommand(["user", "set-role", BEN.email, "member"], environment)).code, 0);
    await type(ben.page, " And stays.");
    await says(ben.page, "You may no longer change this post");
    await ben.page.getByRole("button", { name: "Save mine as a new draft" }).click();
    await ben.page.waitForURL((url) => /\/posts\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(id));
    await untilSaved(ben.page.url().slice(-36), "Typed while nobody was signed in. Ben was here. And stays.");
    assert.equal(await textOf(id), "Typed while nobody was signed in. Ben was here.");
  });

  test("S33 a post is deleted while it is open: the text becomes another", async () => {
    const gone = await write("Soon gone", "Words to keep.");
    const list = await ada.newTab();
    await list.goto(address("/posts?q=soon"));
    await list.getByLabel("Select Soon gone").check();
    await list.getByRole("button", { name: "Delete" }).click();
    await list.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await list.getByText("1 post is deleted.").waitFor();
    await list.close();
    await says(page, "This post was deleted");
    await page.getByRole("button", { name: "Save mine as a new draft" }).click();
    await page.waitForURL((url) => /\/posts\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(gone));
    await untilSaved(page.url().slice(-36), "Words to keep.");
  });

  test("S12 three drafts are published together, of which one was changed by somebody else", async () => {
    const fields = [1, 2, 3].map(
      (at) => `p${at}: createPost(input: { title: "Series ${at}", body: "x", status: DRAFT }) { id }`,
    );
    const made = await ask<Record<string, { id: string }>>(`mutation { ${fields.join(" ")} }`);
    await page.goto(address("/posts?q=series&order=title"));
    await page.getByRole("row", { name: "Series 3" }).waitFor();
    await ask('mutation ($id: ID!) { updatePost(id: $id, input: { body: "y" }) { errors { message } } }', {
      id: made.p2?.id,
    });
    await page.getByLabel("Select Series 1").check();
    await page.getByLabel("Select Series 3").click({ modifiers: ["Shift"] });
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
    await page.getByText("2 posts are published. 1 failed and stays selected.").waitFor();
    assert.equal(await page.getByLabel("Select Series 2").isChecked(), true);
    const statuses = await Promise.all([1, 2, 3].map(async (at) => (await read(made[`p${at}`]?.id ?? "")).status));
    assert.deepEqual(statuses, ["PUBLISHED", "DRAFT", "PUBLISHED"]);
  });

  test("S07 the sign-out sends what is left, and wipes this browser", async () => {
    await open(page, id);
    await replaceAll(page, "The last words of the day.");
    await page.goto(address("/")); // before a pause has sent them
    await page.getByRole("button", { name: ADA.name }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign out?" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "You are signed out" }).waitFor();
    assert.deepEqual([await records("studio-texts", "drafts"), await records("studio-session", "session")], [[], []]);
    assert.equal(await textOf(id), "The last words of the day.");
    await page.goto(address(`/posts/${id}`));
    await page.getByLabel("Password").waitFor();
  });

  /** Everything in a store of this browser's IndexedDB. */
  function records(name: string, store: string): Promise<unknown[]> {
    return page.evaluate<unknown[]>(`new Promise((resolve, reject) => {
      const asked = indexedDB.open(${JSON.stringify(name)});
      asked.onerror = reject;
      asked.onsuccess = ({ target: { result } }) => {
        result.transaction(${JSON.stringify(store)}).objectStore(${JSON.stringify(store)}).getAll().onsuccess = ({ target }) => {
          result.close();
          resolve(target.result);
        };
      };
    })`);
  }

  async function isOnDevice(body: string): Promise<boolean> {
    const drafts = (await records("studio-texts", "drafts")) as { texts: { body: string } }[];
    return drafts.some(({ texts }) => texts.body === body);
  }

  async function paste(html: string, text: string): Promise<void> {
    await page.evaluate(
      ([html, text]) => {
        const data = new DataTransfer();
        data.setData("text/html", html as string);
        data.setData("text/plain", text as string);
        const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
        document.activeElement?.dispatchEvent(event);
      },
      [html, text],
    );
    await page.getByText("Paste as plain text").first().waitFor();
  }
});
