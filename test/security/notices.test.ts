import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Mail } from "../../src/domain/people/mail.ts";
import type { User } from "../../src/domain/people/user.ts";
import { later, linkIn, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf } from "./client.ts";
import { NEW_PASSWORD, signedIn, somebody } from "./people.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

/** A browser that says of itself that it is Firefox. */
class Firefox extends Browser {
  override fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
    return super.fetch(url, { ...init, headers: { ...init.headers, "user-agent": FIREFOX } });
  }
}

function signIn(person: User, browser = new Firefox()): Promise<Browser> {
  return signedIn(server, person, browser);
}

async function signInAtClient({ email }: User, browser = new Firefox()): Promise<Browser> {
  const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
  await browser.submit(await browser.follow(url), "/sign-in", { email, password: PASSWORD });
  return browser;
}

async function mailsTo({ email }: User): Promise<Mail[]> {
  return (await server.store.mails.list({ limit: 1_000 })).filter(({ address }) => address === email);
}

/**
 * The sign-in does not wait for its notes, so the test does: for the time of the last sign-in to change. The mail comes after it, so a test
 * that wants none waits for that of a later sign-in.
 */
async function noted(person: User, before: string | null, { store } = server): Promise<string> {
  for (let tries = 0; ; tries++) {
    const { lastSignInAt } = await store.accountStates.find(person.id);
    if (lastSignInAt !== null && lastSignInAt !== before) return lastSignInAt;
    assert.ok(tries < 500, "the sign-in was not noted");
    await pause(10);
  }
}

async function untilMails(person: User, count: number): Promise<Mail[]> {
  for (let tries = 0; ; tries++) {
    const mails = await mailsTo(person);
    if (mails.length >= count) return mails;
    assert.ok(tries < 500, `${mails.length} mails`);
    await pause(10);
  }
}

describe("U54 a sign-in from a browser that the account does not know", () => {
  for (const [where, enter] of [
    ["at the account page", signIn],
    ["on the way to a client", signInAtClient],
  ] as const)
    test(`U54 ${where}: told with time and browser, but not at the first sign-in of a new account`, async () => {
      const person = await somebody(server);
      await enter(person);
      const first = await noted(person, null);
      await enter(person, new Firefox());
      await noted(person, first);
      const [mail, ...others] = await untilMails(person, 1);
      assert.deepEqual(others, []);
      assert.deepEqual([mail?.kind, mail?.params.browser], ["new-browser", "Firefox on Linux"]);
      const letter = (await server.letters()).find(({ to }) => to === person.email);
      const facts = letter?.parts.flatMap((part) => ("facts" in part ? part.facts.map(([label]) => label) : []));
      assert.deepEqual(facts, ["When", "Browser"]);
      assert.equal(linkIn(letter), `${server.issuer}/recover`, "no secret in it");
    });

  test("U54 a browser that the person signed in with before is not told of", async () => {
    const person = await somebody(server);
    const browser = await signIn(person);
    const first = await noted(person, null);
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out");
    await signIn(person, browser as Firefox);
    const second = await noted(person, first);
    await signIn(person, new Firefox());
    await noted(person, second);
    assert.equal((await untilMails(person, 1)).length, 1, "of the third sign-in");
  });

  test("U54 an old account's first sign-in is told of, and nobody is at an address that was not proved", async () => {
    const [old, unproved] = [await somebody(server), await somebody(server, { emailVerified: false })];
    await later(2 * 86_400, async () => {
      for (const person of [unproved, old]) {
        await signIn(person);
        await noted(person, null);
      }
      assert.equal((await untilMails(old, 1))[0]?.kind, "new-browser");
    });
    assert.deepEqual(await mailsTo(unproved), []);
  });

  test("U32 five an hour of one kind, the last says that there are more", async () => {
    const person = await somebody(server);
    let at: string | null = null;
    for (let i = 0; i < 8; i++) {
      await signIn(person, new Firefox());
      at = await noted(person, at);
    }
    const mails = await untilMails(person, 5);
    assert.equal(mails.length, 5);
    assert.deepEqual(mails.map(({ params }) => params.last).reverse(), [
      undefined,
      undefined,
      undefined,
      undefined,
      "yes",
    ]);
  });

  test("U54 a sign-in does not fail with its notes", async (t) => {
    const person = await somebody(server);
    t.mock.method(server.store.accountStates, "find", async () => {
      throw new Error("the database went away");
    });
    const browser = await signIn(person);
    const page = await browser.fetch(`${server.issuer}/account/name`);
    assert.match(await page.text(), /<h1>Change your name<\/h1>/);
    const line = server.lines.find((text) => text.includes("the sign-in was not noted"));
    assert.match(line ?? "", /"level":"warn"/);
    assert.doesNotMatch(line ?? "", new RegExp(person.email));
  });
});

describe("U54 a change of the password", () => {
  test("U54 A30 told to the address, also when the person did it", async () => {
    const person = await somebody(server);
    const browser = await signIn(person);
    const page = await browser.follow(`${server.issuer}/account/password`);
    await browser.submit(page, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
    assert.deepEqual(
      (await mailsTo(person)).map(({ kind, params }) => [kind, params.browser]),
      [["password-changed", "Firefox on Linux"]],
    );
    const letter = (await server.letters()).find(({ to }) => to === person.email);
    assert.equal(letter?.subject, "Your password was changed");
  });
});

test("P19 a browser that calls itself a link has a name of ours in the mail", async () => {
  const person = await somebody(server);
  await signIn(person);
  await noted(person, null);
  const browser = new Browser();
  const page = await browser.follow(`${server.issuer}/account`);
  const { hidden, action } = formOf(page, "/account/sign-in");
  const body = new URLSearchParams({ ...hidden, email: person.email, password: PASSWORD });
  const headers = { "user-agent": "https://evil.example/ <img src=x> Firefox/1" };
  await browser.fetch(action, { method: "POST", headers, body });
  const [mail] = await untilMails(person, 1);
  assert.equal(mail?.params.browser, "Firefox");
});

test("U51 a server that sends no mail writes none down", async () => {
  const silent = await openTestServer({ sendsMail: false });
  try {
    let at: string | null = null;
    for (let i = 0; i < 3; i++) {
      await signedIn(silent, silent.ada);
      at = await noted(silent.ada, at, silent);
    }
    assert.deepEqual(await silent.store.mails.list({ limit: 10 }), []);
  } finally {
    await silent.close();
  }
});
