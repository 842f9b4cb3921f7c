import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { auditEvent } from "../../src/domain/audit.ts";
import type { User } from "../../src/domain/people/user.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { linkIn, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, getTokens, requestToken, type Stop, type TokenAnswer } from "./client.ts";
import { NEW_PASSWORD, somebody } from "./people.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const BREACHED = "twelve slow otters at noon";

type Tokens = TokenAnswer["body"];

let folder: string;
let server: TestServer;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "account-"));
  const BREACHED_PASSWORDS = join(folder, "breached.txt");
  await writeFile(BREACHED_PASSWORDS, `${createHash("sha1").update(BREACHED).digest("hex").toUpperCase()}:2\n`);
  server = await openTestServer({ settings: { BREACHED_PASSWORDS } });
});
after(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** The account page of a person who has signed in there. */
async function openAccount(person: User, browser = new Browser(), password = PASSWORD): Promise<Stop> {
  const page = await browser.follow(`${server.issuer}/account`);
  return browser.submit(page, "/account/sign-in", { email: person.email, password });
}

function tokensOf(person: User, browser = new Browser(), scope = "openid posts:read"): Promise<Tokens> {
  return getTokens({
    issuer: server.issuer,
    clientId: "spa",
    redirectUri: SPA_CALLBACK,
    scope,
    browser,
    email: person.email,
    password: PASSWORD,
  });
}

function refresh({ refresh_token }: Tokens): Promise<TokenAnswer> {
  return requestToken(server.issuer, { grant_type: "refresh_token", refresh_token, client_id: "spa" });
}

function isLive({ access_token }: Tokens): Promise<boolean> {
  const now = Math.floor(Date.now() / 1_000);
  return server.store.artifacts.findAccessToken(hashToken(access_token), now).then((found) => found !== null);
}

function sessions(page: Stop): string[] {
  return [...page.text.matchAll(/name="session" value="([^"]+)"/g)].map((match) => match[1] ?? "");
}

describe("/account", () => {
  test("A11 A12 without a session it is a sign-in page of its own, whose form works in the browser that it was sent to", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const page = await browser.follow(`${server.issuer}/account`);
    assert.equal(page.response.status, 200);
    assert.equal(page.response.headers.get("cache-control"), "no-store");
    assert.match(
      page.response.headers.get("content-security-policy") ?? "",
      /form-action 'self'; frame-ancestors 'none'/,
    );
    const { hidden } = formOf(page, "/account/sign-in");
    const values = { ...hidden, email: person.email, password: PASSWORD };
    const stranger = await new Browser().fetch(`${server.issuer}/account/sign-in`, {
      method: "POST",
      body: new URLSearchParams(values),
    });
    assert.equal(stranger.status, 303, "another browser starts again");
    assert.equal(stranger.headers.getSetCookie().length, 0);
    const account = await browser.submit(page, "/account/sign-in", { email: person.email, password: PASSWORD });
    assert.match(account.text, /<h1>Your account<\/h1>/);
    assert.ok(account.text.includes(person.email));
  });

  test("A13 the session id changes at sign-in, and its cookie is HttpOnly, lax and signed", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    await openAccount(person, browser);
    const first = browser.cookie("content-api-session");
    assert.ok(first !== undefined && browser.cookie("content-api-session.sig") !== undefined);
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out");
    await openAccount(person, browser);
    assert.notEqual(browser.cookie("content-api-session"), first);
  });

  test("A39 A40 a wrong password and an unknown address look the same, and are limited as at any sign-in", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const start = await browser.follow(`${server.issuer}/account`);
    const answers: string[] = [];
    for (const email of [person.email, "nobody-at-all@example.com"]) {
      const refused = await browser.submit(start, "/account/sign-in", { email, password: "wrong" });
      assert.equal(refused.response.status, 400);
      answers.push(refused.text.replaceAll(email, "EMAIL"));
    }
    assert.equal(answers[0], answers[1]);
    for (let i = 0; i < 9; i++)
      await browser.submit(start, "/account/sign-in", { email: person.email.toUpperCase(), password: "wrong" });
    const limited = await browser.submit(start, "/account/sign-in", { email: person.email, password: PASSWORD });
    assert.equal(limited.response.status, 429, "the right password does not help any more");
  });

  test("lists every session with its browser, this one marked, and every client with its scopes in words", async () => {
    const person = await somebody(server);
    const other = new Browser();
    await tokensOf(person, other);
    await other.fetch(`${server.issuer}/account`, { headers: { "user-agent": FIREFOX } });
    const page = await openAccount(person);
    assert.equal(page.text.match(/This browser/g)?.length, 1);
    assert.equal(sessions(page).length, 1, "each other session can be ended");
    assert.match(page.text, /A page &lt;b&gt;/);
    assert.match(page.text, /Read posts, and your drafts/);
    assert.match(page.text, /from <bdi>127\.0\.0\.1<\/bdi>/);
    assert.match((await openAccount(await somebody(server))).text, /None\. An app that you allow/);
  });

  test("U28 shows how the person gets in, and what has happened lately, in plain words", async () => {
    const person = await somebody(server);
    // Written here, because the refusals of other tests may be counted in one row by now.
    const guess = { event: "sign-in", result: "refused", userId: person.id, address: "203.0.113.7" } as const;
    await server.store.audit.add([1, 2, 3].map((second) => auditEvent(Date.now() - 9_000 + second, guess)));
    const browser = new Browser();
    await openAccount(person, browser);
    const form = await browser.follow(`${server.issuer}/account/password`);
    await browser.submit(form, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
    const rename = await browser.follow(`${server.issuer}/account/name`);
    await browser.submit(rename, "/account/name", { name: "Renamed" });
    const { text } = await browser.follow(`${server.issuer}/account`);
    for (const heading of ["Profile", "Ways to sign in", "Where you are signed in", "Apps that you have allowed"])
      assert.ok(text.includes(`<h2>${heading}</h2>`), heading);
    assert.match(text, new RegExp(`${person.email}</bdi></strong> <span class="tag">Confirmed`));
    assert.match(text, /<strong>Password<\/strong><\/p><p class="small muted">Changed <time/);
    const [, events = ""] = text.split("<h2>Recent security events</h2>");
    const sentences = [...events.matchAll(/<li><span>([^<]*?)(?: <span class="tag">([^<]*)<\/span>)?<\/span>/g)];
    assert.deepEqual(
      sentences.map(([, sentence, times]) => [sentence, times]),
      [
        ["Name changed", undefined],
        ["Password changed", undefined],
        ["Signed in", undefined],
        ["Sign-in with a wrong password", "3 times"],
      ],
    );
    assert.match(events, /from <bdi>127\.0\.0\.1<\/bdi>/);
  });

  test("U50 an address whose mails come back is told of, until another one is proved", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    await server.store.accountStates.note(person.id, { mailState: "failing" });
    const page = await openAccount(person, browser);
    assert.match(page.text, /Mails to your address come back/);
    const form = await browser.follow(`${server.issuer}/account/email`);
    await browser.submit(form, "/account/email", { email: "reached@example.org" });
    const letter = (await server.letters()).find(({ to }) => to === "reached@example.org");
    const done = await browser.submit(await browser.follow(linkIn(letter)), "/email/finish");
    assert.doesNotMatch(done.text, /come back/);
  });

  test("A30 a session that is ended takes the tokens that were given in it along, and no other", async () => {
    const person = await somebody(server);
    const [here, there] = [new Browser(), new Browser()];
    const [kept, ended] = [await tokensOf(person, here), await tokensOf(person, there)];
    const page = await here.follow(`${server.issuer}/account`);
    const done = await here.submit(page, "/account/end-session", { session: sessions(page)[0] ?? "" });
    assert.match(done.text, /The session has ended/);
    assert.equal(sessions(done).length, 0);
    assert.equal(await isLive(ended), false);
    assert.equal((await refresh(ended)).body.error, "invalid_grant");
    assert.equal(await isLive(kept), true);
    assert.equal((await refresh(kept)).status, 200);
    assert.match((await there.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
  });

  test("A30 a session cannot be written back by a request that was under way when it ended", async () => {
    const person = await somebody(server);
    const [here, there] = [new Browser(), new Browser()];
    await openAccount(person, here);
    await openAccount(person, there);
    const page = await here.follow(`${server.issuer}/account`);
    const id = sessions(page)[0] ?? "";
    const request = `${server.issuer}/authorize?client_id=spa&redirect_uri=${encodeURIComponent(SPA_CALLBACK)}&response_type=code&scope=openid&code_challenge=${"a".repeat(43)}&code_challenge_method=S256`;
    let running = true;
    const hammer = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (running) await there.fetch(request);
      }),
    );
    await here.submit(page, "/account/end-session", { session: id });
    running = false;
    await hammer;
    assert.equal(await server.store.artifacts.findByUid("Session", id), null);
    assert.match((await there.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
  });

  test("A30 a client that is ended loses its tokens, and has to ask again", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const tokens = await tokensOf(person, browser);
    const page = await browser.follow(`${server.issuer}/account`);
    const done = await browser.submit(page, "/account/end-client", {});
    assert.match(done.text, /The app has no access any more/);
    assert.doesNotMatch(done.text, /A page &lt;b&gt;/);
    assert.equal(await isLive(tokens), false);
    assert.equal((await refresh(tokens)).body.error, "invalid_grant");
    const again = await browser.follow(
      `${server.issuer}/authorize?client_id=spa&redirect_uri=${encodeURIComponent(SPA_CALLBACK)}&response_type=code&scope=openid+posts:read&code_challenge=${"a".repeat(43)}&code_challenge_method=S256`,
    );
    assert.match(again.text, /access to your account\?/);
  });

  test("A30 signing out everywhere leaves nothing", async () => {
    const person = await somebody(server);
    const [here, there] = [new Browser(), new Browser()];
    const tokens = await Promise.all([tokensOf(person, here), tokensOf(person, there)]);
    const done = await here.submit(await here.follow(`${server.issuer}/account`), "/account/sign-out-everywhere");
    assert.match(done.text, /You are signed out everywhere/);
    for (const each of tokens) {
      assert.equal(await isLive(each), false);
      assert.equal((await refresh(each)).status, 400);
    }
    for (const browser of [here, there])
      assert.match((await browser.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
  });

  test("U26 A30 a new password ends every other session and every token; this browser stays, under another session id", async () => {
    const person = await somebody(server);
    const [here, there] = [new Browser(), new Browser()];
    const tokens = await Promise.all([tokensOf(person, here), tokensOf(person, there)]);
    const before = here.cookie("content-api-session");
    const page = await here.follow(`${server.issuer}/account/password`);
    const done = await here.submit(page, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
    assert.match(done.text, /Your password has changed/);
    assert.equal(sessions(done).length, 0);
    assert.notEqual(here.cookie("content-api-session"), before);
    for (const each of tokens) {
      assert.equal(await isLive(each), false);
      assert.equal((await refresh(each)).body.error, "invalid_grant");
    }
    assert.match((await there.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
    assert.match((await openAccount(person)).text, /password is wrong/);
    assert.match((await openAccount(person, new Browser(), NEW_PASSWORD)).text, /<h1>Your account<\/h1>/);
    const again = await getTokens({
      issuer: server.issuer,
      clientId: "spa",
      redirectUri: SPA_CALLBACK,
      scope: "openid posts:read",
      browser: here,
    });
    assert.ok(again.access_token, "what was agreed to is remembered, and this browser goes on");
  });

  test("A39 U22 the password is changed by whoever knows it, within the rules and limits", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    await openAccount(person, browser);
    const page = await browser.follow(`${server.issuer}/account/password`);
    const change = (current: string, password: string) =>
      browser.submit(page, "/account/password", { current, password });
    for (const [current, password, words] of [
      ["wrong", NEW_PASSWORD, /This is not your current password/],
      [PASSWORD, "short", /at least 15 characters/],
      [PASSWORD, PASSWORD, /This password is on a list of known passwords\. Choose another\./],
      [PASSWORD, BREACHED, /This password is on a list of known passwords\. Choose another\./],
    ] as const) {
      const refused = await change(current, password);
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, words);
      assert.doesNotMatch(refused.text, new RegExp(`${PASSWORD}|${NEW_PASSWORD}`));
    }
    const both = await change("wrong", `my name is ${person.name}`);
    for (const words of [
      /This is not your current password/,
      /must not contain the account&#39;s name/,
      /2 marked fields/,
    ])
      assert.match(both.text, words, "every error at once");
    assert.match(both.text, /id="current"[^>]* autofocus/);
    const missing = await change("", "short");
    for (const words of [/Enter your current password/, /at least 15 characters/]) assert.match(missing.text, words);
    for (let i = 0; i < 10; i++) await change("wrong", NEW_PASSWORD);
    const limited = await change(PASSWORD, NEW_PASSWORD);
    assert.deepEqual([limited.response.status, limited.response.headers.get("retry-after")], [429, "900"], "A55");
    assert.match(limited.text, /too many attempts/);
    assert.doesNotMatch(limited.text, /This is not your password now/);
  });

  test("A55 a limited sign-in at /account is 429 with Retry-After, for people who do not exist as well", async () => {
    const seen = [];
    for (const email of [(await somebody(server)).email, "never-there@example.com"]) {
      const browser = new Browser();
      const attempt = async () => {
        const page = await browser.follow(`${server.issuer}/account`);
        const { response, text } = await browser.submit(page, "/account/sign-in", { email, password: "a typo" });
        return [response.status, response.headers.get("retry-after"), text.replaceAll(/value="[^"]*"/g, "")];
      };
      for (let i = 0; i < 10; i++) assert.deepEqual((await attempt()).slice(0, 2), [400, null]);
      const limited = await attempt();
      assert.deepEqual(limited.slice(0, 2), [429, "900"]);
      assert.match(String(limited[2]), /There were too many attempts/);
      seen.push(limited);
    }
    assert.deepEqual(seen[0], seen[1]);
  });

  test("times are in the person's language", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    await openAccount(person, browser);
    const page = await browser.follow(`${server.issuer}/account`, { headers: { "accept-language": "de-AT" } });
    assert.match(page.text, /<time [^>]*lang="de-AT"[^>]*>\d+\. [^<]* (?:MEZ|MESZ)<\/time>/);
  });

  test("a person changes their own name, within its rules; events and clients learn of it", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    await openAccount(person, browser);
    const page = await browser.follow(`${server.issuer}/account/name`);
    assert.match(page.text, new RegExp(`value="${person.name}"`));
    for (const name of ["", "  ", "two\nlines", "n".repeat(201)]) {
      const refused = await browser.submit(page, "/account/name", { name });
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, /Your name must/);
      assert.match(refused.text, /id="name"[^>]* autofocus/);
    }
    assert.equal((await server.store.users.find(person.id))?.name, person.name);
    const done = await browser.submit(page, "/account/name", { name: "Łucja <b> 🙂 " });
    assert.match(done.text, /Your name has changed/);
    assert.match(done.text, /<bdi>Łucja &lt;b&gt; 🙂<\/bdi>/);
    assert.equal((await server.store.users.find(person.id))?.name, "Łucja <b> 🙂");
    const stranger = await new Browser().follow(`${server.issuer}/account/name`);
    assert.match(stranger.text, /<h1>Sign in<\/h1>/);
  });

  test("what the operator gave is not what the person allowed, and goes with its token", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const made = await server.server.createAccessToken({
      ...{ userId: person.id, clientId: "web", scope: "posts:read posts:write", ttlSeconds: 600 },
    });
    const page = await openAccount(person, browser);
    const [, allowed = "", given = ""] = page.text.split(/<h2>Apps that you have allowed|<h2>Access that/);
    assert.match(allowed, /None\. An app that you allow/);
    assert.match(given, /A server.*Create, change and delete your posts/s);
    const [grant] = await server.store.artifacts.listOfUser(person.id, ["Grant"]);
    assert.ok(Math.abs((grant?.expiresAtSeconds ?? 0) - made.expiresAtSeconds) <= 60, "nothing is left of it");
    const done = await browser.submit(page, "/account/end-client");
    assert.doesNotMatch(done.text, /Access that/);
    assert.equal(await isLive({ access_token: made.token } as Tokens), false);
  });

  test("A12 no step without the proof of this session, and none for another person's", async () => {
    const [ada, eve] = [await somebody(server), await somebody(server)];
    const [hers, evil] = [new Browser(), new Browser()];
    await openAccount(ada, hers);
    const page = await openAccount(eve, evil);
    const [session] = await server.store.artifacts.listOfUser(ada.id, ["Session"]);
    const { hidden } = formOf(page, "/account/sign-out-everywhere");
    // Another person's session by its name.
    await evil.follow(`${server.issuer}/account/end-session`, {
      method: "POST",
      body: new URLSearchParams({ csrf: hidden.csrf ?? "", session: session?.uidHash ?? "" }),
    });
    // Another person's browser, with the proof of one's own session, and with none.
    for (const csrf of [hidden.csrf ?? "", ""])
      for (const step of ["sign-out-everywhere", "sign-out", "end-session", "end-client", "password", "name"]) {
        const body = new URLSearchParams({
          csrf,
          session: session?.uidHash ?? "",
          client: "spa",
          current: PASSWORD,
          password: NEW_PASSWORD,
        });
        const stop = await hers.follow(`${server.issuer}/account/${step}`, { method: "POST", body });
        assert.match(stop.text, /The page was out of date/);
      }
    assert.match((await hers.follow(`${server.issuer}/account`)).text, /<h1>Your account<\/h1>/);
  });

  test("A17 who is disabled while signed in sees the sign-in page, and nothing is done for them", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const page = await openAccount(person, browser);
    await server.store.users.update(person.id, { disabledAt: new Date().toISOString() });
    const stop = await browser.submit(page, "/account/sign-out-everywhere");
    assert.match(stop.text, /<h1>Sign in<\/h1>/);
    assert.match((await openAccount(person)).text, /password is wrong/);
  });
});

describe("/", () => {
  test("says different things to a stranger, a person and an administrator", async () => {
    const start = async (browser: Browser) => (await browser.follow(`${server.issuer}/`)).text;
    const stranger = new Browser();
    assert.match(await start(stranger), />Sign in<\/a>/);
    const person = await somebody(server);
    const hers = new Browser();
    await openAccount(person, hers);
    const greeted = await start(hers);
    assert.ok(greeted.includes(`Hello, <bdi>${person.name}</bdi>`));
    assert.doesNotMatch(greeted, /<h2>Administration/);
    const admins = new Browser();
    await openAccount(server.ada, admins);
    assert.match(await start(admins), /<h2>Administration/);
    await server.store.users.update(person.id, { disabledAt: new Date().toISOString() });
    assert.match(await start(hers), />Sign in<\/a>/, "A17 who is disabled is a stranger");
  });
});
