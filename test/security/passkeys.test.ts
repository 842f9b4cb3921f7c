import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import type { User } from "../../src/domain/people/user.ts";
import { type Authenticator, type Knobs, openAuthenticator } from "./authenticator.ts";
import { later, listUntil, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, exchange, requestToken, type Stop, walk } from "./client.ts";
import { lettersTo, linkFor } from "./mailed.ts";
import { addPasskey, answerWith, optionsOf } from "./passkeys.ts";
import { freeAddress, isSignedIn, NEW_PASSWORD, openAccount, STALE, signedIn, somebody } from "./people.ts";

const UNKNOWN = /This passkey is not known here\. It may have been removed\./;

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true, settings: { SIGN_UP: "open" } });
});
after(() => server.close());

function newDevice(about: { readonly isSynced?: boolean; readonly aaguid?: string } = {}): Authenticator {
  return openAuthenticator({ origin: server.issuer, rpId: "localhost", ...about });
}

/** A person with one passkey, and the browser in which they added it. */
async function withPasskey(
  about: { readonly isSynced?: boolean } = {},
): Promise<{ person: User; device: Authenticator; browser: Browser }> {
  const person = await somebody(server);
  const browser = await signedIn(server, person);
  const device = newDevice(about);
  const page = await addPasskey(server, browser, device);
  assert.match(page.text, /The passkey is added\./);
  return { person, device, browser };
}

async function signInWith(device: Authenticator, browser = new Browser(), knobs?: Knobs): Promise<Stop> {
  const page = await openAccount(server, browser);
  return answerWith(browser, page, device, knobs === undefined ? {} : { knobs });
}

const passkeysOf = ({ id }: User) => server.store.passkeys.listOf(id);

async function refusalOf({ id }: User): Promise<string | null> {
  const isRefusal = ({ result }: { result: string }) => result === "refused";
  const events = await listUntil(server.store.audit, { userId: id }, (list) => list.some(isRefusal));
  return events.find(isRefusal)?.detail ?? null;
}

describe("U36 passkeys of a person", () => {
  test("U36 one is added on the account page, has a name, and is told by mail and audit", async () => {
    const { person, device } = await withPasskey();
    const [passkey, ...others] = await passkeysOf(person);
    assert.deepEqual(others, []);
    assert.equal(passkey?.credentialId, device.held[0]?.id);
    assert.equal(passkey?.rpId, "localhost");
    assert.equal(Buffer.from(passkey?.userHandle ?? "", "base64url").length, 32);
    assert.notEqual(passkey?.userHandle, person.id);
    const letter = (await lettersTo(server, person.email)).find(({ subject }) => /passkey/.test(subject));
    assert.equal(letter?.subject, "A passkey was added to your account");
    const [event] = await server.store.audit.list({ userId: person.id, event: "passkey", limit: 5 });
    assert.deepEqual([event?.result, event?.detail], ["ok", "added"]);
  });

  test("U36 the options ask for a discoverable credential with user verification, and exclude what is there", async () => {
    const { browser, device, person } = await withPasskey();
    const page = await openAccount(server, browser, "/passkeys");
    const options = JSON.parse(optionsOf(page, "/account/passkeys"));
    assert.equal(options.attestation, "none");
    assert.deepEqual(options.authenticatorSelection, {
      ...{ residentKey: "required", requireResidentKey: true, userVerification: "required" },
    });
    assert.deepEqual(options.rp, { id: "localhost", name: "Example" });
    assert.deepEqual(
      options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg),
      [-7, -8, -257],
    );
    assert.deepEqual(
      options.excludeCredentials.map(({ id }: { id: string }) => id),
      [device.held[0]?.id],
    );
    assert.equal(options.user.id, (await passkeysOf(person))[0]?.userHandle, "one name for all of a person");
    assert.throws(() => device.create(options), /InvalidStateError/);
  });

  test("U36 it is named after its model, can be renamed, and a bad name changes nothing", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    await addPasskey(server, browser, newDevice({ aaguid: "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4" }));
    assert.equal((await passkeysOf(person))[0]?.name, "Google Password Manager");
    const page = await openAccount(server, browser, "/passkeys");
    const renamed = await browser.submit(page, "/passkeys/name", { name: "My <phone>" });
    assert.match(renamed.text, /<bdi>My &lt;phone&gt;<\/bdi>/);
    for (const name of ["", " ", "x".repeat(61), "a\0b"]) {
      const refused = await browser.submit(renamed, "/passkeys/name", { name });
      assert.match(refused.text, /Give the passkey a name of 1 to 60 characters\./);
      assert.equal(refused.response.status, 400);
    }
    assert.equal((await passkeysOf(person))[0]?.name, "My <phone>");
  });

  test("U36 twenty at most", async () => {
    const { person, browser } = await withPasskey();
    for (let i = 1; i < 20; i++) await addPasskey(server, browser, newDevice());
    const refused = await addPasskey(server, browser, newDevice());
    assert.match(refused.text, /You have 20 passkeys already\. Remove one first\./);
    assert.equal((await passkeysOf(person)).length, 20);
  });

  test("P28 R12 the page, and each of its forms, want a recent sign-in", async () => {
    const { person, browser } = await withPasskey();
    const page = await openAccount(server, browser, "/passkeys");
    const answer = newDevice().create(optionsOf(page, "/account/passkeys"));
    await later(STALE, async () => {
      assert.equal((await openAccount(server, browser, "/passkeys")).url.pathname, "/account/step-up");
      for (const [step, values] of [
        ["/account/passkeys", { answer }],
        ["/passkeys/name", { name: "Another" }],
        ["/passkeys/remove", {}],
      ] as const)
        assert.equal((await browser.submit(page, step, values)).url.pathname, "/account/step-up");
    });
    const [passkey, ...others] = await passkeysOf(person);
    assert.deepEqual([others.length, passkey?.name === "Another"], [0, false]);
  });

  test("P34 nobody adds one for another person, or without a proved address", async () => {
    const [ada, bob] = [await somebody(server), await somebody(server)];
    const [hers, his] = [await signedIn(server, ada), await signedIn(server, bob)];
    const [herPage, hisPage] = [
      await openAccount(server, hers, "/passkeys"),
      await openAccount(server, his, "/passkeys"),
    ];
    // Her page's challenge, his session.
    const answer = newDevice().create(optionsOf(herPage, "/account/passkeys"));
    const state = /name="state" value="([^"]+)"/.exec(herPage.text)?.[1] ?? assert.fail("no state");
    const refused = await his.submit(hisPage, "/account/passkeys", { state, answer, user: ada.id, userId: ada.id });
    assert.match(refused.text, /The passkey was not added/);
    const unproved = await somebody(server, { emailVerified: false });
    const browser = await signedIn(server, unproved);
    const page = await openAccount(server, browser, "/passkeys");
    assert.match(page.text, /Confirm your e-mail address first/);
    assert.doesNotMatch(page.text, /data-passkey/);
    // A form that was made elsewhere finds the same rule.
    const body = new URLSearchParams({ csrf: "x", state, answer });
    await browser.follow(`${server.issuer}/account/passkeys`, { method: "POST", body });
    for (const person of [ada, bob, unproved]) assert.deepEqual(await passkeysOf(person), []);
  });

  test("P29 each form works in its own session alone", async () => {
    const { person, device, browser } = await withPasskey();
    const other = await withPasskey();
    const stolen = await openAccount(server, other.browser, "/passkeys");
    for (const step of ["passkeys", "passkeys/name", "passkeys/remove"]) {
      const csrf = /name="csrf" value="([^"]+)"/.exec(stolen.text)?.[1] ?? assert.fail("no proof");
      for (const proof of [csrf, ""]) {
        const body = new URLSearchParams({ csrf: proof, passkey: device.held[0]?.id ?? "", name: "Taken" });
        await browser.follow(`${server.issuer}/account/${step}`, { method: "POST", body });
      }
    }
    const [passkey, ...others] = await passkeysOf(person);
    assert.deepEqual([others.length, passkey?.name === "Taken"], [0, false]);
    // Her own session, somebody else's passkey.
    const page = await openAccount(server, browser, "/passkeys");
    await browser.submit(page, "/passkeys/remove", { passkey: other.device.held[0]?.id ?? "" });
    await browser.submit(page, "/passkeys/name", { passkey: other.device.held[0]?.id ?? "", name: "Taken" });
    assert.deepEqual(
      (await passkeysOf(other.person)).map(({ name }) => name === "Taken"),
      [false],
    );
  });

  test("P32 a credential that somebody has is nobody else's", async () => {
    const { device } = await withPasskey();
    const thief = await somebody(server);
    const browser = await signedIn(server, thief);
    const page = await openAccount(server, browser, "/passkeys");
    const own = newDevice();
    const victims = Buffer.from(device.held[0]?.id ?? "", "base64url");
    const answer = own.create(optionsOf(page, "/account/passkeys"), {
      id: device.held[0]?.id,
      rawId: device.held[0]?.id,
      authenticatorData: (right) => Buffer.concat([right.subarray(0, 55), victims, right.subarray(55 + 32)]),
    });
    const refused = await browser.submit(page, "/account/passkeys", { answer });
    assert.match(refused.text, /This passkey is in use already\./);
    assert.deepEqual(await passkeysOf(thief), []);
  });

  test("U40 removing one ends the sessions that it began, tells by mail, and it opens nothing any more", async () => {
    const { person, device, browser } = await withPasskey();
    const elsewhere = new Browser();
    assert.match((await signInWith(device, elsewhere)).text, /<h1>Your account<\/h1>/);
    const page = await openAccount(server, browser, "/passkeys");
    const removed = await browser.submit(page, "/passkeys/remove");
    assert.match(removed.text, /The passkey is removed\./);
    assert.equal(await isSignedIn(server, elsewhere), false);
    assert.equal(await isSignedIn(server, browser), true, "this one began with the password");
    const subjects = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.ok(subjects.includes("A passkey was removed from your account"), subjects.join());
    const refused = await signInWith(device);
    assert.match(refused.text, UNKNOWN);
    assert.match(refused.text, new RegExp(`data-unknown="${device.held[0]?.id}"`), "U39 the browser may forget it");
  });
});

describe("U37 sign-in with a passkey", () => {
  test("U37 nothing is typed, and the page tells nothing about people", async () => {
    const { device } = await withPasskey();
    const browser = new Browser();
    const page = await openAccount(server, browser);
    const options = JSON.parse(optionsOf(page, "/account/passkey"));
    assert.deepEqual(options.allowCredentials, []);
    assert.equal(options.userVerification, "required");
    assert.equal(Buffer.from(options.challenge, "base64url").length, 32);
    assert.match(page.text, /autocomplete="username webauthn"/);
    assert.match((await answerWith(browser, page, device)).text, /<h1>Your account<\/h1>/);
  });

  test("U40 a client learns how its person signed in", async () => {
    const { person, device } = await withPasskey();
    const browser = new Browser();
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const claims = JSON.stringify({ id_token: { amr: null, auth_time: null } });
    const { url, verifier } = authorizationRequest({ ...client, params: { claims } });
    const signedInAs = await answerWith(browser, await browser.follow(url), device);
    const end = await walk(browser, signedInAs, client);
    const code = end.url.searchParams.get("code") ?? assert.fail(end.text);
    const { body } = await requestToken(server.issuer, exchange(client, code, verifier));
    const token = decodeJwt(body.id_token);
    assert.deepEqual([token.sub, token.amr], [person.id, ["pop", "user", "mfa", "swk"]]);
  });

  test("U04 U41 a sign-in by passkey remembers the browser and has a new session id (P45)", async () => {
    const { person, device } = await withPasskey();
    const browser = new Browser();
    browser.put("content-api-session", "planted");
    await signInWith(device, browser);
    assert.notEqual(browser.cookie("content-api-session"), "planted");
    assert.ok(browser.cookie("content-api-known"));
    const events = await listUntil(
      server.store.audit,
      { userId: person.id, event: "sign-in" },
      (list) => list.length > 1,
    );
    assert.equal(events[0]?.detail, "passkey");
  });

  test("P46 R14 passkeys enter while strangers have used up the attempts of the account", async () => {
    const { person, device } = await withPasskey();
    for (let i = 0; i < 12; i++) {
      const browser = new Browser();
      const page = await openAccount(server, browser);
      await browser.submit(page, "/account/sign-in", { email: person.email, password: "wrong wrong wrong" });
    }
    assert.match((await signInWith(device)).text, /<h1>Your account<\/h1>/);
  });

  test("P30 a challenge counts once, in its own browser, for its own purpose, and for an hour", async () => {
    const { device, browser: owner } = await withPasskey();
    const browser = new Browser();
    const page = await openAccount(server, browser);
    const answer = device.get(optionsOf(page, "/account/passkey"));
    const tooOld = /The page was out of date\. Please try once more\./;
    // Another browser's page.
    const other = new Browser();
    const otherPage = await openAccount(server, other);
    assert.match((await other.submit(otherPage, "/account/passkey", { answer })).text, UNKNOWN);
    const state = /name="state" value="([^"]+)"/.exec(page.text)?.[1] ?? assert.fail("no state");
    assert.match((await other.submit(otherPage, "/account/passkey", { answer, state })).text, tooOld);
    // One of the attacker's making.
    assert.match((await browser.submit(page, "/account/passkey", { answer, state: "x".repeat(80) })).text, tooOld);
    // For adding a passkey.
    const passkeys = await openAccount(server, owner, "/passkeys");
    const enrol = JSON.parse(optionsOf(passkeys, "/account/passkeys"));
    const wrongPurpose = device.get({ challenge: enrol.challenge, rpId: "localhost", allowCredentials: [] });
    const enrolState = /name="state" value="([^"]+)"/.exec(passkeys.text)?.[1] ?? assert.fail("no state");
    const body = { answer: wrongPurpose, state: enrolState };
    assert.match((await other.submit(await openAccount(server, other), "/account/passkey", body)).text, tooOld);
    // After an hour.
    await later(3_601, async () => {
      assert.match((await browser.submit(page, "/account/passkey", { answer })).text, tooOld);
    });
    // The right one, and the same once more.
    assert.match((await browser.submit(page, "/account/passkey", { answer })).text, /<h1>Your account<\/h1>/);
    const again = await browser.follow(`${server.issuer}/account/passkey`, {
      method: "POST",
      body: new URLSearchParams({ csrf: /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "", state, answer }),
    });
    assert.match(again.text, tooOld);
  });

  test("P30 U75 of twenty posts with one answer on two nodes one signs in", async () => {
    const { device } = await withPasskey();
    const node = await server.openNode();
    const browser = new Browser();
    const page = await openAccount(server, browser);
    const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? "";
    const answer = device.get(optionsOf(page, "/account/passkey"));
    const body = () => new URLSearchParams({ csrf: hidden("csrf"), state: hidden("state"), answer });
    const cookie = `content-api-account=${browser.cookie("content-api-account")}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        fetch(`${i % 2 === 0 ? server.issuer : node.url}/account/passkey`, {
          ...{ method: "POST", redirect: "manual", body: body(), headers: { cookie } },
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    assert.equal(answers.filter(({ status }) => status === 400).length, 19);
  });

  for (const [name, knobs] of [
    ["another port", { origin: "http://localhost:1" }],
    ["another site in the frame", { crossOrigin: true }],
    ["another domain", { rpId: "example.com" }],
    ["without user verification", { flags: { uv: false } }],
    ["without user presence", { flags: { up: false } }],
    ["no user handle", { userHandle: undefined }],
    ["a wrong user handle", { userHandle: Buffer.alloc(32).toString("base64url") }],
    [
      "a flipped bit",
      { signature: (right: Buffer) => Buffer.from(right.map((byte, i) => (i === 9 ? byte ^ 1 : byte))) },
    ],
    ["junk", { answer: { response: "x" } }],
  ] as const satisfies readonly (readonly [string, Knobs])[])
    test(`P31 refused: ${name}`, async () => {
      const { device } = await withPasskey();
      const browser = new Browser();
      const refused = await signInWith(device, browser, knobs);
      assert.match(refused.text, UNKNOWN);
      assert.equal(refused.response.status, 400);
      assert.equal(await isSignedIn(server, browser), false);
    });

  test("P32 a counter that goes back is refused where the key is on one device, and its person is told", async () => {
    const { person, device } = await withPasskey({ isSynced: false });
    for (let i = 0; i < 2; i++) assert.match((await signInWith(device)).text, /<h1>Your account<\/h1>/);
    await lettersTo(server, person.email);
    assert.match((await signInWith(device, new Browser(), { counter: 1 })).text, UNKNOWN);
    assert.equal(await refusalOf(person), "passkey: the counter went back");
    const subjects = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.ok(subjects.includes("A passkey of yours was refused"), subjects.join());
  });

  test("P33 the passkey of a disabled or deleted person is as unknown as any other", async () => {
    for (const end of ["disabled", "deleted"] as const) {
      const { person, device } = await withPasskey();
      const at = new Date().toISOString();
      if (end === "disabled") await server.store.users.update(person.id, { disabledAt: at });
      else {
        await server.store.deletions.ask(person.id, { deletesAt: at, posts: "keep" });
        await server.store.deletions.begin(person.id, at);
        await server.store.deletions.finish(person.id, at, null);
      }
      const refused = await signInWith(device);
      assert.match(refused.text, UNKNOWN);
      assert.equal(refused.response.status, 400);
    }
  });

  test("U72 who asked for the deletion of the account keeps it by passkey", async () => {
    const { person, device } = await withPasskey();
    const deletesAt = new Date(Date.now() + 86_400_000).toISOString();
    await server.store.deletions.ask(person.id, { deletesAt, posts: "keep" });
    const browser = new Browser();
    const offered = await signInWith(device, browser);
    assert.match(offered.text, /Keep my account/);
    assert.equal(await isSignedIn(server, browser), false);
    await browser.submit(offered, "/account/keep");
    assert.equal(await isSignedIn(server, browser), true);
    assert.equal((await server.store.users.find(person.id))?.deletesAt, null);
  });
});

describe("U30 step-up with a passkey", () => {
  test("U30 the page asks for the password or a passkey, and the passkey leads on", async () => {
    const { device, browser, person } = await withPasskey();
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      assert.match(asked.text, /enter your password or use a passkey/);
      const allowed = JSON.parse(optionsOf(asked, "/step-up/passkey")).allowCredentials;
      assert.deepEqual(
        allowed.map(({ id }: { id: string }) => id),
        [device.held[0]?.id],
      );
      const shown = await answerWith(browser, asked, device, { actionEnd: "/step-up/passkey" });
      assert.equal(shown.url.pathname, "/account/email");
    });
    const [event] = await server.store.audit.list({ userId: person.id, event: "step-up", limit: 1 });
    assert.deepEqual([event?.result, event?.detail], ["ok", "passkey"]);
  });

  test("P28 somebody else's passkey is refused", async () => {
    const [mine, other] = [await withPasskey(), await withPasskey()];
    await later(STALE, async () => {
      const asked = await openAccount(server, mine.browser, "/email");
      const { challenge } = JSON.parse(optionsOf(asked, "/step-up/passkey"));
      const answer = other.device.get({ challenge, rpId: "localhost", allowCredentials: [] });
      const refused = await mine.browser.submit(asked, "/step-up/passkey", { answer });
      assert.match(refused.text, UNKNOWN);
      assert.equal((await openAccount(server, mine.browser, "/email")).url.pathname, "/account/step-up");
    });
  });
});

describe("U14 U18 an account that begins with a passkey", () => {
  async function finishPage(browser: Browser): Promise<{ email: string; page: Stop }> {
    const email = freeAddress();
    const page = await browser.follow(await linkFor(server, "/sign-up", email, browser));
    return { email, page };
  }

  test("U14 the account has the passkey and no password; a password can be set later (U26)", async () => {
    const [browser, device] = [new Browser(), newDevice()];
    const { email, page } = await finishPage(browser);
    const options = JSON.parse(optionsOf(page, "/sign-up/finish"));
    assert.deepEqual([options.user.name, options.excludeCredentials], [email, []]);
    const account = await browser.submit(page, "/sign-up/finish", { name: "Grace", answer: device.create(options) });
    assert.match(account.text, /<h1>Your account<\/h1>/);
    const person = (await server.store.users.findByEmail(email)) ?? assert.fail("nobody");
    assert.deepEqual([person.passwordHash, person.emailVerified], [null, true]);
    assert.equal((await passkeysOf(person)).length, 1);
    assert.match((await signInWith(device)).text, /<h1>Your account<\/h1>/);

    const only = await openAccount(server, browser, "/passkeys");
    const refused = await browser.submit(only, "/passkeys/remove");
    assert.match(refused.text, /This is your only way to sign in\. Add another first\./, "U29");
    const set = await openAccount(server, browser, "/password");
    assert.match(set.text, /<h1>Set a password<\/h1>/);
    assert.doesNotMatch(set.text, /name="current"/);
    await browser.submit(set, "/account/password", { password: NEW_PASSWORD });
    const again = await openAccount(server, browser, "/passkeys");
    assert.match((await browser.submit(again, "/passkeys/remove")).text, /The passkey is removed|<h1>Sign in<\/h1>/);
    assert.deepEqual(await passkeysOf(person), []);
  });

  test("U14 U01 a name that is missing, or a passkey that is not good, makes nobody and spends nothing", async () => {
    const [browser, device] = [new Browser(), newDevice()];
    const { email, page } = await finishPage(browser);
    const answer = device.create(optionsOf(page, "/sign-up/finish"));
    const nameless = await browser.submit(page, "/sign-up/finish", { name: "", answer });
    assert.match(nameless.text, /Your name must/);
    const broken = await browser.submit(nameless, "/sign-up/finish", { name: "Grace", answer });
    assert.match(broken.text, /The passkey could not be used, and nothing was saved yet/);
    assert.equal(await server.store.users.findByEmail(email), null);
    const right = newDevice().create(optionsOf(broken, "/sign-up/finish"));
    const account = await browser.submit(broken, "/sign-up/finish", { name: "Grace", answer: right });
    assert.match(account.text, /<h1>Your account<\/h1>/);
  });

  test("P32 the passkey of somebody else makes nobody", async () => {
    const victim = await withPasskey();
    const browser = new Browser();
    const { email, page } = await finishPage(browser);
    const own = newDevice();
    const taken = Buffer.from(victim.device.held[0]?.id ?? "", "base64url");
    const answer = own.create(optionsOf(page, "/sign-up/finish"), {
      id: victim.device.held[0]?.id,
      rawId: victim.device.held[0]?.id,
      authenticatorData: (right) => Buffer.concat([right.subarray(0, 55), taken, right.subarray(55 + 32)]),
    });
    const refused = await browser.submit(page, "/sign-up/finish", { name: "Grace", answer });
    assert.match(refused.text, /The passkey could not be used/);
    assert.equal(await server.store.users.findByEmail(email), null);
  });

  test("P34 an invitation that was handed over proves no address: there the account begins with a password", async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const email = freeAddress();
    const invitation = await server.store.invitations.create({ email, role: "member", invitedBy: null, expiresAt });
    for (const provesEmail of [false, true]) {
      const { openMailedSecrets } = await import("../../src/authorization-server/letters/mailed-secrets.ts");
      const secrets = openMailedSecrets(server.store.accountTokens, server.secret, Date.now);
      const { secret } = await secrets.issue({
        purpose: "invitation",
        email,
        invitationId: invitation.id,
        provesEmail,
      });
      const page = await new Browser().follow(`${server.issuer}/invitation?token=${secret}`);
      assert.match(page.text, /<h1>Create your account<\/h1>/);
      assert.equal(page.text.includes("data-passkey"), provesEmail);
    }
  });
});

describe("U38 the script of passkeys", () => {
  test("U38 P35 only pages with passkeys run a script, and only this one", async () => {
    const { browser, device } = await withPasskey();
    const { held } = device;
    assert.equal(held.length, 1);
    const pages = [await openAccount(server, new Browser()), await openAccount(server, browser, "/passkeys")];
    const addresses = pages.map(({ text }) => [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag));
    const [[tag = ""] = []] = addresses;
    assert.deepEqual(addresses, [[tag], [tag]]);
    const url = /^<script src="([^"]+)" defer>$/.exec(tag)?.[1] ?? assert.fail(tag);
    for (const { response } of pages) {
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.match(policy, new RegExp(`(^|; )script-src ${url}(;|$)`));
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.match(policy, /default-src 'none'/);
      assert.doesNotMatch(policy, /connect-src|unsafe|nonce-/);
      const permissions = "publickey-credentials-get=(self), publickey-credentials-create=(self)";
      assert.equal(response.headers.get("permissions-policy"), permissions);
    }
    const script = await fetch(url);
    assert.equal(script.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(script.headers.get("x-content-type-options"), "nosniff");
    assert.match(script.headers.get("cache-control") ?? "", /immutable/);
    for (const path of ["", "/name", "/email"]) {
      const { response, text } = await openAccount(server, browser, path);
      assert.doesNotMatch(response.headers.get("content-security-policy") ?? "", /script-src/);
      assert.doesNotMatch(text, /<script/);
    }
  });

  test("U39 password managers find the pages", async () => {
    const page = `${server.issuer}/account/passkeys`;
    const endpoints = await fetch(`${server.issuer}/.well-known/passkey-endpoints`);
    assert.deepEqual(await endpoints.json(), { enroll: page, manage: page });
    const change = await fetch(`${server.issuer}/.well-known/change-password`, { redirect: "manual" });
    assert.equal(change.status, 303);
  });

  test("U06 without passkeys there is no button, no script, no page and no document", async () => {
    const other = await openTestServer();
    try {
      const browser = await signedIn(other, other.ada);
      const page = await openAccount(other, new Browser());
      assert.doesNotMatch(page.text, /passkey|webauthn/);
      assert.doesNotMatch((await openAccount(other, browser)).text, /passkey/i);
      assert.equal((await openAccount(other, browser, "/passkeys")).response.status, 404);
      assert.equal((await fetch(`${other.issuer}/.well-known/passkey-endpoints`)).status, 404);
      for (const step of ["passkey", "passkeys", "passkeys/remove", "step-up/passkey"]) {
        const csrf = /name="csrf" value="([^"]+)"/.exec((await openAccount(other, browser)).text)?.[1] ?? "";
        const body = new URLSearchParams({ csrf, answer: "{}", state: "x", for: "email" });
        const { response } = await browser.follow(`${other.issuer}/account/${step}`, { method: "POST", body });
        assert.ok(response.status < 500, step);
      }
    } finally {
      await other.close();
    }
  });
});

describe("U24 passkeys and other ways in", () => {
  test("U24 a new password by mail keeps passkeys, and ends their sessions", async () => {
    const { person, device } = await withPasskey();
    const browser = new Browser();
    await signInWith(device, browser);
    const visitor = new Browser();
    const page = await visitor.follow(await linkFor(server, "/recover", person.email, visitor));
    await visitor.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.equal(await isSignedIn(server, browser), false);
    assert.match((await signInWith(device)).text, /<h1>Your account<\/h1>/);
  });
});
