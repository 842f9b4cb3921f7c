import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, type Stop } from "./client.ts";
import { NEW_PASSWORD, signInAt, somebody } from "./people.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());
// All tests share one network, which has a hundred attempts.
beforeEach(() => server.store.attempts.clear("address 127.0.0.1"));

function signIn(browser: Browser, email: string, password: string): Promise<Stop> {
  return signInAt(server, email, password, browser);
}

async function signInAtClient(browser: Browser, email: string, password: string): Promise<Stop> {
  const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
  return browser.submit(await browser.follow(url), "/sign-in", { email, password });
}

/** Ten wrong passwords from a browser that nobody knows. */
async function attack(email: string): Promise<void> {
  for (let i = 0; i < 10; i++) await signIn(new Browser(), email, "a wrong password of a stranger");
  assert.equal((await signIn(new Browser(), email, PASSWORD)).response.status, 429);
}

describe("A48 U33 nobody can keep another person out", () => {
  for (const [where, first] of [
    ["at the account page", signIn],
    ["on the way to a client", signInAtClient],
  ] as const)
    test(`a browser in which the person has signed in ${where} has attempts of its own`, async () => {
      const { email } = await somebody(server);
      const browser = new Browser();
      assert.equal((await first(browser, email, PASSWORD)).response.status, 200);
      await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
      await attack(email);
      const again = await signIn(browser, email, PASSWORD);
      assert.match(again.text, /Your account|Signed in|Sign out/);
    });

  test("P46 however many wrong passwords come from everywhere, the known browser enters, and no mail is written", async () => {
    const { id, email } = await somebody(server);
    const browser = new Browser();
    await signIn(browser, email, PASSWORD);
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    for (let i = 0; i < 3; i++) {
      await Promise.all(
        Array.from({ length: 30 }, () => signIn(new Browser(), email, "a wrong password of a stranger")),
      );
      assert.match((await signIn(browser, email, PASSWORD)).text, /<h1>Your account<\/h1>/);
      await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    }
    assert.deepEqual(
      (await server.store.mails.list({ limit: 100 })).filter(({ userId }) => userId === id),
      [],
    );
  });

  test("guesses in such a browser are bounded too, and it does not vouch for other people", async () => {
    const [owner, other] = [await somebody(server), await somebody(server)];
    const browser = new Browser();
    await signIn(browser, owner.email, PASSWORD);
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    await attack(other.email);
    assert.equal((await signIn(browser, other.email, PASSWORD)).response.status, 429);
    for (let i = 0; i < 10; i++)
      assert.equal((await signIn(browser, owner.email, "a wrong password of the owner")).response.status, 400);
    assert.equal((await signIn(browser, owner.email, PASSWORD)).response.status, 429);
  });

  test("a browser that several people use knows each of them", async () => {
    const all = [await somebody(server), await somebody(server)];
    const browser = new Browser();
    for (const { email } of all) {
      await signIn(browser, email, PASSWORD);
      await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    }
    for (const { email } of all) {
      await attack(email);
      assert.equal((await signIn(browser, email, PASSWORD)).response.status, 200);
      await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    }
  });

  test("a person who is signed in can change the password during an attack; the old browsers are known no more", async () => {
    const { email } = await somebody(server);
    const [here, elsewhere] = [new Browser(), new Browser()];
    for (const browser of [here, elsewhere]) await signIn(browser, email, PASSWORD);
    here.put("content-api-known", "x"); // the session alone vouches for the person
    await attack(email);
    const page = await here.follow(`${server.issuer}/account/password`);
    const changed = await here.submit(page, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
    assert.equal(changed.response.status, 200);
    await attack(email); // the success has freed the account
    assert.equal((await signIn(elsewhere, email, NEW_PASSWORD)).response.status, 429);
    await here.submit(await here.follow(`${server.issuer}/account`), "/account/sign-out", {});
    assert.equal((await signIn(here, email, NEW_PASSWORD)).response.status, 200);
  });

  test("a cookie that somebody makes up, or takes from another installation, counts for nothing", async () => {
    const { email } = await somebody(server);
    await attack(email);
    for (const value of ["x", "a".repeat(5_000), "AQ"]) {
      const browser = new Browser();
      browser.put("content-api-known", value);
      assert.equal((await signIn(browser, email, PASSWORD)).response.status, 429, value.slice(0, 10));
    }
  });
});
