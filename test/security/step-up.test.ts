import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { later, listUntil, openTestServer, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, type Stop } from "./client.ts";
import { NEW_PASSWORD, openAccount, STALE, signedIn, somebody } from "./people.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

function open(browser: Browser, path: string): Promise<Stop> {
  return openAccount(server, browser, `/${path}`);
}

describe("U30 step-up", () => {
  test("U30 a page that is marked asks for the password once the sign-in is old, and then is shown", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    assert.match((await open(browser, "password")).text, /<h1>Change your password<\/h1>/, "a fresh sign-in suffices");
    await later(STALE, async () => {
      const asked = await open(browser, "password");
      assert.equal(`${asked.url.pathname}${asked.url.search}`, "/account/step-up?for=password");
      assert.match(asked.text, /To go on, enter your password\./);
      const shown = await browser.submit(asked, "/account/step-up", { password: PASSWORD });
      assert.equal(shown.url.pathname, "/account/password");
      assert.match(shown.text, /<h1>Change your password<\/h1>/);
      assert.match((await open(browser, "password")).text, /<h1>Change your password<\/h1>/, "it lasts");
    });
    const filter = { userId: person.id, event: "step-up" } as const;
    const [event] = await listUntil(server.store.audit, filter, (events) => events.length > 0);
    assert.deepEqual([event?.result, event?.address], ["ok", "127.0.0.1"]);
    await later(2 * STALE + 60, async () => {
      assert.equal((await open(browser, "password")).url.pathname, "/account/step-up", "it ends again");
    });
  });

  test("P29 a form that was sent too late is not replayed: the page comes back, and nothing has changed", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const form = await open(browser, "password");
    await later(STALE, async () => {
      const asked = await browser.submit(form, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
      assert.equal(asked.url.pathname, "/account/step-up");
      assert.doesNotMatch(asked.text, new RegExp(`${PASSWORD}|${NEW_PASSWORD}`));
      const page = await browser.submit(asked, "/account/step-up", { password: PASSWORD });
      assert.match(page.text, /<h1>Change your password<\/h1>/);
    });
    const found = await server.store.users.find(person.id);
    assert.equal(found?.passwordHash, person.passwordHash);
  });

  test("P45 U34 the session has a new id afterwards, and the old one opens nothing", async () => {
    const browser = await signedIn(server, await somebody(server));
    const planted = new Browser();
    for (const name of ["content-api-session", "content-api-session.sig"])
      planted.put(name, browser.cookie(name) ?? assert.fail(name));
    assert.match((await open(planted, "password")).text, /<h1>Change your password<\/h1>/);
    await later(STALE, async () => {
      await browser.submit(await open(browser, "password"), "/account/step-up", { password: PASSWORD });
      assert.notEqual(browser.cookie("content-api-session"), planted.cookie("content-api-session"));
      assert.match((await open(planted, "password")).text, /<h1>Sign in<\/h1>/);
      assert.match((await open(browser, "password")).text, /<h1>Change your password<\/h1>/);
    });
  });

  test("P29 the form works in its own session alone", async () => {
    const [ada, eve] = [await signedIn(server, await somebody(server)), await signedIn(server, await somebody(server))];
    await later(STALE, async () => {
      const { hidden } = formOf(await open(eve, "password"), "/account/step-up");
      for (const csrf of [hidden.csrf ?? "", "", "x"]) {
        const body = new URLSearchParams({ ...hidden, csrf, password: PASSWORD });
        const stop = await ada.follow(`${server.issuer}/account/step-up`, { method: "POST", body });
        assert.match(stop.text, /The page was out of date/);
      }
      assert.equal((await open(ada, "password")).url.pathname, "/account/step-up", "she still has to");
    });
  });

  test("P44 it leads to a page of its list and nowhere else", async () => {
    const browser = await signedIn(server, await somebody(server));
    for (const name of [
      "//evil.example",
      "https://evil.example/",
      "/\\evil.example",
      "password%0d%0aX: y",
      "nothing",
    ]) {
      const shown = await browser.fetch(`${server.issuer}/account/step-up?for=${name}&next=//evil.example`);
      assert.deepEqual([shown.status, shown.headers.get("location")], [303, "/account"]);
    }
    const page = await open(browser, "step-up?for=email&next=//evil.example&return_to=https://evil.example");
    const { hidden, action } = formOf(page, "/account/step-up");
    const post = (values: Record<string, string>) =>
      browser.fetch(action, {
        method: "POST",
        body: new URLSearchParams({ ...hidden, password: PASSWORD, next: "//evil.example", ...values }),
      });
    assert.equal((await post({ for: "https://evil.example/" })).headers.get("location"), "/account");
    assert.equal((await post({})).headers.get("location"), "/account/email");
  });

  test("U33 U35 guesses are counted before the check, and bounded; what was typed is never sent back", async () => {
    const person = await somebody(server, { passwordHash: await hashPassword(PASSWORD) }); // a check that takes its time
    const browser = await signedIn(server, person);
    const page = await open(browser, "step-up?for=password");
    const typed = "a guess that nobody may see again";
    const attempts = Array.from({ length: 12 }, () => browser.submit(page, "/account/step-up", { password: typed }));
    const answers = await Promise.all(attempts);
    assert.equal(answers.filter(({ response }) => response.status === 400).length, 10);
    assert.equal(answers.filter(({ response }) => response.status === 429).length, 2);
    for (const { text } of answers) assert.doesNotMatch(text, new RegExp(typed));
    const right = await browser.submit(page, "/account/step-up", { password: PASSWORD });
    assert.deepEqual([right.response.status, right.response.headers.get("retry-after")], [429, "900"]);
  });
});
