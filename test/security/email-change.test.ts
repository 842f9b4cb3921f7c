import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { User } from "../../src/domain/people/user.ts";
import type { Letter } from "../../src/mail/letter.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { quickHash } from "../quick-hash.ts";
import {
  later,
  linkIn,
  listUntil,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
} from "./authorization-server.ts";
import { Browser, formOf, getTokens, requestToken, type Stop } from "./client.ts";
import { codeIn, forgetNetwork, lettersTo, letterTo } from "./mailed.ts";
import { freeAddress, NEW_PASSWORD, openAccount, signedIn, somebody } from "./people.ts";

const DAY = 86_400;

let server: TestServer;
before(async () => {
  server = await openTestServer({ privateHosts: ["127.0.0.1"] });
});
after(() => server.close());
// All tests share one network, which may ask for 20 mails an hour.
beforeEach(() => forgetNetwork(server));

function open(browser: Browser, path = ""): Promise<Stop> {
  return openAccount(server, browser, path);
}

/** Asks for another address. @returns the page that says that a mail was sent */
async function ask(browser: Browser, email: string): Promise<Stop> {
  return browser.submit(await open(browser, "/email"), "/account/email", { email });
}

async function emailOf(person: User): Promise<string | undefined> {
  return (await server.store.users.find(person.id))?.email;
}

/** A person whose address is another one now, and the mail that went to the former address. */
async function moved(): Promise<{ person: User; email: string; browser: Browser; letter: Letter | undefined }> {
  const [person, email] = [await somebody(server), freeAddress()];
  const browser = await signedIn(server, person);
  await ask(browser, email);
  const letter = await letterTo(server, email);
  await browser.submit(await browser.follow(linkIn(letter)), "/email/finish");
  assert.equal(await emailOf(person), email);
  return { person, email, browser, letter: await letterTo(server, person.email) };
}

describe("U25 change of the address", () => {
  test("U25 the old address is in force until the new one is confirmed, and both are told", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    const sent = await ask(browser, email);
    assert.equal(sent.url.pathname, "/account/email/sent");
    assert.match(sent.text, new RegExp(`A mail to <strong><bdi>${email}</bdi></strong> is on its way`));
    const letters = await server.letters();
    assert.deepEqual(
      letters.map(({ to, subject }) => [to, subject]),
      [
        [email, "Confirm your e-mail address"],
        [person.email, "Another e-mail address was asked for"],
      ],
    );
    assert.ok(linkIn(letters[0]).startsWith(`${server.issuer}/account/email/finish?token=`));
    assert.match(linkIn(letters[1]), /\/recover$/, "no secret in it");
    const page = await browser.follow(linkIn(letters[0]));
    assert.match(
      page.text,
      new RegExp(`will use <strong><bdi>${email}</bdi></strong> in place of <bdi>${person.email}`),
    );
    assert.equal(await emailOf(person), person.email, "U02 a GET changes nothing");
    const done = await browser.submit(page, "/email/finish");
    assert.match(done.text, /Your e-mail address has changed/, "the session stays");
    const changed = await server.store.users.find(person.id);
    assert.deepEqual([changed?.email, changed?.emailVerified], [email, true]);
    assert.deepEqual(
      (await server.letters()).map(({ to, subject }) => [to, subject]),
      [
        [person.email, "Your e-mail address was changed"],
        [email, "This is your e-mail address now"],
      ],
    );
    assert.match((await open(await signedIn(server, { email }))).text, /<h1>Your account<\/h1>/);
    assert.match((await open(await signedIn(server, person))).text, /<h1>Sign in<\/h1>/);
  });

  test("U25 the code works in the session that asked, within five tries (P11)", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    const sent = await ask(browser, email);
    const code = codeIn(await letterTo(server, email));
    const elsewhere = await signedIn(server, person);
    const hers = await ask(elsewhere, email);
    const stolen = await elsewhere.submit(hers, "/email/code", { code });
    assert.match(stolen.text, /This code is not right\. 4 tries are left\./, "another session has a code of its own");
    for (const left of ["4 tries are", "3 tries are", "2 tries are", "1 try is"])
      assert.match((await browser.submit(sent, "/email/code", { code: "BBBB-BBBB" })).text, new RegExp(`${left} left`));
    const done = await browser.submit(sent, "/email/code", { code: ` ${code.toLowerCase().replace("-", " ")} ` });
    assert.match(done.text, /Your e-mail address has changed/);
    assert.equal(await emailOf(person), email);
  });

  test("P11 the sixth code is not looked at, and the link still works", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    const sent = await ask(browser, email);
    const letter = await letterTo(server, email);
    for (let i = 0; i < 5; i++) await browser.submit(sent, "/email/code", { code: "BBBB-BBBB" });
    const sixth = await browser.submit(sent, "/email/code", { code: codeIn(letter) });
    assert.match(sixth.text, /too many wrong codes/);
    assert.equal(await emailOf(person), person.email);
    await browser.submit(await browser.follow(linkIn(letter)), "/email/finish");
    assert.equal(await emailOf(person), email);
  });

  test("R14 the answer is the same whether or not somebody has the address, who gets no mail", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const browser = await signedIn(server, person);
    const pages = [];
    for (const email of [other.email, freeAddress()]) {
      const { response, url, text } = await ask(browser, email);
      pages.push([response.status, url.pathname, text.replaceAll(email, "EMAIL")]);
    }
    assert.deepEqual(pages[0], pages[1]);
    assert.deepEqual(await lettersTo(server, other.email), []);
  });

  test("U25 taken meanwhile: the address cannot be used, and the link is not spent", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    await ask(browser, email);
    const page = await browser.follow(linkIn(await letterTo(server, email)));
    await somebody(server, { email: email.toUpperCase() });
    const refused = await browser.submit(page, "/email/finish");
    assert.deepEqual([refused.response.status, await emailOf(person)], [409, person.email]);
    assert.match(refused.text, /This address cannot be used/);
  });

  test("P17 another spelling of somebody's address is theirs, and one's own may be respelled", async () => {
    const other = await somebody(server, { email: "Straße.Ünï@Bücher.example" });
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    for (const email of [
      other.email.toUpperCase().replace("SS", "ß"),
      other.email.normalize("NFD"),
      "straße.ünï@xn--bcher-kva.example",
    ]) {
      assert.equal((await ask(browser, email)).url.pathname, "/account/email/sent");
      assert.deepEqual(await lettersTo(server, email), [], email);
    }
    const respelled = person.email.replace("grace", "Grace");
    await ask(browser, respelled);
    const done = await browser.submit(await browser.follow(linkIn(await letterTo(server, respelled))), "/email/finish");
    assert.match(done.text, /Your e-mail address is confirmed/);
    assert.equal(await emailOf(person), respelled);
    assert.deepEqual(await lettersTo(server, person.email), [], "no way back to the same address");
  });

  test("an address that is none, or one's own already, is refused on the page", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    for (const [email, words] of [
      ["", /The e-mail address must/],
      ["not an address", /must look like ada@example\.com/],
      ["a@example.com\r\nBcc: b@example.com", /must/],
      [person.email, /This is your address already/],
    ] as const) {
      const refused = await ask(browser, email);
      assert.equal(refused.response.status, 400, email);
      assert.match(refused.text, words);
    }
    assert.deepEqual(await server.letters(), []);
  });

  test("U30 it wants a recent sign-in, for the form as well", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const form = await open(browser, "/email");
    await later(16 * 60, async () => {
      assert.equal(
        (await browser.submit(form, "/account/email", { email: freeAddress() })).url.pathname,
        "/account/step-up",
      );
      const page = await browser.submit(await open(browser, "/email"), "/account/step-up", { password: PASSWORD });
      assert.equal(page.url.pathname, "/account/email");
    });
    assert.deepEqual(await server.letters(), []);
  });

  test("U32 an address gets three mails an hour, and the page does not tell", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    const pages = [];
    for (let i = 0; i < 4; i++) pages.push((await ask(browser, email)).text);
    assert.equal((await lettersTo(server, email)).length, 3);
    assert.equal(pages[3], pages[0]);
  });

  test("U32 a network gets twenty an hour, and is told", async () => {
    const browser = await signedIn(server, await somebody(server));
    for (let i = 0; i < 20; i++) assert.equal((await ask(browser, freeAddress())).response.status, 200);
    const refused = await ask(browser, freeAddress());
    assert.deepEqual([refused.response.status, refused.response.headers.get("retry-after")], [429, "3600"]);
    assert.match(refused.text, /Too many mails/);
    await server.letters();
  });
});

describe("U25 the link", () => {
  test("P05 opened by another person it changes nothing, and without a session the sign-in comes first and leads back", async () => {
    const [attacker, victim, email] = [await somebody(server), await somebody(server), freeAddress()];
    const his = await signedIn(server, attacker);
    await ask(his, email);
    const link = linkIn(await letterTo(server, email));
    const page = await his.follow(link);
    const hers = await signedIn(server, victim);
    const foreign = await hers.follow(link);
    assert.equal(foreign.response.status, 403);
    assert.match(foreign.text, /belongs to another account/);
    const { hidden } = formOf(await open(hers), "/sign-out");
    const token = new URL(link).searchParams.get("token") ?? "";
    assert.doesNotMatch(page.text, new RegExp(token), "U15 the form has a sealed ticket");
    const { ticket = "" } = formOf(page, "/email/finish").hidden;
    const forced = await hers.follow(`${server.issuer}/account/email/finish`, {
      method: "POST",
      body: new URLSearchParams({ csrf: hidden.csrf ?? "", ticket }),
    });
    assert.equal(forced.response.status, 403);
    assert.deepEqual([await emailOf(attacker), await emailOf(victim)], [attacker.email, victim.email]);

    const stranger = new Browser();
    const asked = await stranger.follow(link);
    assert.match(asked.text, /<h1>Sign in<\/h1>/);
    assert.doesNotMatch(asked.text, new RegExp(token), "P21");
    const refused = await stranger.submit(asked, "/account/sign-in", { email: victim.email, password: PASSWORD });
    assert.match(refused.text, /belongs to another account/);
    assert.equal(refused.url.search, "", "P21 the token is in no address");

    const own = new Browser();
    const wrong = await own.submit(await own.follow(link), "/account/sign-in", {
      email: attacker.email,
      password: "typo",
    });
    const finish = await own.submit(wrong, "/account/sign-in", { email: attacker.email, password: PASSWORD });
    assert.deepEqual([finish.url.pathname, finish.url.search], ["/account/email/finish", ""]);
    await own.submit(finish, "/email/finish");
    assert.equal(await emailOf(attacker), email);
  });

  test("P09 U23 it is void after another password, and one that was asked for before is not sent", async () => {
    const [person, email, next] = [await somebody(server), freeAddress(), freeAddress()];
    const browser = await signedIn(server, person);
    await ask(browser, email);
    const link = linkIn(await letterTo(server, email));
    await ask(browser, next);
    await server.store.users.update(person.id, { passwordHash: quickHash(NEW_PASSWORD) });
    assert.deepEqual(await lettersTo(server, next), [], "whoever asked may be locked out by now");
    const stop = await browser.submit(await browser.follow(link), "/email/finish");
    assert.deepEqual([stop.response.status, await emailOf(person)], [410, person.email]);
    assert.match(stop.text, /The account has changed since this mail was sent/);
  });

  test("U15 used, run out, not complete: each is said", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    await ask(browser, email);
    const link = linkIn(await letterTo(server, email));
    await later(DAY + 60, async () => {
      const over = await (await signedIn(server, person)).follow(link);
      assert.equal(over.response.status, 410);
      assert.match(over.text, /This link ran out/);
      assert.equal((await new Browser().follow(link)).response.status, 410, "without a session too");
    });
    for (const path of [link.slice(0, -1), `${server.issuer}/account/email/finish`]) {
      const cut = await browser.follow(path);
      assert.equal(cut.response.status, 404);
      assert.match(cut.text, /This link is not complete/);
    }
    await browser.submit(await browser.follow(link), "/email/finish");
    const used = await browser.follow(link);
    assert.equal(used.response.status, 410);
    assert.match(used.text, /This link was used/);
  });

  test("P07 the secret of one purpose opens no page of another", async () => {
    const { person, email, letter } = await moved();
    const undo = new URL(linkIn(letter)).searchParams.get("token");
    const browser = await signedIn(server, { email });
    assert.equal((await browser.follow(`${server.issuer}/account/email/finish?token=${undo}`)).response.status, 404);
    await ask(browser, freeAddress());
    const asked = (await server.letters()).find(({ subject }) => subject.startsWith("Confirm"));
    const change = new URL(linkIn(asked)).searchParams.get("token");
    assert.equal((await browser.follow(`${server.issuer}/account/email/undo?token=${change}`)).response.status, 404);
    assert.equal(await emailOf(person), email);
  });

  test("P29 P44 no form counts without the proof of its session, and nothing leads elsewhere", async () => {
    const [ada, eve] = [await signedIn(server, await somebody(server)), await signedIn(server, await somebody(server))];
    const { hidden } = formOf(await open(eve), "/sign-out");
    for (const csrf of [hidden.csrf ?? "", ""])
      for (const step of ["email", "email/code", "email/finish", "email/prove"]) {
        const body = new URLSearchParams({ csrf, email: freeAddress(), code: "BBBB-BBBB", ticket: "x".repeat(43) });
        const answer = await ada.fetch(`${server.issuer}/account/${step}?next=//evil.example`, {
          method: "POST",
          body,
        });
        assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/account?done=stale"], step);
      }
    for (const name of ["next", "redirect", "return_to", "for"])
      for (const value of ["//evil.example", "/\\evil.example", "https://evil.example", "%0d%0aLocation:x"])
        for (const path of ["email", "email/sent", "email/finish", "email/undo"]) {
          const answer = await ada.fetch(`${server.issuer}/account/${path}?${name}=${value}`);
          assert.doesNotMatch(answer.headers.get("location") ?? "", /evil|%0d/, path);
        }
  });
});

describe("U25 the way back", () => {
  test("P57 the old address takes the account back, even after a new password, and throws everybody out", async () => {
    const { person, email, browser: thief, letter } = await moved();
    const link = linkIn(letter);
    assert.ok(link.startsWith(`${server.issuer}/account/email/undo?token=`));
    const tokens = await getTokens({
      ...{ issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, scope: "openid posts:read" },
      ...{ browser: thief, email, password: PASSWORD },
    });
    await server.store.users.update(person.id, { passwordHash: quickHash("the thief chose this one") });
    const thief2 = await signedIn(server, { email }, new Browser(), "the thief chose this one");
    await ask(thief2, freeAddress());
    const pending = linkIn((await server.letters()).find(({ subject }) => subject.startsWith("Confirm")));

    const owner = new Browser();
    const page = await owner.follow(link);
    assert.match(page.text, /Take the old address back and sign out everywhere\?/);
    assert.equal(await emailOf(person), email, "U02 a GET changes nothing");
    const pressed = await owner.submit(page, "/email/undo");
    assert.equal(pressed.response.status, 400, "P01 nor does a button that a scanner presses");
    assert.equal(await emailOf(person), email);
    const done = await owner.submit(pressed, "/email/undo", { email: person.email.toUpperCase() });
    assert.match(done.text, /You have your address back/);
    assert.deepEqual([done.url.search, await emailOf(person)], ["", person.email]);

    const found = await server.store.users.find(person.id);
    assert.deepEqual([found?.passwordHash, found?.emailVerified], [null, true]);
    for (const browser of [thief, thief2]) assert.match((await open(browser)).text, /<h1>Sign in<\/h1>/);
    const refreshed = await requestToken(server.issuer, {
      ...{ grant_type: "refresh_token", refresh_token: tokens.refresh_token, client_id: "spa" },
    });
    assert.equal(refreshed.body.error, "invalid_grant");
    assert.equal((await thief.follow(pending)).response.status, 410, "what was asked for meanwhile is void");
    const [mail] = await server.store.mails.list({ limit: 1 });
    assert.deepEqual([mail?.kind, mail?.address], ["recovery", person.email], "a new password is chosen by mail");
    const again = await owner.follow(link);
    assert.match(again.text, /This link was used/);
  });

  test("P57 it does so although whoever changed the address has asked for the deletion of the account", async () => {
    const { person, letter } = await moved();
    const deletesAt = new Date(Date.now() + 86_400_000).toISOString();
    await server.store.deletions.ask(person.id, { deletesAt, posts: "delete" });
    const owner = new Browser();
    const page = await owner.follow(linkIn(letter));
    const done = await owner.submit(page, "/email/undo", { email: person.email });
    assert.match(done.text, /You have your address back/);
    const found = await server.store.users.find(person.id);
    assert.deepEqual([found?.deletesAt, found?.email, found?.name], [null, person.email, person.name]);
  });

  test("P06 U25 on every node nobody is signed in afterwards, and clients are told", async () => {
    const calls: string[] = [];
    const receiver = createServer((request, response) => {
      calls.push(request.url ?? "");
      response.end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = receiver.address() as AddressInfo;
      await server.addClient({ id: "told", backchannelLogoutUri: `http://127.0.0.1:${port}/told` });
      const { url } = await server.openNode();
      const { person, email, browser, letter } = await moved();
      const tokens = await getTokens({
        ...{ issuer: server.issuer, clientId: "told", redirectUri: SPA_CALLBACK, scope: "openid posts:read" },
        ...{ browser, email, password: PASSWORD },
      });
      assert.match((await browser.follow(`${url}/account`)).text, /<h1>Your account<\/h1>/);
      const owner = new Browser();
      await owner.submit(await owner.follow(linkIn(letter)), "/email/undo", { email: person.email });
      assert.match((await browser.follow(`${url}/account`)).text, /<h1>Sign in<\/h1>/);
      const now = Math.floor(Date.now() / 1_000);
      assert.equal(await server.store.artifacts.findAccessToken(hashToken(tokens.access_token), now), null);
      for (let tries = 0; calls.length === 0; tries++) {
        assert.ok(tries < 500, "the client was not told");
        await pause(10);
      }
      assert.deepEqual(calls, ["/told"]);
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  });

  test("U25 it is good for 72 hours, in the browser that opened it, for the address that was mailed", async () => {
    const { person, email, letter } = await moved();
    const link = linkIn(letter);
    const owner = new Browser();
    const page = await owner.follow(link);
    const { hidden } = formOf(page, "/email/undo");
    const elsewhere = await new Browser().follow(`${server.issuer}/account/email/undo`, {
      method: "POST",
      body: new URLSearchParams({ ...hidden, email: person.email }),
    });
    assert.match(elsewhere.text, /This page is out of date/, "A12");
    const other = await owner.submit(page, "/email/undo", { email });
    assert.match(other.text, /not the address at which you got the mail/);
    assert.equal(await emailOf(person), email);
    await later(3 * DAY + 60, async () => {
      const over = await owner.follow(link);
      assert.match(over.text, /This link ran out/);
      assert.doesNotMatch(over.text, /invited/);
      assert.equal((await owner.submit(page, "/email/undo", { email: person.email })).response.status, 410);
    });
  });

  test("U25 somebody else has the old address by now: it cannot be used, and nobody is signed out", async () => {
    const { person, browser, letter } = await moved();
    await somebody(server, { email: person.email });
    const owner = new Browser();
    const stop = await owner.submit(await owner.follow(linkIn(letter)), "/email/undo", { email: person.email });
    assert.equal(stop.response.status, 409);
    assert.match((await open(browser)).text, /<h1>Your account<\/h1>/);
  });

  test("an address that was never proved gets no way into the account, and no notice", async () => {
    const [person, email] = [await somebody(server, { emailVerified: false }), freeAddress()];
    const browser = await signedIn(server, person);
    await ask(browser, email);
    await browser.submit(await browser.follow(linkIn(await letterTo(server, email))), "/email/finish");
    assert.equal(await emailOf(person), email);
    assert.deepEqual(await lettersTo(server, person.email), []);
  });

  test("one that waits is not sent once the account has the address again", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    for (const address of [email, person.email]) {
      await ask(browser, address);
      const asked = (await server.store.mails.list({ limit: 20 })).find(
        ({ kind, state }) => kind === "email-change" && state === "PENDING",
      );
      assert.ok(asked !== undefined);
      const letter = await server.server.compose(asked);
      await browser.submit(await browser.follow(linkIn(letter ?? undefined)), "/email/finish");
      assert.equal(await emailOf(person), address);
    }
    const subjects = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.ok(!subjects.includes("Your e-mail address was changed"), subjects.join());
  });
});

describe("U27 an address that is not proved", () => {
  test("U27 the account page says so, and a mail to it proves it", async () => {
    const person = await somebody(server, { emailVerified: false });
    const browser = await signedIn(server, person);
    const page = await open(browser);
    assert.match(page.text, /Your e-mail address is not confirmed yet/);
    await browser.submit(page, "/email/prove");
    const letters = await server.letters();
    assert.deepEqual(
      letters.map(({ to }) => to),
      [person.email],
    );
    const done = await browser.submit(await browser.follow(linkIn(letters[0])), "/email/finish");
    assert.match(done.text, /Your e-mail address is confirmed/);
    assert.doesNotMatch(done.text, /not confirmed yet/);
    const found = await server.store.users.find(person.id);
    assert.deepEqual([found?.emailVerified, found?.email], [true, person.email]);
    await browser.submit(page, "/email/prove");
    assert.deepEqual(await server.letters(), [], "once is enough");
  });
});

test("P21 neither the secret nor the new address stands in log, audit or database", async () => {
  const [person, email] = [await somebody(server), freeAddress()];
  const browser = await signedIn(server, person);
  const sent = await ask(browser, email);
  const letter = await letterTo(server, email);
  const token = new URL(linkIn(letter)).searchParams.get("token") ?? "";
  const code = codeIn(letter);
  const page = await browser.follow(linkIn(letter));
  assert.equal(page.response.headers.get("referrer-policy"), "no-referrer");
  await browser.submit(sent, "/email/code", { code: "BBBB-BBBB" });
  await browser.submit(page, "/email/finish");
  const undo = new URL(linkIn(await letterTo(server, person.email))).searchParams.get("token") ?? "";
  await new Browser().follow(`${server.issuer}/account/email/undo?token=${undo}`);
  const events = await listUntil(server.store.audit, { userId: person.id }, (all) => all.length >= 3);
  const written = [server.lines.join("\n"), JSON.stringify(events)];
  for (const text of written)
    for (const secret of [token, undo, code, email]) assert.ok(!text.includes(secret), secret);
  const stored = await server.readAll();
  for (const secret of [token, undo, code, code.replace("-", "")]) assert.ok(!stored.includes(secret), secret);
});

test("U51 a server that sends no mail says so, and offers no form", async () => {
  const silent = await openTestServer({ sendsMail: false, settings: { SUPPORT_CONTACT: "help@example.com" } });
  try {
    const browser = new Browser();
    const page = await browser.follow(`${silent.issuer}/account`);
    await browser.submit(page, "/account/sign-in", { email: silent.ada.email, password: PASSWORD });
    const answer = await browser.follow(`${silent.issuer}/account/email`);
    assert.match(answer.text, /This server sends no mail.*Ask help@example\.com/s);
    assert.doesNotMatch(answer.text, /<form/);
  } finally {
    await silent.close();
  }
});
