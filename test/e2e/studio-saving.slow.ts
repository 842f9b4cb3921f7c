import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { BrowserContext, BrowserContextOptions, Page, Request, Route } from "playwright-core";
import type { TestApp } from "../app.ts";
import { LOOKS, violations } from "../axe.ts";
import type { TestBrowser } from "../browser.ts";
import { runCommand } from "../command.ts";
import { enter, openStudioApp, type StudioApp } from "./studio-app.ts";
import { ADA, openTab, openVisitor, signIn, type Visitor } from "./visitor.ts";

interface PostNow {
  readonly version: number;
  readonly title: string;
  readonly body: string;
  readonly workingCopy: { readonly title: string; readonly body: string; readonly version: number } | null;
  readonly revisions: { readonly nodes: readonly { readonly body: string | null }[] };
}

const LINES = "one\ntwo\nthree\nfour\nfive\n";

describe("S99: saving in a real browser against the real server", () => {
  let studio: StudioApp;
  let app: TestApp;
  let chromium: TestBrowser;
  const open: Visitor[] = [];
  /** A device that stays signed in. */
  let usual: Visitor | undefined;

  before(async () => {
    studio = await openStudioApp({ ACCESS_TOKEN_TTL: "3h", RATE_LIMIT_TOKEN: "off" });
    ({ app, chromium } = studio);
  });
  afterEach(async () => {
    for (const visitor of open.splice(0)) {
      assert.deepEqual(visitor.complaints, []);
      await visitor.close();
    }
    await usual?.page.context().unrouteAll();
    await usual?.page.context().setOffline(false);
  });
  after(async () => {
    await studio?.close();
  });

  async function read(id: string): Promise<PostNow> {
    const fields = "version title body workingCopy { title body version } revisions { nodes { body } }";
    return (await studio.ask<{ post: PostNow }>(`query ($id: ID!) { post(id: $id) { ${fields} } }`, { id })).post;
  }

  /** The text being written, as the server has it. */
  async function textOf(id: string): Promise<string> {
    const { body, workingCopy } = await read(id);
    return workingCopy?.body ?? body;
  }

  /** Ids of the drafts of a title. */
  async function postsTitled(title: string): Promise<string[]> {
    const query = "{ posts(first: 100, filter: { status: [DRAFT] }) { id title workingCopy { title } } }";
    const { posts } = await studio.ask<{
      posts: { id: string; title: string; workingCopy: { title: string } | null }[];
    }>(query);
    return posts.filter((post) => (post.workingCopy?.title ?? post.title) === title).map(({ id }) => id);
  }

  async function create(body = LINES): Promise<string> {
    const query =
      'mutation ($body: String!) { createPost(input: { title: "Herons", body: $body, status: DRAFT }) { id } }';
    return (await studio.ask<{ createPost: { id: string } }>(query, { body })).createPost.id;
  }

  /** Another writer, or the same person elsewhere. */
  async function saveElsewhere(id: string, body: string): Promise<void> {
    const { version, workingCopy } = await read(id);
    await studio.ask(
      `mutation ($id: ID!, $body: String!, $workingVersion: Int!, $version: Int!) {
        saveWorkingCopy(id: $id, input: { body: $body }, workingVersion: $workingVersion, baseVersion: $version) { errors { message } }
      }`,
      { id, body, workingVersion: workingCopy?.version ?? 0, version },
    );
  }

  /** A browser that is signed in, at a page of the studio. */
  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const device = { locale: "en-GB", ...options };
    const isUsual = Object.keys(options).length === 0;
    const isSignedIn = isUsual && usual !== undefined;
    if (isUsual) usual ??= await openVisitor(chromium.browser, device);
    const visitor = await (isUsual && usual !== undefined ? openTab(usual) : openVisitor(chromium.browser, device));
    open.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.config.BASE_URL}/studio${path}`);
    if (!isSignedIn) {
      await enter(page);
    }
    return visitor;
  }

  async function edit(id: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    const visitor = await visit(`/posts/${id}`, options);
    await field(visitor.page).waitFor();
    return visitor;
  }

  /** The editor, once it has taken the place of the plain field. */
  function field(page: Page) {
    return page.locator(".cm-content");
  }

  async function type(page: Page, text: string, at: "start" | "end" = "end"): Promise<void> {
    await field(page).click();
    await page.keyboard.press(at === "end" ? "Control+End" : "Control+Home");
    await page.keyboard.insertText(text);
  }

  async function says(page: Page, words: RegExp | string): Promise<void> {
    await page.locator(".state-words, .state-help").filter({ hasText: words }).first().waitFor({ timeout: 20_000 });
  }

  async function until(what: () => Promise<boolean>, message: string): Promise<void> {
    for (let tries = 0; tries < 120; tries += 1) {
      if (await what()) return;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    throw new Error(message);
  }

  function isOperation(request: Request, name: string): boolean {
    return request.url().endsWith("/graphql") && (request.postData() ?? "").includes(name);
  }

  /** Meddles with requests of one operation, named by a field of it. */
  function meddle(context: BrowserContext, variable: string, act: (route: Route) => Promise<void>): Promise<unknown> {
    return context.route("**/graphql", (route) =>
      isOperation(route.request(), variable) ? act(route) : route.fallback(),
    );
  }

  /** The browser does not hear of what others save, as when its stream is away: only its own requests tell. From the next page on. */
  function deafen(page: Page): Promise<unknown> {
    return meddle(page.context(), '"variables":{"post":', (route) => route.abort());
  }

  test("S32: a new text is one draft, and is there after a reload; the answer to its first save may be lost", async () => {
    const { page } = await visit("/posts/new");
    let lost = 0;
    await meddle(page.context(), '"title":', async (route) => {
      if (lost++ > 0) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("textbox", { name: "Title" }).fill("Only one");
    await type(page, "Nothing is lost.");
    await page.waitForURL(/\/posts\/[0-9a-f-]{36}$/);
    await says(page, "Saved");
    assert.ok(lost >= 2, "the first answer was lost");
    assert.equal((await postsTitled("Only one")).length, 1);
    await page.reload();
    await says(page, "Saved");
    assert.match((await field(page).textContent()) ?? "", /Nothing is lost\./);
  });

  test("S30: what was typed offline survives a reload of the page, and goes out when the network is back", async () => {
    const id = await create();
    const { page } = await edit(id);
    await page.context().setOffline(true);
    await type(page, "offline words");
    await says(page, "Saved on this device");
    assert.equal(await textOf(id), LINES);
    await page.waitForTimeout(500);
    await page.context().setOffline(false);
    await meddle(page.context(), id, (route) => route.abort());
    await page.reload();
    await field(page).waitFor();
    assert.match((await field(page).textContent()) ?? "", /offline words/);
    await page.context().unroute("**/graphql");
    await until(async () => (await textOf(id)) === `${LINES}offline words`, "the text was not sent");
    await says(page, "Saved");
  });

  test("S30: a word typed right before the page is left is on this device", async () => {
    const id = await create();
    const { page } = await edit(id);
    await meddle(page.context(), "workingVersion", (route) => route.abort());
    for (const word of ["first", " second", " third"]) {
      await type(page, word);
      await page.goto(`${app.config.BASE_URL}/studio/device`); // no pause for a timer
      await page.getByRole("link", { name: "Herons" }).waitFor();
      await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
      await field(page).getByText(word.trim()).waitFor();
    }
    await page.context().unroute("**/graphql");
    await until(async () => (await textOf(id)) === `${LINES}first second third`, "the words were not sent");
  });

  test("S33: an answer that is lost is recognized as one's own, and the next word follows", async () => {
    const id = await create();
    const { page } = await edit(id);
    let count = 0;
    await meddle(page.context(), "workingVersion", async (route) => {
      if (count++ > 0) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await type(page, "first");
    await until(async () => (await textOf(id)) === `${LINES}first`, "the first save did not arrive");
    await type(page, " second");
    await says(page, /^Saved$/);
    await until(async () => (await textOf(id)) === `${LINES}first second`, "the second save did not arrive");
    assert.equal(await page.getByRole("region", { name: "This post needs a decision" }).count(), 0);
  });

  test("S33: other lines of another client are merged into the text, and undone in one step", async () => {
    const id = await create();
    const { page } = await edit(id);
    await deafen(page);
    await page.reload();
    await field(page).waitFor();
    await saveElsewhere(id, LINES.replace("one", "ONE"));
    await type(page, "six");
    await page.getByText("were merged.").waitFor();
    await says(page, /^Saved$/);
    assert.equal(await textOf(id), `${LINES.replace("one", "ONE")}six`);
    assert.match((await field(page).textContent()) ?? "", /^ONE.*six$/);
    await type(page, " seven");
    await until(async () => (await textOf(id)) === `${LINES.replace("one", "ONE")}six seven`, "typing undid the merge");
    await page.keyboard.press("Control+z");
    await field(page).click();
    await page.keyboard.press("Control+z");
    assert.match((await field(page).textContent()) ?? "", /^one/);
  });

  test("S33: the same line asks; mine, theirs and passages each leave the other text in the history", async () => {
    const { page } = await visit("/");
    await deafen(page);
    for (const choice of ["Keep mine", "Take theirs", "passages"]) {
      const id = await create();
      await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
      await field(page).waitFor();
      await saveElsewhere(id, LINES.replace("one", "one of theirs"));
      await type(page, "mine: ", "start");
      const decision = page.getByRole("region", { name: "This post needs a decision" });
      await decision.waitFor();
      await says(page, "changed this post");
      await type(page, "and more");
      if (choice === "passages") {
        await decision.getByRole("button", { name: "Compare" }).click();
        const dialog = page.getByRole("dialog", { name: "Compare the two texts" });
        await dialog.getByRole("radio", { name: "Both, mine first" }).check();
        await dialog.getByRole("button", { name: "Use these passages" }).click();
      } else await decision.getByRole("button", { name: choice }).click();
      await decision.waitFor({ state: "detached" });
      await says(page, /^Saved$/);
      const mine = `mine: ${LINES}and more`;
      const theirs = LINES.replace("one", "one of theirs");
      const both = `mine: one\n${theirs}and more`;
      const won = { "Keep mine": mine, "Take theirs": theirs, passages: both }[choice];
      await until(async () => (await textOf(id)) === won, `${choice}: the chosen text is not on the server`);
      const { revisions } = await read(id);
      for (const text of [mine, theirs])
        if (text !== won)
          assert.ok(
            revisions.nodes.some(({ body }) => body === text),
            `${choice}: ${text}`,
          );
      assert.equal(
        await field(page)
          .textContent()
          .then((text) => text?.includes("mine:")),
        choice !== "Take theirs",
      );
    }
  });

  test("S37: a second tab shows the text live, and takes over", async () => {
    const id = await create();
    const visitor = await edit(id);
    const { page } = visitor;
    const other = await visitor.newTab();
    await other.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
    await says(other, "Open in another tab");
    await type(page, "live");
    await other.getByText("live").waitFor();
    await other.getByRole("button", { name: "Edit here" }).click();
    await says(page, "Open in another tab");
    await type(other, ", and here");
    await page.getByText("live, and here").waitFor();
    await until(async () => (await textOf(id)) === `${LINES}live, and here`, "the second tab did not save");
    await other.close();
    await says(page, /^Saved$/);
    await type(page, ", and back");
    await until(async () => (await textOf(id)) === `${LINES}live, and here, and back`, "the first tab did not go on");
  });

  test("S37: a new text whose answer is late, while another tab writes the post that it became, is sent and then shown", async () => {
    const visitor = await visit("/posts/new");
    const { page } = visitor;
    let isCut = false;
    await meddle(page.context(), '"title":"Late"', async (route) => {
      if (!isCut) await route.fetch();
      isCut = true;
      await route.abort();
    });
    await page.getByRole("textbox", { name: "Title" }).fill("Late");
    await type(page, LINES);
    await until(async () => (await postsTitled("Late")).length === 1, "the server did not make a post");
    const [id = assert.fail()] = await postsTitled("Late");
    const other = await visitor.newTab();
    await other.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
    await type(other, "zero ", "start");
    await says(other, /^Saved$/);
    await type(page, "six");
    await page.context().unrouteAll();
    await says(page, "Open in another tab");
    await until(async () => (await textOf(id)) === `zero ${LINES}six`, "the texts of both tabs did not come together");
    await page.getByText("zero one").waitFor();
    await other.getByText("six").waitFor();
    assert.equal((await postsTitled("Late")).length, 1);
    await page.getByRole("button", { name: "Edit here" }).click();
    await says(other, "Open in another tab");
    await type(page, ", seven");
    await other.getByText("six, seven").waitFor();
    await until(async () => (await textOf(id)) === `zero ${LINES}six, seven`, "the first tab did not go on");
  });

  test("S32: with 3 s for each answer, one request is in flight and the newest text arrives", async () => {
    const id = await create();
    const { page } = await edit(id);
    let [inFlight, most] = [0, 0];
    await meddle(page.context(), "workingVersion", async (route) => {
      most = Math.max(most, ++inFlight);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      inFlight -= 1;
      await route.fallback();
    });
    await field(page).click();
    await page.keyboard.press("Control+End");
    for (let count = 0; count < 70; count += 1) {
      await page.keyboard.insertText(`${count} `);
      await page.waitForTimeout(200);
    }
    await says(page, /^Saved$/);
    assert.equal(most, 1);
    assert.match(await textOf(id), / 68 69 $/);
  });

  test("S33: a post that is deleted while it is open can be saved as another", async () => {
    const id = await create();
    const { page } = await edit(id);
    await studio.ask("mutation ($id: ID!) { deletePost(id: $id) { errors { message } } }", { id });
    await says(page, "This post was deleted");
    await page.getByRole("button", { name: "Save mine as a new draft" }).click();
    await page.waitForURL((url) => /\/posts\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(id));
    await says(page, /^Saved$/);
    assert.equal(await textOf(page.url().slice(-36)), LINES);
  });

  test("S36: a draft of this device meets a newer text of the server, and /device lists what is not sent", async () => {
    const id = await create();
    const visitor = await edit(id);
    const { page } = visitor;
    await meddle(page.context(), "workingVersion", (route) => route.abort());
    await type(page, "kept here");
    await says(page, "Saved on this device");
    await page.goto(`${app.config.BASE_URL}/studio/device`);
    await page.getByRole("link", { name: "Herons" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download .md of Herons" }).click();
    assert.equal((await download).suggestedFilename(), "Herons.md");
    await saveElsewhere(id, LINES.replace("one", "ONE"));
    await page.context().unroute("**/graphql");
    await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
    await until(
      async () => (await textOf(id)) === `${LINES.replace("one", "ONE")}kept here`,
      "the draft was not merged",
    );
    await says(page, /^Saved$/);
    await page.goto(`${app.config.BASE_URL}/studio/device`);
    await page.getByText("The server has everything").waitFor();
  });

  test("S34: only a browser that refuses to keep the text asks before it is left", async () => {
    const id = await create();
    const visitor = await openVisitor(chromium.browser, { locale: "en-GB" });
    await visitor.page.context().addInitScript(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...values: Parameters<typeof put>) {
        if (this.name === "drafts") throw new DOMException("The quota is used up", "QuotaExceededError");
        return put.apply(this, values);
      };
    });
    open.push(visitor);
    const { page } = visitor;
    await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
    await enter(page);
    await field(page).waitFor();
    await type(page, "sent");
    await says(page, /^Saved$/);
    await meddle(page.context(), "workingVersion", (route) => route.abort());
    await type(page, ", not sent");
    await says(page, "Not saved");
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.reload({ timeout: 3_000 }).catch(() => undefined);
    assert.deepEqual(asked, ["beforeunload"]);
    await page.context().unroute("**/graphql");
    await says(page, /^Saved$/);
    await page.reload();
    assert.deepEqual(asked, ["beforeunload"], "a text that the server has asks nothing");
    await field(page).waitFor();
    assert.match((await field(page).textContent()) ?? "", /sent, not sent/);
  });

  /** Ways in which browsers keep no texts: storage is forbidden, its opening fails later, or there is no space. */
  const REFUSALS = {
    "opening is forbidden": () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (...values: Parameters<typeof open>) {
        if (values[0] === "studio-texts") throw new DOMException("The operation is insecure.", "SecurityError");
        return open.apply(this, values);
      };
    },
    "opening fails": () => {
      const { open } = IDBFactory.prototype;
      IDBFactory.prototype.open = function (...values: Parameters<typeof open>) {
        const request = open.apply(this, values);
        if (values[0] !== "studio-texts") return request;
        // As Firefox answers in some private windows.
        Object.defineProperty(request, "error", { value: new DOMException("No storage here.", "InvalidStateError") });
        queueMicrotask(() => request.dispatchEvent(new Event("error")));
        return request;
      };
    },
    "no space is left": () => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (...values: Parameters<typeof put>) {
        if (this.name === "drafts") throw new DOMException("The quota is used up.", "QuotaExceededError");
        return put.apply(this, values);
      };
    },
  };
  /** Keeps every sentence that the page showed about where the text is. */
  function listen(): void {
    const said = new Set<string>();
    Object.assign(globalThis, { said });
    new MutationObserver(() => {
      for (const part of document.querySelectorAll(".state-line, .bars, .decision")) said.add(part.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }

  for (const [name, refuse] of Object.entries(REFUSALS))
    test(`S34 S99: in a private window, where ${name}, texts go to the server and nothing claims to be kept`, async () => {
      const id = await create();
      const visitor = await openVisitor(chromium.browser, { locale: "en-GB" });
      const { page } = visitor;
      open.push(visitor);
      await page.context().addInitScript(refuse);
      await page.context().addInitScript(listen);
      await page.goto(`${app.config.BASE_URL}/studio/posts/${id}`);
      await signIn(page);
      await field(page).waitFor();
      await type(page, "sent");
      await says(page, /^Saved$/);
      await until(async () => (await textOf(id)) === `${LINES}sent`, "the text was not sent");

      await meddle(page.context(), "workingVersion", (route) => route.abort());
      await type(page, ", not sent");
      await says(page, "Not saved");
      await says(page, "this browser does not keep texts");
      await page.context().setOffline(true);
      await page.getByText("You are offline. This browser does not keep texts: keep this page open.").waitFor();
      const asked: string[] = [];
      page.on("dialog", (dialog) => {
        asked.push(dialog.type());
        void dialog.dismiss();
      });
      await page.reload({ timeout: 3_000 }).catch(() => undefined);
      assert.deepEqual(asked, ["beforeunload"], "closing asks");
      await page.getByRole("link", { name: "Posts" }).click();
      await until(async () => asked.length === 2, "a link does not ask");
      assert.deepEqual(asked, ["beforeunload", "confirm"]);
      assert.match((await field(page).textContent()) ?? "", /sent, not sent/, "the text is still there");

      await page.context().setOffline(false);
      await page.context().unroute("**/graphql");
      await says(page, /^Saved$/);
      await until(async () => (await textOf(id)) === `${LINES}sent, not sent`, "the text was not sent");
      const said = await page.evaluate(() => [...(globalThis as unknown as { said: Set<string> }).said]);
      assert.ok(said.some((sentence) => sentence.includes("Not saved")));
      assert.deepEqual(
        said.filter((sentence) => /on this device/i.test(sentence)),
        [],
      );
      await page.goto(`${app.config.BASE_URL}/studio/posts/new`);
      await page.getByRole("textbox", { name: "Title" }).fill(`Private, ${name}`);
      await says(page, /^Saved$/);
      assert.equal((await postsTitled(`Private, ${name}`)).length, 1);
      assert.equal(asked.length, 2, "a text that the server has asks nothing");
    });

  test("S34 S07: who signs out where no texts can be kept is signed out", async () => {
    const visitor = await openVisitor(chromium.browser, { locale: "en-GB" });
    const { page } = visitor;
    open.push(visitor);
    await page.context().addInitScript(REFUSALS["opening is forbidden"]);
    await page.goto(`${app.config.BASE_URL}/studio/posts`);
    await signIn(page);
    await page
      .getByRole("button", { name: "New post" })
      .or(page.getByRole("link", { name: "New post" }))
      .first()
      .waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("sign out");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname === "/logout");
    await page.goto(`${app.config.BASE_URL}/studio/posts`);
    await page
      .getByLabel("Password")
      .or(page.getByRole("heading", { name: "You are signed out" }))
      .first()
      .waitFor();
  });

  test("S34: a browser that stores nothing at all is told so in words", async () => {
    const visitor = await openVisitor(chromium.browser, { locale: "en-GB" });
    const { page } = visitor;
    open.push(visitor);
    await page.context().addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
    });
    await page.goto(`${app.config.BASE_URL}/studio/posts`);
    await page.getByText("This browser lets the studio store nothing").waitFor();
    await page.getByRole("button", { name: "Try again" }).waitFor();
  });

  test("S06: a refused refresh keeps the page and the text, and signing in sends it", async () => {
    const id = await create();
    const { page } = await edit(id);
    assert.equal((await runCommand(["user", "sign-out", ADA.email], app.environment)).code, 0);
    studio.forgetToken(); // it was ended too
    await type(page, "while signed out");
    await says(page, "You are signed out");
    const popup = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Sign in" }).first().click();
    const window = await popup;
    await window
      .getByLabel("Password")
      .or(window.getByText("You are signed in"))
      .first()
      .waitFor({ timeout: 5_000 })
      .catch(() => undefined);
    if (!window.isClosed() && (await window.getByLabel("Password").isVisible())) await signIn(window);
    await until(async () => (await textOf(id)) === `${LINES}while signed out`, "the text was not sent");
    await says(page, /^Saved$/);
  });

  test("S97: axe finds nothing at decision, comparison and device page, in themes and widths", async () => {
    for (const [name, look] of Object.entries(LOOKS)) {
      const id = await create();
      const { page } = await edit(id, look);
      await deafen(page);
      await page.reload();
      await field(page).waitFor();
      await saveElsewhere(id, LINES.replace("one", "one of theirs"));
      await type(page, "mine: ", "start");
      const decision = page.getByRole("region", { name: "This post needs a decision" });
      await decision.waitFor();
      await picture(page, `decision, ${name}`);
      assert.deepEqual(await violations(page), []);
      assert.ok(await page.locator(".state-line").isVisible(), "the state line is visible at every width");
      await decision.getByRole("button", { name: "Compare" }).click();
      await page.getByRole("button", { name: "Show the whole texts side by side" }).click();
      await page.locator(".side-by-side .cm-merge-a, .side-by-side .cm-merge-b").first().waitFor();
      await picture(page, `compare, ${name}`);
      assert.deepEqual(await violations(page), []);
      await page.goto(`${app.config.BASE_URL}/studio/device`);
      await page.getByRole("link", { name: "Herons" }).waitFor();
      await picture(page, `device, ${name}`);
      assert.deepEqual(await violations(page), []);
    }
  });

  /** Pictures for people, where a folder is named. */
  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env.PICTURES;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/saving-${name}.png` });
  }
});
