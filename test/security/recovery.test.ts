import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { User } from "../../src/domain/people/user.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { anAccountToken } from "../conformance/samples.ts";
import { quickHash } from "../quick-hash.ts";
import { linkIn, listUntil, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, getTokens, requestToken, type Stop, walk } from "./client.ts";
import { askFor, forgetNetwork, letterFor, letterTo, linkFor, postOf } from "./mailed.ts";
import { NEW_PASSWORD, signInAt, somebody } from "./people.ts";

let server: TestServer;
/** Logout tokens that a client got (OpenID Connect Back-Channel Logout 1.0). */
const told: string[] = [];
const receiver = createServer(async (request, response) => {
  told.push(new URLSearchParams(await text(request)).get("logout_token") ?? "");
  response.end();
});

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  server = await openTestServer({ privateHosts: ["127.0.0.1"] });
  const { port } = receiver.address() as AddressInfo;
  await server.addClient({ id: "told", name: "Told", backchannelLogoutUri: `http://127.0.0.1:${port}/bye` });
});
after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await server.close();
});
// All tests share one network, which may ask for 20 mails an hour.
beforeEach(() => forgetNetwork(server));

/** A new password by a mailed link. */
async function recover(person: User, browser = new Browser(), password = NEW_PASSWORD): Promise<Stop> {
  const page = await browser.follow(await linkFor(server, "/recover", person.email, browser));
  return browser.submit(page, "/recover/finish", { password });
}

function tokensOf(person: User, clientId = "spa") {
  const options = { issuer: server.issuer, clientId, redirectUri: SPA_CALLBACK, browser: new Browser() };
  return getTokens({ ...options, email: person.email, password: PASSWORD });
}

describe("a lost password", () => {
  test("U20 U22 U24 from the sign-in page to a new password, which signs nobody in", async () => {
    const person = await somebody(server, { emailVerified: false });
    const browser = new Browser();
    const signIn = await browser.follow(`${server.issuer}/account`);
    assert.match(signIn.text, /<a href="\/recover">Forgot the password\?<\/a>/);
    const sent = await browser.submit(await browser.follow(`${server.issuer}/recover`), "/recover", {
      email: ` ${person.email} `,
    });
    assert.equal(sent.url.pathname, "/recover/sent");
    assert.match(sent.text, /If an account has this address, a mail is on its way\. It is good for one hour\./);
    const letter = await letterTo(server, person.email);
    assert.deepEqual([letter?.to, letter?.subject], [person.email, "Choose a new password"]);
    const page = await browser.follow(linkIn(letter));
    assert.match(page.text, new RegExp(`New password for <bdi>${person.email}</bdi>`));
    assert.match(page.text, /This link is good until <time/);
    const done = await browser.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.equal(done.url.pathname, "/recover/done");
    assert.match(done.text, /Your password is changed/);
    assert.match(done.text, /href="\/account">Sign in</);
    assert.equal(browser.cookie("content-api-session"), undefined, "P10 nobody is signed in");
    assert.match((await browser.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);

    assert.match((await signInAt(server, person.email, PASSWORD)).text, /password is wrong/);
    assert.match((await signInAt(server, person.email, NEW_PASSWORD)).text, /<h1>Your account<\/h1>/);
    assert.equal((await server.store.users.find(person.id))?.emailVerified, true, "the mail has proved the address");
    const notice = await letterTo(server, person.email);
    assert.deepEqual([notice?.to, notice?.subject], [person.email, "Your password was changed"]);
    assert.equal(linkIn(notice), `${server.issuer}/recover`, "U54 no secret in it");
    const events = await listUntil(
      server.store.audit,
      { userId: person.id, event: "recovery" },
      (list) => list.length > 0,
    );
    assert.deepEqual([events[0]?.result, events[0]?.detail], ["ok", "new password by a mailed link"]);
  });

  test("U20 U51 a server without mail says so, and names the contact", async () => {
    for (const [contact, words] of [
      [null, /This server sends no mail\. Ask an administrator\./],
      ["help@example.com", /Ask <a href="mailto:help@example\.com"><bdi>help@example\.com<\/bdi><\/a>\./],
      ["https://help.example.com/", /Ask <a href="https:\/\/help\.example\.com\/">/],
    ] as const) {
      const mute = await openTestServer({ sendsMail: false, settings: { SUPPORT_CONTACT: contact } });
      try {
        const page = await new Browser().follow(`${mute.issuer}/recover`);
        assert.equal(page.response.status, 200);
        assert.match(page.text, words);
        assert.doesNotMatch(page.text, /<form/);
        const posted = await fetch(`${mute.issuer}/recover`, {
          method: "POST",
          body: new URLSearchParams({ email: mute.ada.email }),
        });
        assert.match(await posted.text(), words);
        assert.deepEqual(await mute.store.mails.list({ limit: 1 }), []);
      } finally {
        await mute.close();
      }
    }
  });

  test("U20 it leads back to the client that asked for the sign-in, in the same browser", async () => {
    const person = await somebody(server);
    const spa = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params: { prompt: "login" } };
    const [browser, phone] = [new Browser(), new Browser()];
    const signIn = await browser.follow(authorizationRequest(spa).url);
    const href = /href="(\/recover\?interaction=[\w-]+)"/.exec(signIn.text)?.[1] ?? "";
    const sent = await browser.submit(await browser.follow(server.issuer + href), "/recover", { email: person.email });
    assert.match(sent.text, /<a href="\/recover\?interaction=[\w-]+">ask again/);
    const letter = await letterTo(server, person.email);
    const done = await phone.submit(await phone.follow(linkIn(letter)), "/recover/finish", { password: NEW_PASSWORD });
    const onward = /href="(\/interaction\/[\w-]+\/continue)"/.exec(done.text)?.[1] ?? "";
    const elsewhere = await phone.follow(server.issuer + onward);
    assert.equal(elsewhere.url.pathname, "/account", "another browser learns nothing of the request");
    const again = await browser.follow(server.issuer + onward);
    assert.match(again.url.pathname, /^\/interaction\//);
    const end = await walk(browser, again, { ...spa, email: person.email, password: NEW_PASSWORD });
    assert.ok(end.left && end.url.searchParams.has("code"));
  });

  test("U22 the rules of passwords hold, nothing is spent by a mistake, and a password is never sent back", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    const page = await browser.follow(await linkFor(server, "/recover", person.email));
    for (const [password, words] of [
      ["short", /at least 15 characters/],
      [PASSWORD, /is on a list of known passwords/],
      [`${person.email} is mine`, /must not contain the account&#39;s name/],
    ] as const) {
      const refused = await browser.submit(page, "/recover/finish", { password });
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, words);
      assert.doesNotMatch(refused.text, new RegExp(`value="${password}"`));
    }
    assert.match((await signInAt(server, person.email, PASSWORD)).text, /<h1>Your account<\/h1>/);
    const done = await browser.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.match(done.text, /Your password is changed/);
  });

  test("U24 P06 R19 every session and token ends on every node, and clients are told", async () => {
    const person = await somebody(server);
    const [tokens, others] = [await tokensOf(person), await tokensOf(person, "told")];
    const node = await server.openNode();
    const there = await tokens.browser.follow(`${node.url}/account`);
    assert.match(there.text, /<h1>Your account<\/h1>/);
    told.length = 0;
    await recover(person);
    const now = Math.floor(Date.now() / 1_000);
    for (const { access_token, refresh_token, browser } of [tokens, others]) {
      assert.equal(await server.store.artifacts.findAccessToken(hashToken(access_token), now), null);
      const refreshed = await requestToken(server.issuer, {
        ...{ grant_type: "refresh_token", refresh_token },
        client_id: refresh_token === tokens.refresh_token ? "spa" : "told",
      });
      assert.equal(refreshed.body.error, "invalid_grant");
      for (const url of [server.issuer, node.url])
        assert.match((await browser.follow(`${url}/account`)).text, /<h1>Sign in<\/h1>/);
    }
    for (let tries = 0; told.length === 0 && tries < 100; tries++) await pause(50);
    assert.equal(told.length, 1);
    const [, payload = ""] = (told[0] ?? "").split(".");
    assert.equal(JSON.parse(Buffer.from(payload, "base64url").toString()).sub, person.id);
  });

  test("P06 a session cannot be written back by a request that was under way", async () => {
    const person = await somebody(server);
    const { browser } = await tokensOf(person);
    const { url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
    const link = await linkFor(server, "/recover", person.email);
    let running = true;
    const hammer = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (running) await browser.fetch(url);
      }),
    );
    const other = new Browser();
    await other.submit(await other.follow(link), "/recover/finish", { password: NEW_PASSWORD });
    running = false;
    await hammer;
    assert.deepEqual(await server.store.artifacts.listOfUser(person.id, ["Session"]), []);
    assert.match((await browser.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
  });

  test("P06 not even one that was written back between the new password and the end of the sessions", async () => {
    const person = await somebody(server);
    const { browser } = await tokensOf(person);
    const { accountTokens, artifacts } = server.store;
    const [session] = await artifacts.listOfUser(person.id, ["Session"]);
    assert.ok(session);
    const reset = accountTokens.resetPassword.bind(accountTokens);
    const late = mock.method(accountTokens, "resetPassword", async (...given: Parameters<typeof reset>) => {
      const user = await reset(...given);
      await artifacts.put(session);
      return user;
    });
    await recover(person);
    late.mock.restore();
    assert.equal(late.mock.callCount(), 1);
    assert.deepEqual(await artifacts.listOfUser(person.id, ["Session"]), []);
    assert.match((await browser.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
  });

  test("U16 the other links end with the use of one, and the used one says so", async () => {
    const person = await somebody(server);
    const [first, second] = [
      await linkFor(server, "/recover", person.email),
      await linkFor(server, "/recover", person.email),
    ];
    const browser = new Browser();
    await browser.submit(await browser.follow(first), "/recover/finish", { password: NEW_PASSWORD });
    const [used, other] = [await browser.follow(first), await browser.follow(second)];
    assert.deepEqual([used.response.status, other.response.status], [410, 410]);
    assert.match(used.text, /This link was used/);
    assert.match(other.text, /This link ran out/);
    assert.match(other.text, /href="\/recover">Send a new one</);
  });

  test("U23 P09 a change of password or address, and a disablement, end the link, open pages as well", async () => {
    const changes: ((person: User) => Promise<unknown>)[] = [
      async ({ id }) => server.store.users.update(id, { passwordHash: quickHash(NEW_PASSWORD) }),
      async ({ id }) => server.store.users.update(id, { disabledAt: new Date().toISOString() }),
      async (person) => {
        const hash = hashToken("a".repeat(43));
        const about = { purpose: "email-change", email: `new-${person.email}`, userId: person.id } as const;
        const { credentialVersion } = person;
        await server.store.accountTokens.put(
          anAccountToken({ ...about, hash, credentialVersion, expiresAtSeconds: 9_999_999_999 }),
        );
        assert.ok(await server.store.accountTokens.changeEmail(hash, person.id, Math.floor(Date.now() / 1_000)));
      },
    ];
    for (const change of changes) {
      const person = await somebody(server);
      const browser = new Browser();
      const link = await linkFor(server, "/recover", person.email);
      const page = await browser.follow(link);
      await change(person);
      const before = await server.store.users.find(person.id);
      for (const stop of [
        await browser.submit(page, "/recover/finish", { password: "twelve quick otters at dawn" }),
        await browser.follow(link),
      ]) {
        assert.equal(stop.response.status, 410);
        assert.match(stop.text, /This link ran out/);
      }
      assert.deepEqual(await server.store.users.find(person.id), before);
    }
  });

  test("A48 whoever has tried too many passwords can use the new one at once", async () => {
    const person = await somebody(server);
    for (let i = 0; i < 11; i++) await signInAt(server, person.email, "which one was it again");
    assert.equal((await signInAt(server, person.email, PASSWORD)).response.status, 429);
    await recover(person);
    assert.match((await signInAt(server, person.email, NEW_PASSWORD)).text, /<h1>Your account<\/h1>/);
  });

  test("U21 a person without a password gets one; a disabled, leaving or unknown one gets no mail", async () => {
    const [without, off, leaving] = [
      await somebody(server, { passwordHash: null }),
      await somebody(server),
      await somebody(server),
    ];
    await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
    const deletesAt = new Date(Date.now() + 86_400_000).toISOString();
    await server.store.deletions.ask(leaving.id, { deletesAt, posts: "keep" });
    assert.match((await recover(without)).text, /Your password is changed/);
    await server.letters();
    for (const email of [off.email, leaving.email, "nobody@example.com"]) {
      await askFor(server, "/recover", email);
      assert.deepEqual(await server.letters(), []);
    }
  });

  test("U52 the letter says when and from where it was asked for, what to do if it was somebody else, and no secret in its subject", async () => {
    const person = await somebody(server, { name: "https://evil.example" });
    const browser = new Browser();
    const page = await browser.follow(`${server.issuer}/recover`);
    const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 evil.example";
    const [action, init] = postOf(page, "/recover", { email: person.email });
    await browser.fetch(action, { ...init, headers: { "user-agent": firefox } });
    const letter = JSON.stringify(await server.letters());
    assert.match(letter, /Firefox on Linux/);
    assert.match(letter, /Requested/);
    assert.match(letter, /If this was not you, do nothing\. Your password stays as it is\./);
    assert.doesNotMatch(letter, /evil/, "P19");
  });

  test("U71 the link of an administrator is good for 24 hours", async () => {
    const person = await somebody(server);
    await server.store.mails.add({
      ...{ kind: "recovery-by-administrator", userId: person.id, address: person.email, language: "en", params: {} },
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const letter = await letterTo(server, person.email);
    assert.match(JSON.stringify(letter), /An administrator of Example sends you this link/);
    const token = await server.store.accountTokens.find(
      hashToken(new URL(linkIn(letter)).searchParams.get("token") ?? ""),
    );
    assert.equal((token?.expiresAtSeconds ?? 0) - (token?.createdAtSeconds ?? 0), 86_400);
    const browser = new Browser();
    const done = await browser.submit(await browser.follow(linkIn(letter)), "/recover/finish", {
      password: NEW_PASSWORD,
    });
    assert.match(done.text, /Your password is changed/);
  });

  test("P53 a form that finds no place in the queue of the sign-ins spends nothing", async () => {
    const person = await somebody(server);
    const letter = await letterFor(server, "/recover", person.email);
    const browser = new Browser();
    const page = await browser.follow(linkIn(letter));
    const busy = Promise.allSettled(Array.from({ length: 70 }, () => hashPassword("to keep the slots busy")));
    const refused = await browser.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.equal(refused.response.status, 503);
    assert.ok(refused.response.headers.get("retry-after"));
    await busy;
    const done = await browser.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.match(done.text, /Your password is changed/);
  });
});
