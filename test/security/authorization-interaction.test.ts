import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, mock, test } from "node:test";
import { AppError } from "../../src/domain/errors.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import {
  authorizationRequest,
  authorize,
  Browser,
  exchange,
  formOf,
  getTokens,
  requestToken,
  type Stop,
  signIn,
  walk,
} from "./client.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
});
after(() => server.close());

const spa = (params: Record<string, string | undefined> = {}) => ({
  issuer: server.issuer,
  clientId: "spa",
  redirectUri: SPA_CALLBACK,
  params,
});
const ada = { email: "ada@example.com", password: PASSWORD };

async function signInPage(browser = new Browser(), params: Record<string, string | undefined> = {}) {
  const page = await browser.follow(authorizationRequest(spa(params)).url);
  assert.match(page.text, /name="password"/);
  return { browser, page };
}

test("A13 an interaction or device that nobody knows, without any cookie, is a page and never a 500", async () => {
  for (const path of ["/device/unknown", "/authorize/unknown", "/interaction/unknown"]) {
    const response = await fetch(server.issuer + path);
    assert.ok([400, 404].includes(response.status), `${path}: ${response.status}`);
    assert.match(await response.text(), /<h1>/);
  }
});

describe("pages", () => {
  test("A11 no page can be framed or kept, leaks a Referer, or runs what a client sent", async () => {
    const attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>';
    await server.addClient({ id: "hostile", name: attack });
    const hostile = { ...spa({ state: attack, login_hint: attack }), clientId: "hostile" };
    const browser = new Browser();
    const signInStop = await browser.follow(authorizationRequest(hostile).url);
    const consentStop = await browser.submit(signInStop, "/sign-in", ada);
    const failed = await browser.submit(await new Browser().follow(authorizationRequest(hostile).url), "/sign-in", {
      ...ada,
      email: attack,
    });
    const error = await browser.follow(
      authorizationRequest({ ...hostile, params: { client_id: attack, redirect_uri: attack } }).url,
    );
    const signOut = await browser.follow(`${server.issuer}/logout?client_id=hostile`);
    const signedOut = await browser.follow(`${server.issuer}/logout/success?client_id=hostile`);
    const setUp = await browser.follow(`${server.issuer}/setup?token=${encodeURIComponent(attack)}`);
    const start = await browser.follow(`${server.issuer}/`);
    const pages = { signInStop, consentStop, failed, error, signOut, signedOut, setUp, start };
    for (const [name, { response, text }] of Object.entries(pages)) {
      const header = (key: string) => response.headers.get(key) ?? "";
      assert.match(header("content-type"), /^text\/html/, name);
      assert.match(header("content-security-policy"), /frame-ancestors 'none'/, name);
      assert.match(header("content-security-policy"), /default-src 'none'/, name);
      assert.equal(header("x-frame-options"), "DENY", name);
      assert.equal(header("cache-control"), "no-store", name);
      assert.equal(header("referrer-policy"), "no-referrer", name);
      assert.doesNotMatch(text, /<script|<img src=x/, name);
    }
    assert.match(consentStop.text, /&lt;script&gt;/);
    for (const { response } of [signInStop, consentStop])
      assert.match(response.headers.get("content-security-policy") ?? "", /form-action 'self' https:\/\/spa\.example/);
  });

  test("A12 sign-in and consent need the form's own proof", async () => {
    const { browser, page } = await signInPage();
    for (const csrf of ["", "x", formOf((await signInPage()).page, "/sign-in").hidden.csrf ?? ""]) {
      const refused = await browser.submit(page, "/sign-in", { ...ada, csrf });
      assert.deepEqual([refused.left, refused.response.status], [false, 400]);
    }
    assert.equal(browser.cookie("content-api-session"), undefined, "somebody was signed in");
    const consent = await browser.submit(page, "/sign-in", ada);
    const refused = await browser.submit(consent, "/consent", { decision: "approve", csrf: "x" });
    assert.deepEqual([refused.left, refused.response.status], [false, 400]);
    const end = await browser.submit(consent, "/consent", { decision: "approve" });
    assert.ok(end.url.searchParams.get("code"));
  });

  test("A12 an interaction belongs to the browser that began it", async () => {
    const { browser, page } = await signInPage();
    const thief = new Browser();
    const looked = await thief.follow(page.url);
    assert.deepEqual([looked.left, looked.response.status], [false, 400]);
    assert.doesNotMatch(looked.text, /csrf|state=/);
    const posted = await thief.submit(page, "/sign-in", ada);
    assert.deepEqual([posted.left, posted.response.status], [false, 400]);
    const uid = page.url.pathname.split("/").at(-1) ?? "";
    for (const cookie of [
      `content-api-interaction=${uid}`,
      `content-api-interaction=${uid}; content-api-interaction.sig=x`,
    ]) {
      const forged = await thief.follow(page.url, { headers: { cookie } });
      assert.equal(forged.response.status, 400);
    }
    const resumed = await thief.follow(`${server.issuer}/authorize/${uid}`);
    assert.deepEqual([resumed.left, resumed.response.status], [false, 400]);
    assert.ok((await walk(browser, await browser.submit(page, "/sign-in", ada), spa())).left);
  });

  test("A13 the session id changes at every sign-in, and one that was planted is not taken over", async () => {
    const planted = new Browser();
    const first = await planted.fetch(authorizationRequest(spa()).url, {
      headers: { cookie: "session=planted; session.sig=x" },
    });
    assert.equal(first.status, 303);
    const browser = await signIn(spa());
    const before = browser.cookie("content-api-session");
    assert.ok(before);
    await authorize({ ...spa({ prompt: "login" }), browser });
    const after = browser.cookie("content-api-session");
    assert.ok(after);
    assert.notEqual(after, before);
  });

  test("A13 a second tab finishes too, and the Back button offers to start again", async () => {
    const browser = new Browser();
    const tabs = [await signInPage(browser), await signInPage(browser)] as const;
    const first = await walk(browser, await browser.submit(tabs[0].page, "/sign-in", ada), spa());
    assert.ok(first.url.searchParams.get("code"));
    const second = await walk(browser, await browser.submit(tabs[1].page, "/sign-in", ada), spa());
    assert.ok(second.url.searchParams.get("code"), `${second.url}`);

    const back = await browser.follow(tabs[0].page.url);
    assert.equal(back.response.status, 400);
    const again = /href="([^"]*)"[^>]*>Start again</.exec(back.text)?.[1]?.replaceAll("&amp;", "&");
    const restarted = await browser.follow(new URL(again ?? "", server.issuer));
    assert.ok(restarted.url.searchParams.get("code"));
    for (const [action, values] of [
      ["/sign-in", ada],
      ["/cancel", {}],
    ] as const) {
      const late = await browser.submit(tabs[0].page, action, values);
      assert.equal(late.response.status, 400);
      assert.match(late.text, /Start again/);
    }
  });

  test("A13 two tabs with two people end in a finished flow for the last one", async () => {
    const browser = new Browser();
    const tabs = [await signInPage(browser), await signInPage(browser)] as const;
    await walk(browser, await browser.submit(tabs[0].page, "/sign-in", ada), spa());
    const bob = { ...ada, email: "bob@example.com" };
    const end = await walk(browser, await browser.submit(tabs[1].page, "/sign-in", bob), { ...spa(), ...bob });
    assert.ok(end.url.searchParams.get("code"), `${end.url} ${end.text.slice(-300)}`);
  });

  test("A13 an interaction that took too long says how to go on", async () => {
    const { browser, page } = await signInPage();
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 2 * 3_600_000 });
    try {
      const late = await browser.submit(page, "/sign-in", ada);
      assert.equal(late.response.status, 400);
      assert.match(late.text, /Start again|Go back to/);
    } finally {
      mock.timers.reset();
    }
  });

  test("A30 signing out everywhere ends a sign-in that is on its way, and every session", async () => {
    const { browser, page } = await signInPage();
    const { action, hidden } = formOf(page, "/sign-in");
    const signedIn = await signIn(spa());
    const body = new URLSearchParams({ ...hidden, ...ada });
    const resume = (await browser.fetch(action, { method: "POST", body })).headers.get("location");
    await server.store.artifacts.revokeUser(server.ada.id);
    const late = await browser.follow(resume ?? "");
    assert.deepEqual([late.left, late.response.status], [false, 400]);
    const silent = await signedIn.follow(authorizationRequest(spa({ prompt: "none" })).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
  });

  test("cancelling goes back to the client unsigned", async () => {
    const { browser, page } = await signInPage();
    const end = await browser.submit(page, "/cancel");
    assert.equal(end.url.searchParams.get("error"), "access_denied");
    assert.equal(browser.cookie("content-api-session"), undefined);
  });

  test("“Not you?” signs the person out and asks who it is", async () => {
    await server.addClient({ id: "switching" });
    const options = { ...spa(), clientId: "switching" };
    const browser = new Browser();
    const page = await browser.follow(authorizationRequest(options).url);
    const consent = await browser.submit(page, "/sign-in", ada);
    const asked = await browser.submit(consent, "/switch");
    assert.match(asked.text, /name="password"/);
    const bob = { ...options, email: "bob@example.com" };
    assert.ok((await walk(browser, asked, bob)).url.searchParams.get("code"));
  });
});

describe("who signs in", () => {
  test("A14 prompt and max_age", async () => {
    const none = await new Browser().follow(authorizationRequest(spa({ prompt: "none" })).url);
    assert.equal(none.url.searchParams.get("error"), "login_required");
    const browser = await signIn(spa());
    const errorOf = async (params: Record<string, string>) =>
      (await browser.follow(authorizationRequest(spa(params)).url)).url.searchParams.get("error");
    assert.equal(await errorOf({ max_age: "abc" }), "invalid_request");
    assert.equal(await errorOf({ max_age: "-1" }), "invalid_request");
    assert.equal(await errorOf({ prompt: "none login" }), "invalid_request");
    assert.equal(await errorOf({ prompt: "nonsense" }), "invalid_request");
    const silent = await browser.follow(authorizationRequest(spa({ prompt: "none" })).url);
    assert.ok(silent.url.searchParams.get("code"));
    for (const params of [{ prompt: "login" }, { max_age: "0" }]) {
      const asked = await browser.follow(authorizationRequest(spa(params)).url);
      assert.match(asked.text, /name="password"/, JSON.stringify(params));
    }
    const consent = await browser.follow(authorizationRequest(spa({ prompt: "consent" })).url);
    assert.match(consent.text, /name="decision"/);
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 120_000 });
    const old = await browser.follow(authorizationRequest(spa({ max_age: "60" })).url);
    mock.timers.reset();
    assert.match(old.text, /name="password"/);
  });

  test("A14 prompt=select_account asks who it is, and whoever signs in goes on", async () => {
    const browser = await signIn(spa());
    const choose = (params: Record<string, string>) => browser.follow(authorizationRequest(spa(params)).url);
    const page = await choose({ prompt: "select_account" });
    assert.match(page.text, /name="password"/);
    const bob = { ...ada, email: "bob@example.com" };
    const end = await walk(browser, await browser.submit(page, "/sign-in", bob), { ...spa(), ...bob });
    assert.ok(end.url.searchParams.get("code"));
    const both = await choose({ prompt: "select_account consent" });
    const consent = await browser.submit(both, "/sign-in", bob);
    assert.match(consent.text, /bob@example\.com/);
    assert.ok((await browser.submit(consent, "/consent", { decision: "approve" })).url.searchParams.get("code"));
    const silent = await choose({ prompt: "none select_account" });
    assert.equal(silent.url.searchParams.get("error"), "invalid_request");
  });

  test("A14 the ID token tells when, and repeats the nonce", async () => {
    const tokens = await getTokens(spa({ max_age: "10000", nonce: "n-1" }));
    const claims = JSON.parse(Buffer.from(tokens.id_token.split(".")[1] ?? "", "base64url").toString());
    assert.equal(claims.nonce, "n-1");
    assert.equal(typeof claims.auth_time, "number");
    assert.deepEqual(
      [claims.sub, claims.email, claims.email_verified, claims.name, claims.iss, claims.aud],
      [server.ada.id, "ada@example.com", true, "Ada", server.issuer, "spa"],
    );
  });

  test("A17 a person who is disabled while signed in must sign in again, and cannot", async () => {
    const bob = { ...spa(), email: "bob@example.com" };
    const browser = await signIn(bob);
    await server.store.users.update(server.bob.id, { disabledAt: new Date().toISOString() });
    const silent = await browser.follow(authorizationRequest(spa({ prompt: "none" })).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
    const page = await browser.follow(authorizationRequest(spa()).url);
    const refused = await browser.submit(page, "/sign-in", { ...ada, email: "bob@example.com" });
    assert.equal(refused.response.status, 400);
    const end = await walk(browser, await browser.submit(page, "/sign-in", ada), spa());
    assert.ok(end.url.searchParams.get("code"), "somebody else may sign in instead");
    await server.store.users.update(server.bob.id, { disabledAt: null });
  });

  test("A40 known, unknown and disabled addresses get the same answer, and cost the same time", async () => {
    const answer = async (email: string) => {
      const { browser, page } = await signInPage();
      const start = process.cpuUsage(); // time of the processor, which others do not lengthen much
      const refused: Stop = await browser.submit(page, "/sign-in", { email, password: "not the password at all" });
      const text = refused.text.replace(/interaction[/=][^"/]+/g, "").replace(/value="[^"]*"/g, "");
      const { user, system } = process.cpuUsage(start);
      return { status: refused.response.status, text, ms: (user + system) / 1_000 };
    };
    await server.store.users.create({
      name: "Off",
      email: "off@example.com",
      emailVerified: true,
      role: "member",
      passwordHash: null,
    });
    /** The quickest of some: load makes an answer slower, never quicker. */
    const best = async (email: string) => {
      const answers = [await answer(email), await answer(email), await answer(email), await answer(email)];
      return { ...answers[0], ms: Math.min(...answers.map(({ ms }) => ms)) };
    };
    // With the real cost: next to a quick hash, any other work would take long enough.
    await server.store.users.update(server.bob.id, { passwordHash: await hashPassword(PASSWORD) });
    const known = await best("bob@example.com");
    assert.equal(known.status, 400);
    for (const email of ["nobody@example.com", "off@example.com", "\u0000'; DROP TABLE users", "x".repeat(5_000)]) {
      const other = await best(email);
      assert.equal(other.status, known.status);
      assert.equal(other.text, known.text);
      // Hashing takes some twenty milliseconds; an answer without it two or three.
      assert.ok(other.ms > known.ms / 3, `${other.ms} against ${known.ms} ms`);
    }
  });

  test("A39 after ten failures an account is closed for a while, in whatever spelling", async () => {
    await server.store.users.create({
      name: "Eve",
      email: "eve@example.com",
      emailVerified: true,
      role: "member",
      passwordHash: (await server.store.users.findByEmail("ada@example.com"))?.passwordHash ?? null,
    });
    const attempt = async (email: string, password: string) => {
      const { browser, page } = await signInPage();
      return browser.submit(page, "/sign-in", { email, password });
    };
    const failures = await Promise.all(
      Array.from({ length: 10 }, (_, i) => attempt(i % 2 ? "EVE@example.com" : "eve@EXAMPLE.com", "wrong")),
    );
    for (const failure of failures) assert.equal(failure.response.status, 400);
    const refused = await attempt("eve@example.com", PASSWORD);
    assert.deepEqual([refused.response.status, refused.left], [429, false], "A55");
    assert.match(refused.text, /too many attempts/);
    assert.doesNotMatch((await attempt("ada@example.com", PASSWORD)).text, /too many attempts/);
  });

  test("A55 a limited sign-in is 429 with Retry-After and words of its own, for people who do not exist as well", async () => {
    await server.store.users.create({ ...server.ada, email: "ida@example.com" });
    const attempt = async (email: string, password: string) => {
      const { browser, page } = await signInPage();
      const { response, text } = await browser.submit(page, "/sign-in", { email, password });
      const comparable = text.replaceAll(/name="csrf" value="[^"]*"|interaction[/=][\w-]+|value="[^"]*@[^"]*"/g, "");
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: comparable };
    };
    const seen = [];
    for (const email of ["ida@example.com", "never@example.com"]) {
      const first = await attempt(email, "a typo");
      assert.deepEqual([first.status, first.retryAfter], [400, null]);
      assert.doesNotMatch(first.text, /too many attempts|quarter of an hour/);
      for (let i = 1; i < 10; i++) assert.equal((await attempt(email, "a typo")).status, 400);
      const limited = await attempt(email, PASSWORD);
      assert.deepEqual([limited.status, limited.retryAfter], [429, "900"]);
      assert.match(limited.text, /There were too many attempts/);
      assert.doesNotMatch(limited.text, /password is wrong/);
      seen.push(first, limited);
    }
    assert.deepEqual(seen.slice(0, 2), seen.slice(2));
  });

  test("A39 a space around the address changes nothing, neither who signs in nor who is counted", async () => {
    const { browser, page } = await signInPage();
    const end = await browser.submit(page, "/sign-in", { email: " bob@example.com ", password: PASSWORD });
    assert.ok(end.left || end.text.includes('name="decision"'), end.text);
    const attempt = async (email: string) => {
      const { browser, page } = await signInPage();
      return browser.submit(page, "/sign-in", { email, password: PASSWORD });
    };
    for (let i = 0; i < 11; i++) await attempt(`${" ".repeat(i)}nobody@example.com`);
    await server.store.users.create({ ...server.ada, email: "nobody@example.com" });
    assert.match((await attempt("nobody@example.com")).text, /too many attempts/);
  });

  test("A39 F05 what failed on our side locks nobody out", async () => {
    const { users } = server.store;
    const { findByEmail } = users;
    const { browser, page } = await signInPage();
    Object.assign(users, {
      findByEmail: async () => {
        throw new AppError("UNAVAILABLE", "the disk is away");
      },
    });
    try {
      for (let i = 0; i < 12; i++) {
        const failed = await browser.submit(page, "/sign-in", { email: "bob@example.com", password: PASSWORD });
        assert.equal(failed.response.status, 503);
      }
    } finally {
      Object.assign(users, { findByEmail });
    }
    const end = await browser.submit(page, "/sign-in", { email: "bob@example.com", password: PASSWORD });
    assert.ok(end.left || end.text.includes('name="decision"'), end.text);
  });
});

describe("addresses", () => {
  test("A16 Host and X-Forwarded-* change nothing", async () => {
    const { request } = await import("node:http");
    const port = new URL(server.issuer).port;
    const get = (path: string) =>
      new Promise<{ text: string; headers: Record<string, unknown> }>((resolve, reject) => {
        const headers = {
          host: "evil.example.com",
          "x-forwarded-host": "evil.example.com",
          "x-forwarded-proto": "https",
          "x-forwarded-for": "203.0.113.9",
          forwarded: "host=evil.example.com;proto=https",
        };
        const outgoing = request({ host: "127.0.0.1", port, path, headers }, (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => {
            text += chunk.toString();
          });
          response.on("end", () => resolve({ text, headers: response.headers }));
        });
        outgoing.on("error", reject).end();
      });
    for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
      const { text } = await get(path);
      assert.doesNotMatch(text, /evil/);
      assert.equal(text, await fetch(server.issuer + path).then((response) => response.text()));
    }
    const { url } = authorizationRequest(spa());
    const started = await get(`${url.pathname}${url.search}`);
    assert.match(String(started.headers.location), new RegExp(`^${server.issuer}/interaction/`));
    assert.doesNotMatch(JSON.stringify(started.headers["set-cookie"]), /secure|evil/i);
    const absolute = await get("http://evil.example.com/.well-known/openid-configuration");
    assert.doesNotMatch(absolute.text, /evil/);
    for (const path of ["/", "/logout", "/authorize?client_id=nobody"])
      assert.doesNotMatch((await get(path)).text, /evil/, path);
  });

  test("A16 behind TLS the cookies are for TLS only, and the addresses are those of the issuer", async () => {
    const issuer = "https://auth.example.com";
    const secure = await openTestServer({ issuer });
    try {
      const node = await secure.openNode();
      const { url } = authorizationRequest({ ...spa(), issuer });
      const answer = await fetch(`${node.url}${url.pathname}${url.search}`, { redirect: "manual" });
      assert.match(answer.headers.get("location") ?? "", /^https:\/\/auth\.example\.com\/interaction\//);
      const cookies = answer.headers.getSetCookie();
      assert.ok(cookies.length > 0);
      for (const cookie of cookies) {
        assert.match(cookie, /^__(Secure|Host)-/);
        assert.match(cookie, /; secure/i);
        assert.match(cookie, /; httponly/i);
        assert.match(cookie, /; samesite=lax/i);
      }
    } finally {
      await secure.close();
    }
  });

  test("an issuer with a path works, with its metadata where RFC 8414 and where OpenID Connect have it", async () => {
    const auth = await openTestServer({ path: "/auth" });
    try {
      const { origin } = new URL(auth.issuer);
      const documents = await Promise.all(
        [
          `${auth.issuer}/.well-known/openid-configuration`,
          `${auth.issuer}/.well-known/oauth-authorization-server`,
          `${origin}/.well-known/oauth-authorization-server/auth`,
          `${origin}/.well-known/openid-configuration/auth`,
        ].map((url) => fetch(url).then((response) => response.json())),
      );
      for (const document of documents) assert.deepEqual(document, documents[0]);
      const metadata = documents[0] as Record<string, string>;
      assert.equal(metadata.issuer, auth.issuer);
      assert.equal(metadata.token_endpoint, `${auth.issuer}/token`);
      const options = { ...spa(), issuer: auth.issuer };
      const { code, verifier } = await authorize(options);
      assert.equal((await requestToken(auth.issuer, exchange(options, code, verifier))).status, 200);
    } finally {
      await auth.close();
    }
  });
});

describe("set-up", () => {
  test("the link makes one administrator, once, and nobody without it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "set-up-"));
    const BREACHED_PASSWORDS = join(folder, "breached.txt");
    const breached = "a breached password of mine";
    await writeFile(BREACHED_PASSWORDS, createHash("sha1").update(breached).digest("hex").toUpperCase());
    const empty = await openTestServer({ empty: true, settings: { BREACHED_PASSWORDS } });
    try {
      const browser = new Browser();
      const person = { name: "Grace", email: "grace@example.com", password: "a long enough password" };
      assert.match((await browser.follow(`${empty.issuer}/`)).text, /set-up link/);
      for (const token of ["", "x", "undefined"])
        assert.equal((await browser.follow(`${empty.issuer}/setup?token=${token}`)).response.status, 404);
      const page = await browser.follow(empty.server.setUpUrl());
      assert.equal(page.response.status, 200);
      const forged = await browser.submit(page, "/setup", { ...person, token: "x" });
      assert.equal(forged.response.status, 404);
      for (const wrong of [
        { password: "too short" },
        { password: "aaaaaaaaaaaaaaaaaaaa" },
        { password: "1234567890123456" },
        { password: "Password Password!" },
        { password: "stairway to heaven" },
        { password: breached },
        { password: "grace@example.com" },
        { password: "x".repeat(257) },
        { email: "nowhere" },
        { name: "" },
        { csrf: "x" },
      ]) {
        const refused = await browser.submit(page, "/setup", { ...person, ...wrong });
        assert.equal(refused.response.status, 400, JSON.stringify(wrong));
        assert.doesNotMatch(refused.text, /too short|aaaaaaa/);
      }
      const all = await browser.submit(page, "/setup", {
        name: "Grace",
        email: "no address",
        password: "Grace Grace Grace",
      });
      for (const words of [
        /The e-mail address must look like/,
        /must not contain the account&#39;s name/,
        /2 marked fields/,
      ])
        assert.match(all.text, words, "every error at once");
      assert.match(all.text, /value="Grace"/, "what can be kept is kept");
      assert.match(all.text, /id="email"[^>]* autofocus/, "the focus is in the first marked field");
      const operators = await browser.submit(page, "/setup", { ...person, password: "an Example of a password" });
      assert.match(operators.text, /must not contain the name of this service/);
      assert.ok(await empty.store.users.isEmpty());

      const [first, second] = await Promise.all([
        browser.submit(page, "/setup", person),
        browser.submit(page, "/setup", { ...person, email: "hopper@example.com" }),
      ]);
      assert.deepEqual([first.response.status, second.response.status].sort(), [200, 404]);
      const people = await empty.store.users.list();
      assert.deepEqual(
        people.map(({ role, emailVerified }) => [role, emailVerified]),
        [["admin", true]],
      );
      assert.equal((await browser.follow(empty.server.setUpUrl())).response.status, 404);
      assert.doesNotMatch((await browser.follow(`${empty.issuer}/`)).text, /set-up link/);
    } finally {
      await empty.close();
      await rm(folder, { recursive: true });
    }
  });
});
