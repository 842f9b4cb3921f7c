import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { later, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, type Stop, signIn } from "./client.ts";
import { isSignedIn, openAccount, signedIn, somebody } from "./people.ts";

const DAY = 86_400;

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

/** What a request with `prompt=none` gets: a code, or an error. */
async function silently(browser: Browser): Promise<string | null> {
  const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid" };
  const { url } = authorizationRequest({ ...client, params: { prompt: "none" } });
  return (await browser.follow(url)).url.searchParams.get("error");
}

/** Uses the session at the engine every ten days, so that it never idles for long. */
async function keepUsing(browser: Browser, untilDays: number): Promise<void> {
  for (let days = 10; days < untilDays; days += 10)
    await later(days * DAY, async () => {
      await silently(browser);
    });
}

function copySession(from: Browser, to: Browser): void {
  for (const name of ["content-api-session", "content-api-session.sig"])
    to.put(name, from.cookie(name) ?? assert.fail(name));
}

describe("U34 the end of a session", () => {
  test("U34 unused it ends after 14 days, used after SESSION_MAX, at /account and for clients", async () => {
    const person = await somebody(server);
    const [idle, used] = [new Browser(), new Browser()];
    for (const browser of [idle, used])
      await signIn({
        ...{ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid" },
        ...{ browser, email: person.email },
      });
    await keepUsing(used, 30);
    await later(15 * DAY, async () => assert.equal(await isSignedIn(server, idle), false));
    await later(30 * DAY - 60, async () => {
      assert.equal(await silently(used), null);
      assert.equal(await isSignedIn(server, used), true);
    });
    await later(30 * DAY + 60, async () => {
      assert.equal(await silently(used), "login_required");
      assert.equal(await isSignedIn(server, used), false);
    });
  });

  test("U34 its row and its cookie end then too", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const end = Math.floor(Date.now() / 1_000) + 30 * DAY;
    await keepUsing(browser, 30);
    const [session] = await server.store.artifacts.listOfUser(person.id, ["Session"]);
    assert.ok(Math.abs((session?.expiresAtSeconds ?? 0) - end) <= 60, String(session?.expiresAtSeconds));
    await later(29 * DAY, async () => {
      const { url } = authorizationRequest({
        ...{ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK },
        params: { prompt: "none" },
      });
      const answer = await browser.fetch(url);
      const line = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("content-api-session="));
      const expires = Date.parse(/expires=([^;]+)/.exec(line ?? "")?.[1] ?? "") / 1_000;
      assert.ok(Math.abs(expires - end) <= 60, line);
    });
  });

  test("U34 a new sign-in begins again", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    await later(13 * DAY, async () => {
      const page = await browser.follow(`${server.issuer}/account/step-up?for=email`);
      await browser.submit(page, "/account/step-up", { password: PASSWORD });
    });
    await later(23 * DAY, async () => {
      await silently(browser);
    });
    await later(33 * DAY, async () => assert.equal(await isSignedIn(server, browser), true));
  });

  test("U34 a session from before SESSION_MAX was shortened ends, and is not listed", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const strict = await server.openNode({ settings: { SESSION_MAX: 3_600 } });
    await later(3_700, async () => {
      assert.equal(await isSignedIn(server, browser), true, "where SESSION_MAX is longer");
      const stop = await browser.follow(`${strict.url}/account`);
      assert.match(stop.text, /<h1>Sign in<\/h1>/);
      const again = await browser.submit(stop, "/account/sign-in", { email: person.email, password: PASSWORD });
      assert.match(again.text, /<h1>Your account<\/h1>/);
      assert.doesNotMatch(again.text, /end-session/, "only the new one");
    });
  });

  test("U34 P45 the id is new after each sign-in, also of somebody who is signed in", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const first = browser.cookie("content-api-session");
    const { url } = authorizationRequest({
      ...{ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK },
      params: { prompt: "login" },
    });
    const page = await browser.follow(url);
    await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
    assert.notEqual(browser.cookie("content-api-session"), first);
  });

  test("U34 P45 a second sign-in of one person, from a page that was open before, gives a new id and ends the old one", async () => {
    const person = await somebody(server);
    const [browser, thief] = [new Browser(), new Browser()];
    const page = await openAccount(server, browser);
    await signedIn(server, person, browser);
    copySession(browser, thief);
    assert.equal(await isSignedIn(server, thief), true);
    await browser.submit(page, "/account/sign-in", { email: person.email, password: PASSWORD });
    assert.equal(await isSignedIn(server, browser), true);
    assert.equal(await isSignedIn(server, thief), false);
  });

  test("P45 a session that somebody planted is not that of the person who signs in", async () => {
    const [person, planter] = [await somebody(server), await somebody(server)];
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params: { prompt: "login" } };
    for (const enter of [
      async (victim: Browser, page: Stop) =>
        void (await victim.submit(page, "/account/sign-in", { email: person.email, password: PASSWORD })),
      async (victim: Browser) => void (await signIn({ ...client, browser: victim, email: person.email })),
    ]) {
      const [victim, thief] = [new Browser(), await signedIn(server, planter)];
      const page = await openAccount(server, victim);
      copySession(thief, victim);
      assert.ok((await openAccount(server, victim)).text.includes(planter.email), "it is planted");
      await enter(victim, page);
      assert.ok((await openAccount(server, victim)).text.includes(person.email));
      assert.ok(!(await openAccount(server, thief)).text.includes(person.email));
    }
  });

  test("A17 a person who loses an account while signed in is signed out", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    await server.store.users.update(person.id, { disabledAt: new Date().toISOString() });
    assert.equal(await isSignedIn(server, browser), false);
    assert.equal(await silently(browser), "login_required");
  });
});
