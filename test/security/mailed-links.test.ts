import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { LINK_PATHS } from "../../src/authorization-server/letters/links.ts";
import type { TokenPurpose } from "../../src/domain/people/account-token.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { anAccountToken } from "../conformance/samples.ts";
import { later, linkIn, listUntil, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, type Stop } from "./client.ts";
import { askFor, codeIn, letterTo, linkFor, postOf, signUp } from "./mailed.ts";
import { freeAddress, NEW_PASSWORD, signInAt, somebody } from "./people.ts";

/** Pages that links open, with the purpose of their tokens and the form that spends one. */
const PAGES = [
  { purpose: "sign-up", path: "/sign-up/finish", ask: "/sign-up" },
  { purpose: "recovery", path: "/recover/finish", ask: "/recover" },
] as const;

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: { SIGN_UP: "open" } });
});
after(() => server.close());

/** An address that the mail of this page can be asked for with. */
async function addressFor(ask: (typeof PAGES)[number]["ask"]): Promise<string> {
  return ask === "/sign-up" ? freeAddress() : (await somebody(server)).email;
}

const VALUES = { name: "Grace", password: NEW_PASSWORD };

/** What a program does that looks into mails: it opens every link, follows it, and sends every form as it finds it. */
async function scan(links: readonly string[]): Promise<Browser> {
  const scanner = new Browser();
  const seen = new Set<string>();
  const queue: string[] = [...links];
  let forms = 0;
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    if (seen.has(at) || seen.size > 60) continue;
    seen.add(at);
    for (const method of ["HEAD", "GET"]) await scanner.fetch(at, { method });
    const page = await scanner.follow(at);
    for (const [, href = ""] of page.text.matchAll(/<a\b[^>]*href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll("&amp;", "&"), page.url);
      if (url.origin === page.url.origin) queue.push(url.href);
    }
    for (const [, action = ""] of page.text.matchAll(/<form\b[^>]*action="([^"]*)"/g)) {
      forms++;
      const { hidden } = formOf(page, action);
      const named = [...page.text.matchAll(/<input\b[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)];
      const fields = Object.fromEntries(named.map(([, name, value]) => [name, value]));
      await scanner.follow(new URL(action, page.url), {
        method: "POST",
        body: new URLSearchParams({ ...fields, ...hidden }),
      });
    }
  }
  assert.ok(seen.size >= links.length && forms > 0);
  return scanner;
}

describe("what programs do to links", () => {
  for (const { purpose, ask, path } of PAGES)
    test(`U02 P01 ${purpose}: a scanner that opens everything and sends every form spends nothing and is signed in nowhere`, async () => {
      const email = await addressFor(ask);
      const owner = new Browser();
      await askFor(server, ask, email, owner);
      const letter = await letterTo(server, email);
      const links = (letter?.parts ?? []).flatMap((part) => ("button" in part ? [part.button.href] : []));
      const before = await server.store.users.list();
      const scanner = await scan(links);
      assert.equal(scanner.cookie("content-api-session"), undefined);
      assert.deepEqual(await server.store.users.list(), before);
      await server.letters();
      const page = await owner.follow(linkIn(letter));
      assert.equal(page.response.status, 200);
      const done = await owner.submit(page, path, VALUES);
      assert.match(done.text, /Your account|Your password is changed/);
    });

  test("P01 nor does it with the mail to somebody who has an account", async () => {
    const person = await somebody(server);
    await askFor(server, "/sign-up", person.email);
    const letter = await letterTo(server, person.email);
    await scan((letter?.parts ?? []).flatMap((part) => ("button" in part ? [part.button.href] : [])));
    assert.deepEqual(await server.store.users.find(person.id), person);
    await server.letters();
  });
});

describe("what a secret is for", () => {
  /** Issues a token of a purpose for Bob, whatever its page is. */
  async function tokenOf(purpose: TokenPurpose): Promise<string> {
    const secret = randomBytes(32).toString("base64url");
    const isForPerson = purpose !== "sign-up" && purpose !== "invitation";
    const { id: userId, email, credentialVersion } = server.bob;
    await server.store.accountTokens.put(
      anAccountToken({
        ...{ hash: hashToken(secret), purpose, expiresAtSeconds: 9_999_999_999 },
        ...(isForPerson ? { userId, email, credentialVersion } : { email: freeAddress() }),
      }),
    );
    return secret;
  }

  async function assertIncomplete(url: string, name: string): Promise<void> {
    const response = await fetch(url);
    assert.equal(response.status, 404, name);
    assert.match(await response.text(), /This link is not complete/, name);
  }

  for (const { purpose, path, ask } of PAGES)
    test(`P07 R2 ${path} takes secrets of its own purpose alone, in its link and in its form`, async () => {
      for (const other of Object.keys(LINK_PATHS) as TokenPurpose[]) {
        const url = `${server.issuer}${path}?token=${await tokenOf(other)}`;
        if (other === purpose) assert.equal((await fetch(url)).status, 200);
        else await assertIncomplete(url, `${other} at ${path}`);
      }
      const browser = new Browser();
      const own = await browser.follow(await linkFor(server, ask, await addressFor(ask), browser));
      const foreign = PAGES.find((page) => page.path !== path) ?? PAGES[0];
      const elsewhere = await browser.follow(
        await linkFor(server, foreign.ask, await addressFor(foreign.ask), browser),
      );
      const { ticket = "", csrf = "" } = formOf(elsewhere, foreign.path).hidden;
      const users = await server.store.users.list();
      for (const hidden of [{ ticket }, { csrf }, { ticket, csrf }]) {
        const refused = await browser.submit(own, path, { ...hidden, ...VALUES });
        assert.equal(refused.response.status, 400);
        assert.match(refused.text, /This page is out of date/);
      }
      assert.deepEqual(await server.store.users.list(), users);
    });

  test("P07 U15 what is no mailed secret opens nothing: half of one, a code, an OAuth state, a form's proof, a ticket", async () => {
    const browser = new Browser();
    const email = freeAddress();
    const sent = await askFor(server, "/sign-up", email, browser);
    const letter = await letterTo(server, email);
    assert.ok(letter);
    const secret = new URL(linkIn(letter)).searchParams.get("token") ?? "";
    const { state, url } = authorizationRequest({ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
    const interaction = await browser.follow(url);
    const page = await browser.follow(linkIn(letter));
    for (const token of [
      "",
      secret.slice(0, 42),
      `${secret}a`,
      secret.toLowerCase(),
      hashToken(secret),
      codeIn(letter),
      state,
      formOf(interaction, "/sign-in").hidden.csrf ?? "",
      formOf(sent, "/code").hidden.about ?? "",
      formOf(page, "/finish").hidden.ticket ?? "",
      `${secret}&token=${secret}`,
    ])
      for (const { path } of PAGES) await assertIncomplete(`${server.issuer}${path}?token=${token}`, token);
    for (const { path } of PAGES) await assertIncomplete(server.issuer + path, "without any");
  });

  test("U15 links that ran out, and that were used, say when and where to go on", async () => {
    for (const { ask, path } of PAGES) {
      const link = await linkFor(server, ask, await addressFor(ask));
      const browser = new Browser();
      const page = await browser.follow(link);
      await later(ask === "/sign-up" ? 86_401 : 3_601, async () => {
        for (const stop of [await browser.follow(link), await browser.submit(page, path, VALUES)]) {
          assert.equal(stop.response.status, 410);
          assert.match(stop.text, /This link ran out[\s\S]*It was good until <time[\s\S]*>Send a new one</);
          assert.match(stop.text, new RegExp(`href="${ask}"`));
        }
      });
      await browser.submit(page, path, VALUES);
      const used = await browser.submit(page, path, VALUES);
      assert.equal(used.response.status, 410);
      assert.match(used.text, /This link was used[\s\S]*That was on <time[\s\S]*>Sign in</);
    }
  });

  test("P29 A12 the form is good in the browser that got its page, and nowhere else", async () => {
    for (const { ask, path } of PAGES) {
      const [browser, other] = [new Browser(), new Browser()];
      const link = await linkFor(server, ask, await addressFor(ask), browser);
      const page = await browser.follow(link);
      await other.follow(link);
      for (const thief of [other, new Browser()]) {
        const refused = await thief.submit(page, path, VALUES);
        assert.equal(refused.response.status, 400);
        assert.match(refused.text, /Open the link in the mail again\./);
      }
      const forged = await browser.submit(page, path, { ...VALUES, csrf: "x" });
      assert.equal(forged.response.status, 400);
      assert.equal((await browser.submit(page, path, VALUES)).response.status, 200);
    }
  });
});

describe("races and clocks", () => {
  for (const { ask, path, purpose } of PAGES)
    test(`P08 ${purpose}: one of 50 forms at the same time on two nodes has an effect`, async () => {
      const email = await addressFor(ask);
      const node = await server.openNode();
      const link = new URL(await linkFor(server, ask, email));
      const forms: { browser: Browser; page: Stop }[] = [];
      for (const base of [server.issuer, node.url]) {
        const browser = new Browser();
        forms.push({ browser, page: await browser.follow(base + link.pathname + link.search) });
      }
      const before = await server.store.users.list();
      const answers = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          const { browser, page } = forms[i % 2] ?? assert.fail();
          const password = `${NEW_PASSWORD} ${i}`;
          const { status } = await browser.fetch(...postOf(page, path, { name: `Grace ${i}`, password }));
          return { status, password };
        }),
      );
      const winners = answers.filter(({ status }) => status === 303);
      assert.equal(winners.length, 1);
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303, 410]));
      const people = await server.store.users.list();
      assert.equal(people.length, before.length + (ask === "/sign-up" ? 1 : 0));
      const person = await server.store.users.findByEmail(email);
      if (ask === "/recover") assert.equal(person?.credentialVersion, 1);
      assert.match((await signInAt(server, email, winners[0]?.password ?? "")).text, /<h1>Your account<\/h1>/);
    });

  test("P08 two people with links for one address become one", async () => {
    const email = freeAddress();
    const links = [await linkFor(server, "/sign-up", email), await linkFor(server, "/sign-up", email.toUpperCase())];
    const done = await Promise.all(
      links.map(async (link) => {
        const browser = new Browser();
        return browser.submit(await browser.follow(link), "/sign-up/finish", VALUES);
      }),
    );
    assert.equal(done.filter(({ response }) => response.status === 200).length, 1);
    const found = (await server.store.users.list()).filter((user) => user.email.toLowerCase() === email);
    assert.equal(found.length, 1);
  });

  test("P56 a node whose clock is 90 s off takes no link or code twice, and none for longer than that", async () => {
    for (const seconds of [-90, 90]) {
      const node = await server.openNode({ now: () => Date.now() + seconds * 1_000 });
      const email = freeAddress();
      const browser = new Browser();
      const sent = await askFor(server, "/sign-up", email, browser);
      const letter = await letterTo(server, email);
      assert.ok(letter);
      const { pathname, search } = new URL(linkIn(letter));
      const page = await browser.submit(sent, "/sign-up/code", { code: codeIn(letter) });
      await browser.submit(page, "/sign-up/finish", VALUES);
      const { hidden } = formOf(sent, "/sign-up/code");
      const body = new URLSearchParams({ ...hidden, code: codeIn(letter) });
      assert.equal((await browser.fetch(`${node.url}/sign-up/code`, { method: "POST", body })).status, 410);
      assert.equal((await browser.fetch(node.url + pathname + search)).status, 410);

      const link = new URL(await linkFor(server, "/recover", (await somebody(server)).email));
      const status = async () => (await fetch(node.url + link.pathname + link.search)).status;
      assert.equal(await status(), 200);
      await later(3_600 + 100, async () => assert.equal(await status(), 410));
      await later(3_600 - 120, async () => assert.equal(await status(), 200));
    }
  });
});

test("P21 secrets and codes are in no log, audit, address, error, mail row or table", async () => {
  const secrets: string[] = [];
  const addresses: string[] = [];
  for (const { ask, path } of PAGES) {
    const email = await addressFor(ask);
    const browser = new Browser();
    const sent = await askFor(server, ask, email, browser);
    const letter = await letterTo(server, email);
    assert.ok(letter);
    const secret = new URL(linkIn(letter)).searchParams.get("token") ?? "";
    secrets.push(secret);
    const page = await browser.follow(linkIn(letter));
    assert.equal(page.response.headers.get("referrer-policy"), "no-referrer");
    assert.equal(page.response.headers.get("cache-control"), "no-store");
    assert.ok(!page.text.includes(secret), "not even in the page itself");
    if (ask === "/sign-up") {
      secrets.push(codeIn(letter), codeIn(letter).replace("-", ""));
      const byCode = await browser.submit(sent, "/sign-up/code", { code: codeIn(letter) });
      assert.ok(!byCode.text.includes(codeIn(letter)));
    }
    const refused = await browser.submit(page, path, { name: "", password: "short" });
    const done = await browser.submit(refused, path, VALUES);
    const [, init] = postOf(page, path, VALUES);
    const late = await browser.follow(new URL(path, server.issuer), init);
    for (const stop of [refused, done, late]) {
      assert.ok(!stop.text.includes(secret));
      addresses.push(stop.url.href);
    }
    await server.letters();
  }
  const mails = await server.store.mails.list({ limit: 200 });
  const audit = await listUntil(server.store.audit, {}, (events) =>
    // The last that was noted.
    events.some(({ event, result }) => event === "recovery" && result === "refused"),
  );
  const places = { addresses, mails, audit, lines: server.lines };
  const all = `${JSON.stringify(places)} ${await server.readAll()}`;
  for (const secret of secrets) assert.ok(!all.includes(secret), secret);
  for (const event of audit) assert.doesNotMatch(JSON.stringify(event), /new-\d+@example|grace-\d+@example/);
  await signUp(server, freeAddress());
});
