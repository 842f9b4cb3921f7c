import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { AuthorizationServerSettings } from "../../src/authorization-server/options.ts";
import type { Id } from "../../src/domain/id.ts";
import type { User } from "../../src/domain/people/user.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import {
  later,
  linkIn,
  listUntil,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
} from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, getTokens, requestToken, type Stop, walk } from "./client.ts";
import { isSignedIn, openAccount, STALE, signInAt, somebody } from "./people.ts";

const DAY = 86_400;

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

function signIn({ email }: Pick<User, "email">, browser = new Browser(), on = server): Promise<Stop> {
  return signInAt(on, email, PASSWORD, browser);
}

function open(browser: Browser, path: string, on = server): Promise<Stop> {
  return openAccount(on, browser, path);
}

/** Somebody who has asked for the deletion of the account, and the page that answered. */
async function leaver(posts = "keep", about: Partial<User> = {}, on = server) {
  const [person, browser] = [await somebody(on, about), new Browser()];
  await signIn(person, browser, on);
  const page = await open(browser, "/delete", on);
  const asked = await browser.submit(page, "/account/delete", { email: person.email, posts });
  return { person, browser, asked };
}

async function find({ id }: User): Promise<User> {
  return (await server.store.users.find(id)) ?? assert.fail("no such person");
}

describe("U72 a person deletes their account", () => {
  test("U72 it is asked for with the address and a choice for the posts; then the person is out, and told by mail", async () => {
    const [person, browser] = [await somebody(server), new Browser()];
    await signIn(person, browser);
    assert.match((await open(browser, "")).text, /href="\/account\/delete">Delete account</);
    const page = await open(browser, "/delete");
    assert.match(page.text, /In 7 days, your account is deleted/);
    assert.match(page.text, new RegExp(`type <bdi>${person.email}</bdi>`));
    for (const [values, message] of [
      [{ email: person.email }, /Choose what becomes of your posts\./],
      [{ email: person.email, posts: "burn" }, /Choose what becomes of your posts\./],
      [{ email: "ada@example.com", posts: "keep" }, /This is not your e-mail address\./],
      [{ posts: "keep" }, /This is not your e-mail address\./],
    ] as const) {
      const refused = await browser.submit(page, "/account/delete", values);
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, message);
      assert.match(refused.text, /Your account was not changed\./);
    }
    assert.deepEqual(await find(person), person);
    await server.letters();
    const asked = await browser.submit(page, "/account/delete", {
      email: ` ${person.email.toUpperCase()} `,
      posts: "delete",
    });
    assert.equal(asked.response.status, 200);
    assert.match(asked.text, /<h1>Your account will be deleted<\/h1>/);
    const found = await find(person);
    assert.equal(found.name, "Former member");
    const days = (Date.parse(found.deletesAt ?? "") - Date.now()) / 1_000 / DAY;
    assert.ok(days > 6.99 && days <= 7, String(days));
    assert.equal(await isSignedIn(server, browser), false);
    const [letter, ...others] = await server.letters();
    assert.deepEqual(others, []);
    assert.deepEqual([letter?.to, letter?.subject], [person.email, "Your account will be deleted"]);
    assert.equal(linkIn(letter), `${server.issuer}/account`);
    const [event] = await listUntil(
      server.store.audit,
      { userId: person.id, event: "deletion" },
      (all) => all.length > 0,
    );
    assert.deepEqual([event?.result, event?.detail], ["ok", "asked for, posts: delete"]);
  });

  test("U72 signing in shows the way to keep it, signs nobody in, and the way leads on", async () => {
    const { person } = await leaver();
    await server.letters();
    const browser = new Browser();
    const page = await signIn(person, browser);
    assert.match(page.text, /<h1>Your account will be deleted on <time/);
    assert.match(page.text, /Keep my account/);
    assert.deepEqual(await server.store.artifacts.listOfUser(person.id, ["Session"]), []);
    assert.equal(await isSignedIn(server, browser), false);
    assert.notEqual((await find(person)).deletesAt, null, "a sign-in alone keeps nothing");
    const kept = await browser.submit(page, "/account/keep");
    assert.match(kept.text, /<h1>Your account<\/h1>/);
    const { deletesAt, name } = await find(person);
    assert.deepEqual([deletesAt, name], [null, "Grace"]);
    const letters = await server.letters();
    assert.ok(letters.some(({ to, subject }) => to === person.email && subject === "Your account stays"));
    const details = (await server.store.audit.list({ userId: person.id, event: "deletion", limit: 9 })).map(
      ({ detail }) => detail,
    );
    assert.deepEqual(details, ["undone", "asked for, posts: keep"]);
    assert.match((await open(browser, "")).text, /Deletion of the account undone/);
  });

  test("U72 at a client's sign-in too: it goes on to the client once the account is kept", async () => {
    const { person } = await leaver();
    const browser = new Browser();
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const { url } = authorizationRequest(client);
    const page = await browser.submit(await browser.follow(url), "/sign-in", {
      email: person.email,
      password: PASSWORD,
    });
    assert.match(page.text, /Keep my account/);
    const silent = await browser.follow(authorizationRequest({ ...client, params: { prompt: "none" } }).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
    const end = await walk(browser, await browser.submit(page, "/keep"), client);
    assert.ok(end.left && (end.url.searchParams.get("code") ?? "") !== "", end.text);
    assert.equal((await find(person)).deletesAt, null);
  });

  test("U72 a client's sign-in can be cancelled there", async () => {
    const { person } = await leaver();
    const browser = new Browser();
    const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
    const page = await browser.submit(await browser.follow(url), "/sign-in", {
      email: person.email,
      password: PASSWORD,
    });
    const end = await browser.submit(page, "/cancel");
    assert.equal(end.url.searchParams.get("error"), "access_denied");
    assert.notEqual((await find(person)).deletesAt, null);
  });

  test("P12 with a wrong password the account looks like any other, and like none", async () => {
    const { person } = await leaver();
    const bodies: string[] = [];
    for (const email of [person.email, "nobody-at-all@example.com", server.bob.email]) {
      const browser = new Browser();
      const page = await browser.follow(`${server.issuer}/account`);
      const refused = await browser.submit(page, "/account/sign-in", { email, password: "another wrong password" });
      assert.equal(refused.response.status, 400);
      bodies.push(refused.text.replace(email, "EMAIL").replace(/name="csrf" value="[^"]*"/, ""));
    }
    assert.equal(new Set(bodies).size, 1);
  });

  test("P29 P45 the proof of the password counts in its own browser, for ten minutes, once, and for one account", async () => {
    const { person } = await leaver();
    const [browser, thief] = [new Browser(), new Browser()];
    const page = await signIn(person, browser);
    const { action, hidden } = formOf(page, "/account/keep");
    const post = (by: Browser, values: Record<string, string>) =>
      by.follow(action, { method: "POST", body: new URLSearchParams(values) });
    const own = formOf(await thief.follow(`${server.issuer}/account`), "/account/sign-in").hidden;
    const { person: other } = await leaver();
    const { proof: foreign = "" } = formOf(await signIn(other), "/account/keep").hidden;
    for (const [by, values] of [
      [thief, hidden],
      [thief, { ...hidden, csrf: own.csrf ?? "" }],
      [browser, { ...hidden, csrf: "" }],
      [browser, { ...hidden, proof: "" }],
      [browser, { ...hidden, proof: foreign }],
      [browser, { ...hidden, proof: "x".repeat(10_000) }],
    ] as const) {
      assert.match((await post(by, values)).text, /<h1>Sign in<\/h1>/);
      assert.equal(await isSignedIn(server, by), false);
    }
    await later(11 * 60, async () => assert.match((await post(browser, hidden)).text, /<h1>Sign in<\/h1>/));
    for (const one of [person, other]) assert.notEqual((await find(one)).deletesAt, null);
    assert.match((await post(browser, hidden)).text, /<h1>Your account<\/h1>/);
    await server.store.deletions.ask(person.id, { deletesAt: "2030-01-01T00:00:00.000Z", posts: "keep" });
    assert.match((await post(browser, hidden)).text, /<h1>Sign in<\/h1>/, "an old password page keeps nothing again");
    assert.notEqual((await find(person)).deletesAt, null);
  });

  test("P29 U30 the form wants a recent sign-in, counts in its own session alone, and is not replayed", async () => {
    const [ada, eve] = [new Browser(), new Browser()];
    const [person, other] = [await somebody(server), await somebody(server)];
    await signIn(person, ada);
    await signIn(other, eve);
    const form = await open(ada, "/delete");
    const foreign = formOf(await open(eve, "/delete"), "/account/delete");
    const values = { email: person.email, posts: "keep" };
    for (const csrf of [foreign.hidden.csrf ?? "", "", "x"]) {
      const body = new URLSearchParams({ ...values, csrf });
      const stop = await ada.follow(foreign.action, { method: "POST", body });
      assert.match(stop.text, /The page was out of date/);
    }
    const stranger = await new Browser().follow(foreign.action, { method: "POST", body: new URLSearchParams(values) });
    assert.match(stranger.text, /<h1>Sign in<\/h1>/);
    await later(STALE, async () => {
      assert.equal((await open(ada, "/delete")).url.pathname, "/account/step-up");
      const asked = await ada.submit(form, "/account/delete", values);
      assert.equal(asked.url.pathname, "/account/step-up");
      const page = await ada.submit(asked, "/account/step-up", { password: PASSWORD });
      assert.match(page.text, /<h1>Delete your account<\/h1>/);
    });
    for (const one of [person, other]) assert.deepEqual(await find(one), one);
  });

  test("P44 nothing leads outside, whatever the request names", async () => {
    const [person, browser] = [await somebody(server), new Browser()];
    await signIn(person, browser);
    const query =
      "?next=//evil.example&return_to=https://evil.example&redirect=/\\evil.example&for=//evil.example%0d%0a";
    for (const path of ["delete", "export"]) {
      const response = await browser.fetch(`${server.issuer}/account/${path}${query}`);
      assert.deepEqual([response.status, response.headers.get("location")], [200, null]);
    }
    const { person: gone } = await leaver();
    const fresh = new Browser();
    const page = await signIn(gone, fresh);
    const { action, hidden } = formOf(page, "/account/keep");
    const body = new URLSearchParams({ ...hidden, for: "//evil.example", next: "https://evil.example" });
    const kept = await fresh.fetch(`${action}${query}`, { method: "POST", body });
    assert.deepEqual([kept.status, kept.headers.get("location")], [303, "/account"]);
  });

  test("P50 tokens, refresh and sessions are dead at once, and stay dead when the account is kept", async () => {
    const person = await somebody(server);
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, email: person.email };
    const scope = "openid email offline_access posts:read";
    const tokens = await getTokens({ ...client, scope, params: { prompt: "consent" } });
    const userinfo = async () => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await fetch(`${server.issuer}/userinfo`, { headers })).status;
    };
    const isLive = async () =>
      (await server.store.artifacts.findAccessToken(hashToken(tokens.access_token), Math.floor(Date.now() / 1_000))) !==
      null;
    assert.deepEqual([await isLive(), await userinfo()], [true, 200]);
    const page = await open(tokens.browser, "/delete");
    await tokens.browser.submit(page, "/account/delete", { email: person.email, posts: "keep" });
    const areDead = async () => {
      assert.deepEqual([await isLive(), await userinfo()], [false, 401]);
      const refreshed = await requestToken(server.issuer, {
        ...{ grant_type: "refresh_token", client_id: "spa", refresh_token: tokens.refresh_token },
      });
      assert.deepEqual([refreshed.status, refreshed.body.error], [400, "invalid_grant"]);
      assert.equal(await isSignedIn(server, tokens.browser), false);
    };
    await areDead();
    await server.store.deletions.undo(person.id);
    await areDead();
  });

  test("P49 the last administrator stays, also when two leave at the same time", async () => {
    const small = await openTestServer();
    try {
      const other = await somebody(small, { role: "admin" });
      const leaving = await Promise.all(
        [small.ada, other].map(async (admin) => {
          const browser = new Browser();
          await signIn(admin, browser, small);
          return { admin, browser, page: await open(browser, "/delete", small) };
        }),
      );
      const answers = await Promise.all(
        leaving.map(({ admin, browser, page }) =>
          browser.submit(page, "/account/delete", { email: admin.email, posts: "keep" }),
        ),
      );
      assert.deepEqual(answers.map(({ response }) => response.status).sort(), [200, 409]);
      const stays = answers.findIndex(({ response }) => response.status === 409);
      assert.match(answers[stays]?.text ?? "", /You are the last administrator/);
      const { admin, browser } = leaving[stays] ?? assert.fail();
      assert.deepEqual(await small.store.users.find(admin.id), admin);
      assert.match((await open(browser, "", small)).text, /<h1>Your account<\/h1>/, "nothing of theirs has ended");
    } finally {
      await small.close();
    }
  });

  test("U06 with ACCOUNT_DELETION=admin the page says whom to ask, and the form does nothing", async () => {
    const settings: Partial<AuthorizationServerSettings> = {
      ACCOUNT_DELETION: "admin",
      SUPPORT_CONTACT: "help@example.com",
    };
    const strict = await openTestServer({ settings });
    try {
      const browser = new Browser();
      await signIn(strict.bob, browser, strict);
      const page = await open(browser, "/delete", strict);
      assert.equal(page.response.status, 403);
      assert.match(page.text, /You cannot delete your account yourself\. Ask help@example\.com\./);
      const { hidden } = formOf(await open(browser, "/export", strict), "/account/export");
      const body = new URLSearchParams({ ...hidden, email: strict.bob.email, posts: "keep" });
      const posted = await browser.follow(`${strict.issuer}/account/delete`, { method: "POST", body });
      assert.equal(posted.response.status, 403);
      assert.deepEqual(await strict.store.users.find(strict.bob.id), strict.bob);
    } finally {
      await strict.close();
    }
  });
});

describe("U72 after the delay", () => {
  let own: TestServer;
  before(async () => {
    own = await openTestServer();
  });
  after(() => own.close());

  test("U72 P50 the account goes, with its posts where that was asked for; the address is free, and somebody else is somebody else", async () => {
    const { store } = own;
    const node = await own.openNode();
    const { person } = await leaver("delete", { role: "editor", name: "Zuleika" }, own);
    const { person: keeper } = await leaver("keep", {}, own);
    const posts: Id[] = [];
    for (let i = 0; i < 7; i++) {
      const status = i % 2 === 0 ? "DRAFT" : "PUBLISHED";
      posts.push(await store.posts.create({ authorId: person.id, title: `${i}`, body: "", status }));
    }
    const kept = await store.posts.create({ authorId: keeper.id, title: "stays", body: "" });
    const begin = await store.outbox.last();
    assert.equal(await own.server.deleteDueAccounts(100), 0, "not yet");
    await own.letters();
    await later(7 * DAY + 60, async () => {
      // In small portions, on two nodes at the same time.
      const finish = async (on: { deleteDueAccounts(limit: number): Promise<number> }) => {
        while ((await on.deleteDueAccounts(2)) === 2);
      };
      await Promise.all([own.server, node.server].map(finish));
    });
    const gone = (await store.users.find(person.id)) ?? assert.fail();
    assert.deepEqual(
      [gone.name, gone.email, gone.passwordHash, gone.role, gone.emailVerified],
      ["Former member", "", null, "member", false],
    );
    assert.notEqual(gone.deletedAt, null);
    assert.deepEqual(await store.posts.listIdsOfAuthor(person.id, 9), []);
    assert.deepEqual(await store.posts.listIdsOfAuthor(keeper.id, 9), [kept]);
    const events = await store.outbox.list(begin, 99);
    const ofPerson = events.filter(({ subjectId }) => subjectId === person.id || posts.includes(subjectId));
    assert.deepEqual(
      ofPerson.map(({ type }) => type),
      [...posts.map(() => "post.deleted"), "user.deleted"],
    );
    const letters = await own.letters();
    assert.deepEqual(
      letters.map(({ to, subject }) => [to, subject]).sort(),
      [keeper, person].map(({ email }) => [email, "Your account was deleted"]).sort(),
    );
    assert.match(JSON.stringify(letters.find(({ to }) => to === person.email)), /Your posts are gone too/);
    assert.match(JSON.stringify(letters.find(({ to }) => to === keeper.email)), /Your posts stay, without your name/);
    const details = (
      await listUntil(store.audit, { userId: person.id, event: "deletion" }, (all) => all.length === 2)
    ).map(({ detail }) => detail);
    assert.deepEqual(details, ["done, posts: delete", "asked for, posts: delete"]);

    const refused = await signIn(person, new Browser(), own);
    assert.match(refused.text, /The e-mail address or the password is wrong/);
    const anew = await somebody(own, { email: person.email });
    assert.notEqual(anew.id, person.id);
    assert.match((await signIn(anew, new Browser(), own)).text, /<h1>Your account<\/h1>/);
    assert.deepEqual(await store.posts.listIdsOfAuthor(anew.id, 9), []);
  });

  test("U72 a page that was open too long keeps nothing once deletion has begun", async () => {
    const { person } = await leaver();
    const browser = new Browser();
    const page = await signIn(person, browser);
    const { deletesAt } = await find(person);
    await server.store.deletions.begin(person.id, deletesAt ?? "");
    assert.match((await browser.submit(page, "/account/keep")).text, /<h1>Sign in<\/h1>/);
    assert.notEqual((await find(person)).deletesAt, null);
    assert.equal(await isSignedIn(server, browser), false);
  });
});
