import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { AuthorizationServerSettings } from "../../src/authorization-server/options.ts";
import { later, linkIn, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, exchange, requestToken, type Stop, walk } from "./client.ts";
import { askFor, codeIn, forgetNetwork, lettersTo, letterTo, linkFor, postOf, signUp } from "./mailed.ts";
import { freeAddress, NEW_PASSWORD, openAccount, signedIn, signInAt, somebody } from "./people.ts";

const OPEN: Partial<AuthorizationServerSettings> = { SIGN_UP: "open" };

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: OPEN });
});
after(() => server.close());
// All tests share one network, which may ask for 20 mails an hour.
beforeEach(() => forgetNetwork(server));

async function withServer(
  options: Parameters<typeof openTestServer>[0],
  act: (server: TestServer) => Promise<void>,
): Promise<void> {
  const other = await openTestServer(options);
  try {
    await act(other);
  } finally {
    await other.close();
  }
}

describe("sign-up", () => {
  test("U10 U12 U14 from the sign-in page to the account, with the address proved", async () => {
    const email = freeAddress();
    const browser = new Browser();
    const signIn = await browser.follow(`${server.issuer}/account`);
    assert.match(signIn.text, /<a href="\/sign-up">Create an account<\/a>/);
    const form = await browser.follow(`${server.issuer}/sign-up`);
    assert.match(form.text, /Send the mail/);
    const sent = await browser.submit(form, "/sign-up", { email });
    assert.match(sent.url.pathname, /^\/sign-up\/sent$/);
    assert.match(
      sent.text,
      /We have sent a mail to <strong><bdi>new-\d+@example\.com<\/bdi><\/strong>\. Open its link, or type the code/,
    );
    assert.match(sent.text, /Nothing there\? Look in the spam folder\./);
    assert.doesNotMatch(sent.text, /mailbox/);
    assert.equal(await server.store.users.findByEmail(email), null, "U01 nobody yet");

    const letter = await letterTo(server, email);
    assert.ok(letter);
    assert.deepEqual([letter.to, letter.subject], [email, "Finish your account"]);
    const page = await browser.follow(linkIn(letter));
    assert.match(page.text, /This link is good until <time/);
    assert.match(page.text, new RegExp(`autocomplete="username" readonly value="${email}"`));
    const account = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.equal(account.url.pathname, "/account");
    assert.match(account.text, /<h1>Your account<\/h1>/);

    const person = await server.store.users.findByEmail(email);
    assert.ok(person);
    assert.deepEqual([person.name, person.role, person.emailVerified], ["Grace", "member", true]);
    const [event] = await server.store.audit.list({ userId: person.id, limit: 10 });
    assert.deepEqual([event?.event, event?.result, event?.detail], ["sign-up", "ok", "account created"]);
    assert.match((await signInAt(server, email, NEW_PASSWORD)).text, /<h1>Your account<\/h1>/);
  });

  test("U10 closed, or without mail: no page and no link", async () => {
    for (const options of [{}, { settings: OPEN, sendsMail: false }])
      await withServer(options, async (closed) => {
        for (const path of ["/sign-up", "/sign-up/sent", "/sign-up/finish", "/sign-up/done"])
          assert.equal((await fetch(closed.issuer + path)).status, 404, path);
        for (const path of ["/sign-up", "/sign-up/code", "/sign-up/finish"])
          assert.equal((await fetch(closed.issuer + path, { method: "POST" })).status, 404, path);
        const signIn = await new Browser().follow(`${closed.issuer}/account`);
        assert.doesNotMatch(signIn.text, /Create an account/);
        assert.match(signIn.text, /Forgot the password\?/, "U20 always there");
      });
  });

  test("U10 by invitation: only invited addresses get a mail, and every answer is the same", async () => {
    await withServer({ settings: { SIGN_UP: "invitation" } }, async (invited) => {
      const { store, ada } = invited;
      const [open, nobody] = [freeAddress(), freeAddress()];
      const invitation = { email: open, role: "editor", invitedBy: ada.id } as const;
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      await store.invitations.create({ ...invitation, expiresAt });
      const page = await new Browser().follow(`${invited.issuer}/sign-up`);
      assert.match(page.text, /Accounts here are by invitation\. Open the link in your invitation\./);
      for (const email of [open, nobody, ada.email]) {
        const sent = await askFor(invited, "/sign-up", email);
        assert.match(sent.text, new RegExp(`If <strong><bdi>${email}</bdi></strong> is invited`));
        assert.doesNotMatch(sent.text, /name="code"/);
      }
      const letters = await invited.letters();
      assert.deepEqual(
        letters.map(({ to }) => to),
        [open],
      );
      assert.match(linkIn(letters[0]), /\/invitation\?token=/);
      assert.deepEqual(letters[0]?.parts[0], {
        text: "Ada of Example invites you to create an account. Open the link, enter your name and choose a password.",
      });
      assert.equal((await fetch(`${invited.issuer}/sign-up/finish`)).status, 404, "nobody finishes without one");
    });
  });

  test("U10 P18 addresses of other domains are refused by a rule that is the same for everybody", async () => {
    await withServer({ settings: { ...OPEN, SIGN_UP_DOMAINS: ["example.com", ".example.net"] } }, async (limited) => {
      for (const email of [
        "a@example.com.evil",
        "a@evilexample.com",
        "a@sub.example.com",
        "a@example.net",
        "a@exаmple.com",
        "bob@elsewhere.example",
      ]) {
        const refused = await askFor(limited, "/sign-up", email);
        assert.equal(refused.response.status, 400, email);
        assert.match(
          refused.text,
          /Accounts here are for addresses at example\.com and every domain below example\.net\./,
        );
      }
      for (const email of ["a@example.com", "a@EXAMPLE.com", "a@b.example.net"])
        assert.match((await askFor(limited, "/sign-up", email)).url.pathname, /sent$/, email);
      assert.equal((await askFor(limited, "/sign-up", "a@evil@example.com")).response.status, 400);
      assert.equal((await limited.letters()).length, 3);
    });
  });

  test("U17 the first person comes by the set-up link, and sign-up makes no administrator", async () => {
    await withServer({ settings: OPEN, empty: true }, async (empty) => {
      const page = await fetch(`${empty.issuer}/sign-up`);
      assert.equal(page.status, 404);
      assert.match(await page.text(), /not set up yet/);
      await empty.store.mails.add({
        ...{ kind: "sign-up", userId: null, address: freeAddress(), language: "en", params: {} },
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
      });
      assert.deepEqual(await empty.letters(), [], "nothing is sent");
    });
    const email = freeAddress();
    await signUp(server, email, new Browser(), {
      role: "admin",
      email: "other@example.com",
      emailVerified: "1",
      id: "1",
    });
    assert.equal((await server.store.users.findByEmail(email))?.role, "member");
  });

  test("U12 on a server for developers the page leads to the mailbox", async () => {
    await withServer({ settings: OPEN, hasMailbox: true }, async (developers) => {
      const sent = await askFor(developers, "/sign-up", freeAddress());
      assert.match(sent.text, /<a href="\/mailbox">/);
      assert.match((await askFor(developers, "/recover", freeAddress())).text, /<a href="\/mailbox">/);
    });
  });

  test("U14 P03 every rule of the form is told at once, nothing is spent, and a password is never sent back", async () => {
    const email = freeAddress();
    const browser = new Browser();
    const page = await browser.follow(await linkFor(server, "/sign-up", email, browser));
    const refused = await browser.submit(page, "/sign-up/finish", { name: "", password: "short" });
    assert.equal(refused.response.status, 400);
    for (const words of [/Your name must not be empty/, /at least 15 characters/, /2 marked fields/])
      assert.match(refused.text, words);
    assert.doesNotMatch(refused.text, /value="short"/);
    const own = await browser.submit(refused, "/sign-up/finish", {
      name: "Grace",
      password: `about ${email} and more`,
    });
    assert.match(own.text, /must not contain the account&#39;s e-mail address/);
    const done = await browser.submit(own, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.match(done.text, /<h1>Your account<\/h1>/);
  });

  test("U16 a second mail does not end the first; the use of one ends both", async () => {
    const email = freeAddress();
    const [first, second] = [await linkFor(server, "/sign-up", email), await linkFor(server, "/sign-up", email)];
    const browser = new Browser();
    const page = await browser.follow(first);
    assert.equal((await browser.follow(second)).response.status, 200);
    await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    const [used, other] = [await browser.follow(first), await browser.follow(second)];
    assert.deepEqual([used.response.status, other.response.status], [410, 410]);
    assert.match(used.text, /This link was used/);
    assert.match(other.text, /Another link was used/);
    for (const { text } of [used, other]) assert.match(text, /href="\/account">Sign in</);
  });

  test("U14 the person goes on to the client that asked, and the form's policy lets the browser follow", async () => {
    const email = freeAddress();
    const browser = new Browser();
    const spa = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const { url, verifier } = authorizationRequest(spa);
    const signIn = await browser.follow(url);
    const href = /href="(\/sign-up\?interaction=[\w-]+)"/.exec(signIn.text)?.[1] ?? "";
    await browser.submit(await browser.follow(server.issuer + href), "/sign-up", { email });
    const letter = await letterTo(server, email);
    const page = await browser.follow(linkIn(letter));
    assert.match(
      page.response.headers.get("content-security-policy") ?? "",
      /form-action 'self' https:\/\/spa\.example\.com;/,
    );
    const consent = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.match(consent.text, /name="decision"/);
    const end = await walk(browser, consent, spa);
    assert.ok(end.left);
    const { status, body } = await requestToken(
      server.issuer,
      exchange(spa, end.url.searchParams.get("code") ?? "", verifier),
    );
    assert.equal(status, 200);
    assert.ok(body.access_token);
  });

  test("U14 prompt=login is done with by the sign-up, and by nothing that came before the request", async () => {
    const email = freeAddress();
    const spa = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params: { prompt: "login" } };
    const browser = new Browser();
    const signIn = await browser.follow(authorizationRequest(spa).url);
    const href = /href="(\/sign-up\?interaction=[\w-]+)"/.exec(signIn.text)?.[1] ?? "";
    await browser.submit(await browser.follow(server.issuer + href), "/sign-up", { email });
    const page = await browser.follow(linkIn(await letterTo(server, email)));
    const consent = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.match(consent.text, /name="decision"/);

    await later(5, async () => {
      const asked = await browser.follow(authorizationRequest(spa).url);
      assert.match(asked.text, /name="password"/);
      const again = await browser.follow(`${asked.url.href}/continue`);
      assert.match(again.text, /name="password"/, "the session is older than the request");
    });
  });

  test("U60 prompt=create leads to sign-up where it is open, and a person with an account still signs in", async () => {
    const discovery = (await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json()) as {
      prompt_values_supported: string[];
    };
    assert.ok(discovery.prompt_values_supported.includes("create"));
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params: { prompt: "create" } };
    const browser = new Browser();
    const form = await browser.follow(authorizationRequest(options).url);
    assert.equal(form.url.pathname, "/sign-up");
    const email = freeAddress();
    await browser.submit(form, "/sign-up", { email });
    const page = await browser.follow(linkIn(await letterTo(server, email)));
    const consent = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.ok((await walk(browser, consent, options)).left, "it is not asked for once more");

    const other = new Browser();
    const again = await other.follow(authorizationRequest(options).url);
    const href = /<a href="(\/interaction\/[\w-]+\?existing-account)">Sign in/.exec(again.text)?.[1] ?? "";
    const signIn = await other.follow(server.issuer + href);
    const answered = await walk(
      other,
      await other.submit(signIn, "/sign-in", { email, password: NEW_PASSWORD }),
      options,
    );
    assert.ok(answered.left && answered.url.searchParams.has("code"));
    await withServer({}, async (closed) => {
      const refused = await new Browser().follow(authorizationRequest({ ...options, issuer: closed.issuer }).url);
      assert.equal(refused.url.searchParams.get("error"), "invalid_request");
    });
  });
});

describe("the code", () => {
  test("U13 it stands for the link in the window where it was asked for, however it is typed", async () => {
    for (const type of [
      (code: string) => code,
      (code: string) => ` ${code.toLowerCase().replace("-", " ")} `,
      (code: string) => code.replace("-", ""),
    ]) {
      const browser = new Browser();
      const email = freeAddress();
      const sent = await askFor(server, "/sign-up", email, browser);
      const letter = await letterTo(server, email);
      assert.ok(letter);
      assert.match(codeIn(letter), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      const page = await browser.submit(sent, "/sign-up/code", { code: type(codeIn(letter)) });
      const done = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
      assert.match(done.text, /<h1>Your account<\/h1>/);
      const late = await browser.submit(sent, "/sign-up/code", { code: codeIn(letter) });
      assert.equal(late.response.status, 410);
      assert.match(late.text, /This link was used/);
    }
  });

  test("U13 P04 the link works in any browser; there it signs nobody in, and the first window gets nothing either", async () => {
    const email = freeAddress();
    const [attacker, victim] = [new Browser(), new Browser()];
    const sent = await askFor(server, "/sign-up", email, attacker);
    const letter = await letterTo(server, email);
    const page = await victim.follow(linkIn(letter));
    const done = await victim.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.equal(done.url.pathname, "/sign-up/done");
    assert.match(done.text, /Your account is ready/);
    assert.match(done.text, /Go back to the window where you began, or sign in here\./);
    for (const browser of [attacker, victim]) {
      assert.equal(browser.cookie("content-api-session"), undefined);
      assert.match((await browser.follow(`${server.issuer}/account`)).text, /<h1>Sign in<\/h1>/);
    }
    assert.match((await attacker.follow(sent.url)).text, /We have sent a mail/);
  });

  test("U13 U35 P11 five tries, counted before the check, and the link is not spent by them", async () => {
    const browser = new Browser();
    const email = freeAddress();
    const sent = await askFor(server, "/sign-up", email, browser);
    const letter = await letterTo(server, email);
    assert.ok(letter);
    const wrong = codeIn(letter) === "BBBB-BBBB" ? "CCCC-CCCC" : "BBBB-BBBB";
    const words = ["4 tries are left", "3 tries are left", "2 tries are left", "1 try is left", "No tries are left"];
    const empty = await browser.submit(sent, "/sign-up/code", { code: " " });
    assert.match(empty.text, /Enter the code from the mail\./, "which is no try");
    for (const left of words) {
      const refused = await browser.submit(sent, "/sign-up/code", { code: wrong });
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, new RegExp(`This code is not right\\. ${left}\\.`));
    }
    const sixth = await browser.submit(sent, "/sign-up/code", { code: codeIn(letter) });
    assert.deepEqual([sixth.response.status, sixth.response.headers.get("retry-after")], [429, "3600"]);
    assert.equal((await browser.follow(linkIn(letter))).response.status, 200);
  });

  test("P11 of 30 tries at the same time five are judged", async () => {
    const browser = new Browser();
    const sent = await askFor(server, "/sign-up", freeAddress(), browser);
    await server.letters();
    const tries = Array.from({ length: 30 }, () => browser.submit(sent, "/sign-up/code", { code: "BBBB-BBBB" }));
    const answers = (await Promise.all(tries)).map(({ response }) => response.status);
    assert.equal(answers.filter((status) => status === 400).length, 5);
    assert.equal(answers.filter((status) => status === 429).length, 25);
  });

  test("P11 another browser, and the code for another address, open nothing", async () => {
    const [browser, stranger] = [new Browser(), new Browser()];
    const [one, two] = [freeAddress(), freeAddress()];
    const sentOne = await askFor(server, "/sign-up", one, browser);
    const letterOne = await letterTo(server, one);
    const sentTwo = await askFor(server, "/sign-up", two, browser);
    const letterTwo = await letterTo(server, two);
    assert.ok(letterOne && letterTwo);
    const mixed = await browser.submit(sentTwo, "/sign-up/code", { code: codeIn(letterOne) });
    assert.match(mixed.text, /This code is not right/);

    const sentThere = await askFor(server, "/sign-up", one, stranger);
    await server.letters();
    const elsewhere = await stranger.submit(sentThere, "/sign-up/code", { code: codeIn(letterOne) });
    assert.match(elsewhere.text, /This code is not right/);
    const stolen = await stranger.submit(sentOne, "/sign-up/code", { code: codeIn(letterOne) });
    assert.equal(stolen.url.pathname, "/sign-up", "the form of another browser");
    assert.equal((await stranger.follow(sentOne.url)).url.pathname, "/sign-up", "nor does its page tell the address");
    const right = await browser.submit(sentOne, "/sign-up/code", { code: codeIn(letterOne) });
    assert.match(right.text, /Finish your account/);
  });
});

describe("the session that a sign-up begins", () => {
  test("P45 A13 it has an id of its own, whatever cookie was there before, and ends the session of somebody else", async () => {
    const planted = new Browser();
    planted.put("content-api-session", "planted-by-somebody-else");
    await signUp(server, freeAddress(), planted);
    assert.notEqual(planted.cookie("content-api-session"), "planted-by-somebody-else");
    assert.match((await planted.follow(`${server.issuer}/account`)).text, /<h1>Your account<\/h1>/);

    const browser = new Browser();
    await signInAt(server, server.bob.email, PASSWORD, browser);
    const before = browser.cookie("content-api-session");
    const email = freeAddress();
    assert.match((await signUp(server, email, browser)).text, new RegExp(`<bdi>${email}</bdi>`));
    assert.notEqual(browser.cookie("content-api-session"), before);
    const [left] = await server.store.artifacts.listOfUser(server.bob.id, ["Session"]);
    assert.equal(left, undefined);
  });

  test("U33 the browser is known from then on: strangers cannot lock its person out", async () => {
    const browser = new Browser();
    const email = freeAddress();
    await signUp(server, email, browser);
    await browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-out", {});
    for (let i = 0; i < 10; i++) await signInAt(server, email, "a wrong password of a stranger");
    assert.equal((await signInAt(server, email, NEW_PASSWORD)).response.status, 429);
    assert.match((await signInAt(server, email, NEW_PASSWORD, browser)).text, /<h1>Your account<\/h1>/);
  });

  test("an account that came about meanwhile is said to whoever has proved the address; nothing is spent", async () => {
    const email = freeAddress();
    const browser = new Browser();
    const page = await browser.follow(await linkFor(server, "/sign-up", email, browser));
    await somebody(server, { email: email.toUpperCase() });
    const taken = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.equal(taken.response.status, 409);
    assert.match(taken.text, /You have an account already/);
    assert.equal(browser.cookie("content-api-session"), undefined);
  });

  test("U05 an address that somebody asked for and has not proved is nobody's: a stranger signs up with it, and nothing is joined", async () => {
    const [person, email] = [await somebody(server), freeAddress()];
    const browser = await signedIn(server, person);
    await forgetNetwork(server);
    await browser.submit(await openAccount(server, browser, "/email"), "/account/email", { email });
    const link = linkIn(await letterTo(server, email));
    await askFor(server, "/recover", email);
    assert.deepEqual(await lettersTo(server, email), [], "it finds no account");
    await signUp(server, email.toUpperCase());
    const stranger = await server.store.users.findByEmail(email);
    assert.ok(stranger !== null && stranger.id !== person.id);
    const late = await browser.submit(await browser.follow(link), "/email/finish");
    assert.equal(late.response.status, 409);
    assert.match((await signInAt(server, email, PASSWORD)).text, /password is wrong/, "that of the one who asked");
    for (const user of [person, stranger]) assert.deepEqual(await server.store.users.find(user.id), user);
  });

  test("U05 a new account at the address of an unproved one is refused, and the unproved one stays as it is", async () => {
    const email = freeAddress();
    const browser = new Browser();
    const page = await browser.follow(await linkFor(server, "/sign-up", email, browser));
    const unproved = await somebody(server, { email: email.toUpperCase(), emailVerified: false });
    const taken = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.equal(taken.response.status, 409);
    assert.equal(browser.cookie("content-api-session"), undefined);
    assert.deepEqual(await server.store.users.find(unproved.id), unproved);
    assert.match((await signInAt(server, email, NEW_PASSWORD)).text, /password is wrong/);
  });

  test("P53 too many forms at the same time wait in the queue of the sign-ins; those that find no place spend nothing", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const about = { kind: "sign-up", userId: null, language: "en", params: {}, expiresAt } as const;
    const count = 120;
    for (let i = 0; i < count; i++) await server.store.mails.add({ ...about, address: freeAddress() });
    const browser = new Browser();
    const pages: Stop[] = [];
    for (const letter of await server.letters()) pages.push(await browser.follow(linkIn(letter)));
    assert.equal(pages.length, count);
    const values = { name: "Grace", password: NEW_PASSWORD };
    const submit = async (page: Stop) => (await browser.fetch(...postOf(page, "/sign-up/finish", values))).status;
    const statuses = await Promise.all(pages.map(submit));
    assert.deepEqual(new Set(statuses), new Set([303, 503]));
    assert.match((await signInAt(server, server.ada.email, PASSWORD)).text, /<h1>Your account<\/h1>/);
    const refused = pages[statuses.indexOf(503)];
    assert.ok(refused);
    assert.equal(await submit(refused), 303);
  });
});
