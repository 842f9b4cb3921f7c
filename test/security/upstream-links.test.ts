import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { User } from "../../src/domain/people/user.ts";
import { openAuthenticator } from "./authenticator.ts";
import { later, linkIn, listUntil, PASSWORD, SPA_CALLBACK } from "./authorization-server.ts";
import { Browser, formOf, type Stop, walk } from "./client.ts";
import { addPasskey } from "./passkeys.ts";
import { freeAddress, isSignedIn, NEW_PASSWORD, openAccount, STALE, signedIn, signInAt, somebody } from "./people.ts";
import { guarded } from "./second-step.ts";
import {
  atClient,
  continueWith,
  type Federation,
  freeSubject,
  linked,
  openFederation,
  PLACES,
  playing,
  wayBack,
} from "./upstream.ts";

let server: Federation;
before(async () => {
  server = await openFederation({ trustEmail: false, signUp: false });
});
after(() => server.close());

const UNCONFIRMED = /ACME cannot confirm that it is you\. Sign out here, and then sign in again\./;

async function ownerOf(subject: string): Promise<string | null> {
  return (await server.store.upstreamIdentities.find("acme", subject))?.userId ?? null;
}

/** A browser that has come back from ACME as nobody, and wants to sign in to link. */
async function wanting(
  sub: string,
  open = PLACES["the account page"],
  browser = new Browser(),
): Promise<{ browser: Browser; page: Stop }> {
  playing(server, { sub, email: "ada@acme.example" });
  const unknown = await continueWith(server, browser, await (open ?? assert.fail())(server, browser));
  const page = await browser.submit(unknown, "/upstream/link");
  return { browser, page };
}

describe("U63 an identity that is linked after a sign-in here", () => {
  for (const [place, open] of Object.entries(PLACES)) {
    test(`U63 sign in, then link, at ${place}: it is asked once more, and told by mail`, async () => {
      const person = await somebody(server);
      const sub = freeSubject();
      const { browser, page } = await wanting(sub, open);
      assert.match(page.text, /Sign in to your account\. Then you can link <bdi>ACME<\/bdi> to it\./);
      const question = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
      assert.match(question.text, /Link <bdi>ACME<\/bdi> \(<bdi>ada@acme\.example<\/bdi>\) to your account\?/);
      assert.match(question.text, new RegExp(`signed in as <strong><bdi>${person.email}`));
      assert.equal(await ownerOf(sub), null, "nothing is linked yet");
      const before = browser.cookie("content-api-session");
      const end = await browser.submit(question, "/account/link", { answer: "link" });
      assert.equal(await ownerOf(sub), person.id);
      assert.notEqual(browser.cookie("content-api-session"), before, "U34 a new id");
      if (place === "a client's request") {
        const done = await walk(browser, end, { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
        assert.ok(done.left && done.url.searchParams.has("code"), "the client's request goes on");
      } else assert.match(end.text, /The service is linked\./);
      const letter = (await server.letters()).find(({ to, subject }) => to === person.email && /linked/.test(subject));
      assert.equal(letter?.subject, "A service was linked to your account");
      const [event] = await listUntil(
        server.store.audit,
        { userId: person.id, event: "link" },
        (all) => all.length > 0,
      );
      assert.deepEqual([event?.result, event?.detail], ["ok", "linked: acme"]);
      const fresh = new Browser();
      await continueWith(server, fresh, await open(server, fresh));
      assert.ok(await isSignedIn(server, fresh), "and it signs in");
    });

    test(`U63 "Not now" links nothing, and goes on, at ${place}`, async () => {
      const person = await somebody(server);
      const sub = freeSubject();
      const { browser, page } = await wanting(sub, open);
      const question = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
      const end = await browser.submit(question, "/account/link", { answer: "not-now" });
      assert.equal(await ownerOf(sub), null);
      assert.doesNotMatch(end.text, /Link <bdi>ACME/);
      assert.ok(await isSignedIn(server, browser));
      assert.doesNotMatch(
        (await openAccount(server, browser, "/link")).text,
        /to your account\?/,
        "the identity is gone",
      );
    });

    test(`P41 all steps come before the question, at ${place}`, async () => {
      const { person, digits } = await guarded(server);
      const sub = freeSubject();
      const { browser, page } = await wanting(sub, open);
      const second = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
      assert.match(second.text, /<h1>Second step<\/h1>/);
      assert.doesNotMatch((await openAccount(server, browser, "/link")).text, /to your account\?/);
      const question = await browser.submit(second, "/second-step", { digits: digits() });
      assert.match(question.text, /to your account\?/);
    });
  }

  test("without the wish nobody is asked, however they sign in", async () => {
    const person = await somebody(server);
    const browser = new Browser();
    playing(server, { sub: freeSubject() });
    await continueWith(server, browser, await openAccount(server, browser));
    const end = await signInAt(server, person.email, PASSWORD, browser);
    assert.match(end.text, /<h1>Your account<\/h1>/);
    assert.doesNotMatch((await openAccount(server, browser, "/link")).text, /to your account\?/);
  });

  test("P40 the first person who signs in is the only one who is asked", async () => {
    const [first, other] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    const { browser, page } = await wanting(sub);
    const question = await browser.submit(page, "/sign-in", { email: first.email, password: PASSWORD });
    await browser.submit(await openAccount(server, browser), "/sign-out");
    const end = await signInAt(server, other.email, PASSWORD, browser);
    assert.match(end.text, /<h1>Your account<\/h1>/);
    assert.match((await openAccount(server, browser, "/link")).text, /<h1>Your account<\/h1>/);
    const stale = await browser.submit(question, "/account/link", { answer: "link" });
    assert.match(stale.text, /The page was out of date/);
    assert.equal(await ownerOf(sub), null);
  });

  test("P40 an identity that got another owner meanwhile belongs to another account", async () => {
    const [person, thief] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    const { browser, page } = await wanting(sub);
    const question = await browser.submit(page, "/sign-in", { email: thief.email, password: PASSWORD });
    await linked(server, person, sub);
    const refused = await browser.submit(question, "/account/link", { answer: "link" });
    assert.equal(refused.response.status, 409);
    assert.match(refused.text, /belongs to another account/);
    assert.equal(await ownerOf(sub), person.id);
  });

  test("ten minutes later the identity is forgotten", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    const { browser, page } = await wanting(sub);
    await later(11 * 60, async () => {
      const end = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
      assert.doesNotMatch(end.text, /to your account\?/);
    });
  });
});

describe("U63 U66 links on the account page", () => {
  /** The page of links, of a person who has just signed in. */
  function openLinks(browser: Browser): Promise<Stop> {
    return openAccount(server, browser, "/links");
  }

  async function link(browser: Browser, sub: string): Promise<Stop> {
    playing(server, { sub, email: "ada@acme.example" });
    return continueWith(server, browser, await openLinks(browser), { form: "/account/links" });
  }

  test("U63 a signed-in person links, sees and removes it; each is told by mail and written down", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const before = browser.cookie("content-api-session");
    const sub = freeSubject();
    const page = await link(browser, sub);
    assert.match(page.text, /The service is linked\./);
    assert.match(page.text, /<bdi>ACME<\/bdi><\/strong> <bdi>ada@acme\.example<\/bdi>/);
    assert.notEqual(browser.cookie("content-api-session"), before, "U34");
    assert.match((await link(browser, sub)).text, /was linked to your account already/);
    assert.match((await openAccount(server, browser)).text, /<strong>Linked services<\/strong>.*ada@acme\.example/s);

    const other = new Browser();
    await continueWith(server, other, await openAccount(server, other));
    assert.ok(await isSignedIn(server, other));
    const removed = await browser.submit(await openLinks(browser), "/account/links/remove");
    assert.match(removed.text, /The link is removed/);
    assert.equal(await ownerOf(sub), null);
    assert.equal(await isSignedIn(server, other), false, "the session that began with it has ended");
    assert.ok(await isSignedIn(server, browser));
    const subjects = (await server.letters()).filter(({ to }) => to === person.email).map(({ subject }) => subject);
    assert.ok(subjects.includes("A service was linked to your account"), subjects.join());
    assert.ok(subjects.includes("A service was unlinked from your account"), subjects.join());
    const events = await listUntil(server.store.audit, { userId: person.id, event: "link" }, (all) => all.length >= 2);
    assert.deepEqual(events.map(({ detail }) => detail).reverse(), ["linked: acme", "removed: acme"]);
  });

  test("U29 the only way in stays", async () => {
    const person = await somebody(server, { passwordHash: null });
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    const page = await browser.submit(await openLinks(browser), "/account/links/remove");
    assert.equal(page.response.status, 400);
    assert.match(page.text, /This is your only way to sign in\. Add another first\./);
    assert.equal(await ownerOf(sub), person.id);
  });

  test("U30 P28 an old sign-in links and removes nothing", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    const browser = await signedIn(server, person);
    const page = await openLinks(browser);
    await later(STALE, async () => {
      for (const form of ["/account/links", "/account/links/remove"]) {
        const asked = await browser.submit(page, form, form.endsWith("links") ? { provider: "acme" } : {});
        assert.equal(asked.url.pathname, "/account/step-up");
        assert.equal(asked.response.headers.get("refresh"), null);
      }
    });
    assert.equal(await ownerOf(sub), person.id);
  });

  test("R4 P39 P40 the way back counts for the person and session that began it", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    playing(server, { sub });
    const browser = await signedIn(server, person);
    const out = await browser.submit(await openLinks(browser), "/account/links", { provider: "acme" });
    const attackers = wayBack(server, out);
    const victim = await signedIn(server, other);
    const refused = await victim.follow(attackers);
    assert.equal(refused.response.status, 400);
    assert.match(refused.text, /That did not work/);
    assert.equal(await ownerOf(sub), null);

    const again = await browser.submit(await openLinks(browser), "/account/links", { provider: "acme" });
    await browser.submit(await openAccount(server, browser), "/sign-out");
    await signedIn(server, other, browser);
    const switched = await browser.follow(wayBack(server, again));
    assert.equal(switched.response.status, 400, "P40 begun as one person, finished as another");
    assert.equal(await ownerOf(sub), null);

    const third = await browser.submit(await openLinks(browser), "/account/links", { provider: "acme" });
    await browser.submit(await openAccount(server, browser), "/sign-out");
    assert.equal((await browser.follow(wayBack(server, third))).response.status, 400, "signed out meanwhile");
    assert.equal(await ownerOf(sub), null);
  });

  test("P40 the identity of one person is not linked by another", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    await linked(server, person, sub);
    const refused = await link(await signedIn(server, other), sub);
    assert.equal(refused.response.status, 409);
    assert.match(refused.text, /This sign-in belongs to another account\./);
    assert.equal(await ownerOf(sub), person.id);
  });

  test("P34 a person whose address is not proved links nothing", async () => {
    const person = await somebody(server, { emailVerified: false });
    const browser = await signedIn(server, person);
    const page = await openLinks(browser);
    assert.match(page.text, /Confirm your e-mail address first/);
    const csrf = formOf(await openAccount(server, browser), "/sign-out").hidden.csrf ?? "";
    const body = new URLSearchParams({ csrf, provider: "acme" });
    const posted = await browser.follow(`${server.issuer}/account/links`, { method: "POST", body });
    assert.equal(posted.response.headers.get("refresh"), null);
  });

  test("P29 the forms count in their own session alone", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    await linked(server, person, sub);
    const [browser, eve] = [await signedIn(server, person), await signedIn(server, other)];
    const csrf = formOf(await openLinks(eve), "/account/links").hidden.csrf ?? "";
    for (const path of ["/account/links", "/account/links/remove", "/account/link", "/account/step-up/upstream"]) {
      const body = new URLSearchParams({ csrf, provider: "acme", subject: sub, answer: "link", for: "links" });
      const stop = await browser.follow(server.issuer + path, { method: "POST", body });
      assert.match(stop.text, /The page was out of date/, path);
    }
    const own = formOf(await openLinks(eve), "/account/links").hidden.csrf ?? "";
    const body = new URLSearchParams({ csrf: own, provider: "acme", subject: sub });
    await eve.follow(`${server.issuer}/account/links/remove`, { method: "POST", body });
    assert.equal(await ownerOf(sub), person.id, "another person's link");
  });
});

describe("U30 step-up at another service", () => {
  async function onlyLinked(change: Partial<User> = {}): Promise<{ person: User; sub: string; browser: Browser }> {
    const person = await somebody(server, { passwordHash: null, ...change });
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    return { person, sub, browser };
  }

  test("a person whose only way in is a link is asked there anew", async () => {
    const { sub, browser } = await onlyLinked();
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/links");
      assert.match(asked.text, /To go on, sign in at ACME\./);
      const out = await browser.submit(asked, "/account/step-up/upstream", { provider: "acme" });
      const { searchParams } = new URL(wayBack(server, out));
      assert.ok(searchParams.get("state"));
      const sent = new URL((out.response.headers.get("refresh") ?? "").replace("0;url=", "")).searchParams;
      assert.deepEqual([sent.get("prompt"), sent.get("max_age")], ["login", "0"]);
      for (const [auth_time, isGood] of [
        [undefined, false],
        [Math.floor(Date.now() / 1_000) - 3_600, false],
        [Math.floor(Date.now() / 1_000), true],
      ] as const) {
        playing(server, { sub, auth_time });
        const page = await continueWith(server, browser, await openAccount(server, browser, "/links"), {
          form: "/account/step-up/upstream",
        });
        assert.equal(/<h1>Linked services<\/h1>/.test(page.text), isGood, String(auth_time));
        assert.equal(UNCONFIRMED.test(page.text), !isGood, String(auth_time));
      }
    });
  });

  test("a service that does not tell when its people have signed in is not asked, and the page says how to go on", async () => {
    // Claims of Google's metadata.
    const claims = { claims_supported: ["aud", "email", "email_verified", "exp", "iat", "iss", "name", "sub"] };
    const google = await openFederation({}, {});
    google.acme.metadata = claims;
    const person = await somebody(google, { passwordHash: null });
    const sub = freeSubject();
    await linked(google, person, sub);
    playing(google, { sub });
    const browser = new Browser();
    await continueWith(google, browser, await openAccount(google, browser));
    await later(STALE, async () => {
      const asked = await openAccount(google, browser, "/links");
      const page = await browser.submit(asked, "/account/step-up/upstream", { provider: "acme" });
      assert.equal(page.response.status, 400);
      assert.match(page.text, UNCONFIRMED);
      assert.equal(page.response.headers.get("refresh"), null);
      assert.match((await openAccount(google, browser)).text, /<h1>Your account<\/h1>/);
    });
    await google.close();
  });

  test("the identity must be the person's own", async () => {
    const { browser } = await onlyLinked();
    const other = await somebody(server);
    const foreign = freeSubject();
    await linked(server, other, foreign);
    await later(STALE, async () => {
      playing(server, { sub: foreign, auth_time: Math.floor(Date.now() / 1_000) });
      const page = await continueWith(server, browser, await openAccount(server, browser, "/links"), {
        form: "/account/step-up/upstream",
      });
      assert.equal(page.response.status, 400);
      assert.match(page.text, /not the sign-in that your account is linked with/);
      assert.equal((await openAccount(server, browser, "/links")).url.pathname, "/account/step-up");
    });
  });

  test("P28 a person with a second step takes it before they go there", async () => {
    const { person, digits } = await guarded(server, { passwordHash: null });
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = new Browser();
    const second = await continueWith(server, browser, await openAccount(server, browser));
    await browser.submit(second, "/second-step", { digits: digits() });
    await later(STALE, async () => {
      playing(server, { sub, auth_time: Math.floor(Date.now() / 1_000) });
      const asked = await openAccount(server, browser, "/links");
      const wrong = await browser.submit(asked, "/account/step-up/upstream", { provider: "acme", second: "000000" });
      assert.equal(wrong.response.headers.get("refresh"), null);
      assert.match(wrong.text, /These digits are not right/);
      const page = await continueWith(server, browser, wrong, {
        form: "/account/step-up/upstream",
        values: { second: digits() },
      });
      assert.match(page.text, /<h1>Linked services<\/h1>/);
    });
  });

  test("P28 a person whose second step can only be a passkey is not sent there", async () => {
    const named = await openFederation({}, { hasName: true });
    const person = await somebody(named);
    const browser = await signedIn(named, person);
    await linked(named, person, freeSubject());
    await addPasskey(named, browser, openAuthenticator({ origin: named.issuer, rpId: "localhost" }));
    const { users, secondSteps } = named.store;
    const [at, hash] = [new Date().toISOString(), "of the only code"];
    const keyed = (await users.find(person.id)) ?? assert.fail();
    const coded = (await secondSteps.replaceRecoveryCodes(keyed, [hash], at)) ?? assert.fail();
    assert.ok(await secondSteps.turnOn(coded, "localhost"));
    const withCode = await openAccount(named, browser, "/links");
    assert.match(withCode.text, /use a passkey, or sign in at ACME\./);
    assert.equal(await secondSteps.spendRecoveryCode(person.id, hash, at), 0);
    const withoutCode = await openAccount(named, browser, "/links");
    assert.match(withoutCode.text, /To go on, use a passkey\./);
    assert.doesNotMatch(withoutCode.text, /step-up\/upstream/);
    await named.close();
  });
});

describe("U64 an account that begins at another service", () => {
  const opened: Federation[] = [];
  after(async () => {
    for (const one of opened) await one.close();
  });

  async function open(...options: Parameters<typeof openFederation>): Promise<Federation> {
    const one = await openFederation(...options);
    opened.push(one);
    return one;
  }

  test("U64 a proved address makes an account at once, with the name in the form", async () => {
    const trusting = await open();
    for (const [place, start] of Object.entries(PLACES)) {
      const [sub, email] = [freeSubject(), freeAddress()];
      playing(trusting, { sub, email, email_verified: true, name: "Grace" });
      const browser = new Browser();
      const page = await continueWith(trusting, browser, await start(trusting, browser));
      assert.match(page.text, /value="Grace"/);
      const nameless = await browser.submit(page, "/upstream/create", { name: " " });
      assert.equal(nameless.response.status, 400, place);
      await browser.submit(nameless, "/upstream/create", {
        name: "Grace Hopper",
        role: "admin",
        email: "x@example.com",
      });
      assert.ok(await isSignedIn(trusting, browser), place);
      const user = await trusting.store.users.findByEmail(email);
      assert.deepEqual(
        [user?.name, user?.emailVerified, user?.role, user?.passwordHash],
        ["Grace Hopper", true, "member", null],
      );
      assert.equal((await trusting.store.upstreamIdentities.find("acme", sub))?.userId, user?.id);
      assert.equal(await trusting.store.users.findByEmail("x@example.com"), null);
    }
  });

  test("P36 an address counts as proved by the boolean true alone, and at the service's own domains", async () => {
    const trusting = await open();
    for (const [email, email_verified] of [
      [freeAddress(), "true"],
      [freeAddress(), "false"],
      [freeAddress(), 1],
      [freeAddress(), undefined],
      [freeAddress(), null],
      [freeAddress(), false],
      ["eve@elsewhere.example", true],
      ["eve@example.com.evil", true],
      ["eve@sub.example.com", true],
    ] as const) {
      playing(trusting, { sub: freeSubject(), email, email_verified });
      const browser = new Browser();
      const page = await continueWith(trusting, browser, await openAccount(trusting, browser));
      assert.match(page.text, /Which account is yours/);
      assert.doesNotMatch(page.text, /New here\?/, `${email} ${email_verified}`);
      const csrf = formOf(page, "/upstream/link").hidden.csrf ?? "";
      const body = new URLSearchParams({ csrf, name: "Eve" });
      await browser.follow(`${trusting.issuer}/account/upstream/create`, { method: "POST", body });
      assert.equal(await isSignedIn(trusting, browser), false);
      assert.equal(await trusting.store.users.findByEmail(email), null);
    }
  });

  test("U64 an address that somebody has is told of after its proof, and nothing is joined", async () => {
    const trusting = await open();
    const sub = freeSubject();
    playing(trusting, { sub, email: "ADA@example.com", email_verified: true });
    const browser = new Browser();
    const page = await continueWith(trusting, browser, await openAccount(trusting, browser));
    const taken = await browser.submit(page, "/upstream/create", { name: "Ada" });
    assert.equal(taken.response.status, 400);
    assert.match(taken.text, /An account with this address exists\. Sign in to link\./);
    assert.equal(await trusting.store.upstreamIdentities.find("acme", sub), null);
    assert.equal(await isSignedIn(trusting, browser), false);
  });

  test("U64 P36 an address that is not proved gets our own mail first, and the identity is linked afterwards", async () => {
    const asking = await open({ trustEmail: false }, { settings: { SIGN_UP: "open" } });
    for (const [place, start] of Object.entries(PLACES)) {
      const [sub, email] = [freeSubject(), freeAddress()];
      playing(asking, { sub, email, email_verified: true });
      const browser = new Browser();
      const page = await continueWith(asking, browser, await start(asking, browser));
      const form = await browser.submit(page, "/upstream/create");
      assert.match(form.text, /<h1>Create an account<\/h1>/);
      await browser.submit(form, "/sign-up", { email });
      const letter = (await asking.letters()).find(({ to }) => to === email);
      const finish = await browser.follow(linkIn(letter));
      const question = await browser.submit(finish, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
      assert.match(question.text, /Link <bdi>ACME<\/bdi>/, place);
      assert.equal(await asking.store.upstreamIdentities.find("acme", sub), null);
      await browser.submit(question, "/account/link", { answer: "link" });
      const user = await asking.store.users.findByEmail(email);
      assert.equal((await asking.store.upstreamIdentities.find("acme", sub))?.userId, user?.id);
    }
  });

  test("two at the same time make one account", async () => {
    const trusting = await open();
    const [sub, email] = [freeSubject(), freeAddress()];
    playing(trusting, { sub, email, email_verified: true });
    const browser = new Browser();
    const page = await continueWith(trusting, browser, await openAccount(trusting, browser));
    await Promise.all([1, 2, 3].map(() => browser.submit(page, "/upstream/create", { name: "Grace" })));
    const user = await trusting.store.users.findByEmail(email);
    assert.equal((await trusting.store.upstreamIdentities.find("acme", sub))?.userId, user?.id);
  });

  test("U46 who must have a second step sets it up before there is a session", async () => {
    const strict = await open({}, { settings: { SECOND_STEP: "required" } });
    playing(strict, { sub: freeSubject(), email: freeAddress(), email_verified: true });
    const browser = new Browser();
    const page = await continueWith(strict, browser, await atClient(strict, browser));
    const setUp = await browser.submit(page, "/upstream/create", { name: "Grace" });
    assert.match(setUp.text, /set-up/);
    assert.equal(await isSignedIn(strict, browser), false);
  });
});
