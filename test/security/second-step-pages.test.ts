import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { openAuthenticatorSetUp } from "../../src/authorization-server/second-step/authenticator-set-up.ts";
import type { User } from "../../src/domain/people/user.ts";
import { openSealer } from "../../src/secrets/seal.ts";
import { openAuthenticator } from "./authenticator.ts";
import { codesOn, readApp, setUpApp, turnOnSecondStep } from "./authenticator-app.ts";
import { later, openTestServer, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, exchange, formOf, getTokens, requestToken, type Stop, walk } from "./client.ts";
import { lettersTo, postOf } from "./mailed.ts";
import { addPasskey, answerWith } from "./passkeys.ts";
import { isSignedIn, openAccount, STALE, signedIn, somebody } from "./people.ts";
import { hashOf, spend } from "./second-step.ts";

const CODE = /^(?:[A-Z]{5}-){2}[A-Z]{5}$/;

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true });
});
after(() => server.close());

async function newcomer(change: Partial<User> = {}): Promise<{ person: User; browser: Browser }> {
  const person = await somebody(server, change);
  return { person, browser: await signedIn(server, person) };
}

/** Somebody with an authenticator app and recovery codes, and the second step on. */
async function withAll() {
  const { person, browser } = await newcomer();
  return { person, browser, ...(await turnOnSecondStep(server, browser)) };
}

const open = (browser: Browser, path = "second-step") => openAccount(server, browser, `/${path}`);

async function present({ id }: User): Promise<User> {
  return (await server.store.users.find(id)) ?? assert.fail("nobody");
}

/** All that a change of the second step would change. */
async function stateOf(person: User) {
  const { secondStep, credentialVersion } = await present(person);
  return { secondStep, credentialVersion, ...(await server.store.secondSteps.findFactors(person.id, "localhost")) };
}

function addPasskeyOf(browser: Browser) {
  const device = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
  return addPasskey(server, browser, device).then(() => device);
}

/** Methods of the sign-in, as a client learns them; null where the person has to sign in first. */
async function amrOf(browser: Browser, { email }: User): Promise<unknown> {
  const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, email };
  const claims = JSON.stringify({ id_token: { amr: null } });
  const { url, verifier } = authorizationRequest({ ...client, params: { claims } });
  const start = await browser.follow(url);
  if (!start.left && !start.text.includes('name="decision"')) return null;
  const end = await walk(browser, start, client);
  const { body } = await requestToken(
    server.issuer,
    exchange(client, end.url.searchParams.get("code") ?? assert.fail(end.text), verifier),
  );
  return decodeJwt(body.id_token).amr;
}

describe("U28 the second step on the account page", () => {
  test("U28 U44 it says what there is, and warns when 3 codes are left", async () => {
    const { person, browser } = await newcomer();
    const without = (await openAccount(server, browser)).text;
    assert.match(
      without,
      /<h2>Ways to sign in<\/h2>[\s\S]*<h2>Second step<\/h2>[\s\S]*<h2>Where you are signed in<\/h2>/,
    );
    assert.match(without, /href="\/account\/second-step">Turn on a second step</);
    assert.match(without, /Authenticator app<\/strong><\/p><p class="small muted">Not set up</);
    const { page, codes } = await turnOnSecondStep(server, browser);
    assert.match(
      page.text,
      /The second step is on\. Every other browser is signed out, and every app has to reconnect\./,
    );
    const account = async () => (await openAccount(server, browser)).text;
    assert.match(await account(), /href="\/account\/second-step">Manage the second step</);
    assert.match(await account(), /Recovery codes<\/strong><\/p><p class="small muted">10 left</);
    for (const [index, code] of codes.slice(0, 8).entries()) {
      assert.equal((await account()).includes("recovery codes left."), index >= 7);
      assert.equal(await spend(server, person, code), 9 - index);
    }
    assert.match(
      await account(),
      /You have 2 recovery codes left\. <a href="\/account\/second-step">Make new ones<\/a>/,
    );
  });

  test("U28 the page has links to what there is, and says when the app does not count", async () => {
    const { person, browser } = await newcomer();
    const first = (await open(browser)).text;
    assert.match(
      first,
      /With a second step, your password alone is not enough: sign-in also asks for digits from an app/,
    );
    assert.match(first, /Set up an authenticator app or add a passkey first\./);
    assert.match(first, /href="\/account\/passkeys">Add a passkey</);
    assert.doesNotMatch(first, /action="\/account\/(?:second-step|recovery-codes|authenticator)/);
    await addPasskeyOf(browser);
    const second = (await open(browser)).text;
    assert.match(second, /Make recovery codes first\./);
    assert.match(second, /1 passkey\./);
    await setUpApp(server, browser);
    for (let i = 0; i < 50; i++) await server.store.secondSteps.countTotp(person.id);
    const third = (await open(browser)).text;
    assert.match(third, /It does not count for now, after too many wrong digits\./);
    assert.match(third, /aria-label="Turn on: second step"/);
  });

  test("U06 where passkeys are off, nothing speaks of them", async () => {
    const other = await openTestServer();
    try {
      const browser = await signedIn(other, other.ada);
      assert.doesNotMatch((await openAccount(other, browser, "/second-step")).text, /passkey/i);
      const { page } = await turnOnSecondStep(other, browser);
      assert.doesNotMatch(page.text, /passkeys</i);
      assert.equal((await other.store.users.find(other.ada.id))?.secondStep, true);
    } finally {
      await other.close();
    }
  });
});

describe("U42 set-up of an authenticator app on its page", () => {
  test("U42 QR code, key, link and field; to look at it changes nothing", async () => {
    const { person, browser } = await newcomer();
    const before = await stateOf(person);
    const page = await open(browser, "authenticator");
    const { secret } = readApp(page);
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.ok(page.text.includes(secret.replace(/(.{4})(?=.)/g, "$1 ")), "in groups");
    assert.match(page.text, /<svg xmlns[^>]* role="img" aria-label="QR code for your authenticator app"/);
    const input = /<input id="digits"[^>]*>/.exec(page.text)?.[0] ?? "";
    for (const attribute of ['inputmode="numeric"', 'autocomplete="one-time-code"', 'type="text"'])
      assert.ok(input.includes(attribute), attribute);
    assert.doesNotMatch(page.response.headers.get("content-security-policy") ?? "", /script-src|unsafe/);
    assert.notEqual(readApp(await open(browser, "authenticator")).secret, secret, "another one each time");
    assert.deepEqual(await stateOf(person), before);
  });

  test("U42 wrong digits and a wrong clock are named, beside the same QR code", async () => {
    const { person, browser } = await newcomer();
    let page = await open(browser, "authenticator");
    const app = readApp(page);
    for (const [digits, message] of [
      ["", /Enter the 6 digits that the app shows\./],
      ["12 34", /Enter the 6 digits that the app shows\./],
      [app.digits(40), /These digits are not right\. Wait for the next ones\./],
      [app.digits(-4), /The clock of your phone is about 2 minutes behind\. Set it automatically, then try again\./],
      [app.digits(6), /The clock of your phone is about 3 minutes ahead\. Set it automatically, then try again\./],
    ] as const) {
      page = await browser.submit(page, "/account/authenticator", { digits });
      assert.equal(page.response.status, 400);
      assert.match(page.text, message);
      assert.match(page.text, /The app is not set up yet\./);
      assert.equal(readApp(page).secret, app.secret);
    }
    assert.equal((await stateOf(person)).totp, null);
    const right = app.digits();
    const done = await browser.submit(page, "/account/authenticator", {
      digits: ` ${right.slice(0, 3)} ${right.slice(3)}`,
    });
    assert.match(done.text, /The authenticator app is set up\./);
    assert.notEqual((await stateOf(person)).totp, null);
  });

  test("U42 the form is good once, and until the account changes", async () => {
    const { person, browser } = await newcomer();
    const page = await open(browser, "authenticator");
    const app = readApp(page);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => browser.submit(page, "/account/authenticator", { digits: app.digits() })),
    );
    assert.equal(answers.filter(({ text }) => codesOn({ text } as Stop).length === 10).length, 1, "one of six at once");
    const refused = answers.filter(({ response }) => response.status !== 200);
    assert.equal(refused.length, 5);
    for (const { text } of refused)
      assert.match(text, /Your account has changed since this page was opened\. Open the page again\./);
    assert.deepEqual([(await stateOf(person)).credentialVersion, (await stateOf(person)).codesLeft], [2, 10]);
    const { person: other, browser: his } = await newcomer();
    const old = await open(his, "authenticator");
    await later(10 * 60, async () => {
      await server.store.users.update(other.id, { passwordHash: "$argon2id$another" });
      const refused = await his.submit(old, "/account/authenticator", { digits: readApp(old).digits() });
      assert.match(refused.text, /Open the page again/);
    });
    assert.equal((await stateOf(other)).totp, null);
  });

  test("U42 another app takes the place of the first, and the recovery codes stay", async () => {
    const { person, browser } = await withAll();
    const before = await stateOf(person);
    const shown = await open(browser, "authenticator");
    assert.match(shown.text, /<h1>Replace the authenticator app<\/h1>/);
    const done = await browser.submit(shown, "/account/authenticator", { digits: readApp(shown).digits() });
    assert.equal(`${done.url.pathname}${done.url.search}`, "/account/second-step?done=app");
    assert.match(done.text, /The authenticator app is set up\. An app from before does not count any more\./);
    const now = await stateOf(person);
    assert.notEqual(now.totp?.sealedSecret, before.totp?.sealedSecret);
    assert.deepEqual([now.codesLeft, now.secondStep], [10, true]);
  });

  test("U45 without a passkey, the second step goes with the app; with one it stays", async () => {
    for (const hasPasskey of [false, true]) {
      const { person, browser } = await withAll();
      if (hasPasskey) await addPasskeyOf(browser);
      const page = await open(browser);
      assert.equal(page.text.includes("Removing it turns the second step off."), !hasPasskey);
      const done = await browser.submit(page, "/authenticator/remove");
      assert.equal(done.text.includes("and the second step is off"), !hasPasskey);
      assert.match(done.text, /The authenticator app is removed/);
      const { totp, secondStep } = await stateOf(person);
      assert.deepEqual([totp, secondStep], [null, hasPasskey]);
    }
  });
});

describe("U44 recovery codes on their page", () => {
  test("U44 ten codes are shown once, and as a text file", async () => {
    const { person, browser } = await newcomer();
    const { page } = await setUpApp(server, browser);
    const codes = codesOn(page);
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, CODE);
    assert.equal(page.response.headers.get("cache-control"), "no-store");
    const [url, init] = postOf(page, "/recovery-codes/file");
    const { response, text } = await browser.follow(url, init);
    assert.deepEqual(text.match(/^[A-Z-]{17}$/gm), codes);
    assert.match(text, new RegExp(`^Recovery codes of ${person.email} for Example\\.`));
    for (const [name, value] of [
      ["content-type", "text/plain; charset=utf-8"],
      ["content-disposition", 'attachment; filename="recovery-codes.txt"'],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["referrer-policy", "no-referrer"],
    ] as const)
      assert.equal(response.headers.get(name), value);
    await browser.submit(page, "/second-step/on");
    for (const path of ["", "/second-step", "/authenticator"]) {
      const { text: other } = await openAccount(server, browser, path);
      assert.ok(!codes.some((code) => other.includes(code)), path);
    }
    const after = await browser.follow(url, init);
    assert.match(after.text, /The codes are no longer here/, "the account has changed");
    assert.ok(!codes.some((code) => after.text.includes(code)));
  });

  test("U44 the file is for its person and session, for an hour, and never by GET", async () => {
    const [{ person, browser }, { browser: stranger }] = [await newcomer(), await newcomer()];
    const second = await signedIn(server, person);
    const { page } = await setUpApp(server, browser);
    const { page: foreign } = await setUpApp(server, stranger);
    const { action, hidden } = formOf(page, "/recovery-codes/file");
    const theirs = formOf(foreign, "/recovery-codes/file").hidden;
    const { csrf = "" } = formOf(await open(second), "/account/recovery-codes").hidden;
    const post = (by: Browser, values: Record<string, string>) =>
      by.follow(action, { method: "POST", body: new URLSearchParams(values) });
    for (const [by, values] of [
      [stranger, hidden],
      [stranger, { ...hidden, csrf: theirs.csrf ?? "" }],
      [browser, { ...hidden, codes: theirs.codes ?? "" }],
      [browser, { ...hidden, codes: "" }],
      [browser, { ...hidden, csrf: "" }],
      [browser, { ...hidden, codes: "A".repeat(3_000) }],
      [second, hidden],
      [second, { ...hidden, csrf }],
      [new Browser(), hidden],
    ] as const) {
      const { response, text } = await post(by, values);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      assert.ok(!codesOn(page).some((code) => text.includes(code)));
    }
    const query = new URLSearchParams(hidden);
    assert.equal((await browser.fetch(`${action}?${query}`)).status, 405);
    await later(61 * 60, async () => assert.match((await post(browser, hidden)).text, /The codes are no longer here/));
    assert.match((await post(browser, hidden)).response.headers.get("content-type") ?? "", /^text\/plain/);
  });

  test("U44 a new set voids the old one", async () => {
    const { person, browser, codes } = await withAll();
    assert.equal(await spend(server, person, codes[0]), 9);
    const made = await browser.submit(await open(browser), "/account/recovery-codes");
    const fresh = codesOn(made);
    assert.equal(new Set([...fresh, ...codes]).size, 20);
    assert.match(made.text, /<a class="button primary full" href="\/account\/second-step">I have kept them<\/a>/);
    assert.equal(await spend(server, person, codes[1]), null);
    assert.equal(await spend(server, person, fresh[0]), 9);
    const kinds = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.equal(kinds.filter((subject) => subject === "New recovery codes were made").length, 2);
  });

  test("U44 an app that replaces another comes with codes where none is left", async () => {
    const { person, browser, codes } = await withAll();
    for (const code of codes) await spend(server, person, code);
    assert.match((await openAccount(server, browser)).text, /You have no recovery codes left\./);
    const { page } = await setUpApp(server, browser);
    assert.equal(codesOn(page).length, 10);
    assert.doesNotMatch(page.text, /second-step\/on/);
  });
});

describe("U45 on and off", () => {
  test("U45 U34 turning it on ends every other session and all access, and this session goes on under a new id", async () => {
    const person = await somebody(server);
    const [browser, other] = [await signedIn(server, person), await signedIn(server, person)];
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, email: person.email };
    const inBrowser = { ...client, browser, scope: "openid offline_access", params: { prompt: "consent" } };
    const tokens = await getTokens(inBrowser);
    const { page } = await setUpApp(server, browser);
    assert.equal(await isSignedIn(server, other), true, "not yet");
    const id = browser.cookie("content-api-session");
    await browser.submit(page, "/second-step/on");
    assert.equal((await present(person)).secondStep, true);
    assert.equal(await isSignedIn(server, other), false);
    assert.equal(await isSignedIn(server, browser), true);
    assert.notEqual(browser.cookie("content-api-session"), id);
    const refreshed = await requestToken(server.issuer, {
      ...{ grant_type: "refresh_token", client_id: "spa", refresh_token: tokens.refresh_token },
    });
    assert.equal(refreshed.body.error, "invalid_grant");
    const subjects = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    for (const subject of ["An authenticator app was added", "New recovery codes were made", "Your second step is on"])
      assert.ok(subjects.includes(subject), subject);
  });

  test("U45 a session in which password and app were shown counts as one with both", async () => {
    const { person, browser } = await withAll();
    assert.deepEqual(await amrOf(browser, person), ["pwd", "otp", "mfa"]);
  });

  test("P28 a session has both factors only by the form after its own app, within ten minutes, and after a password", async () => {
    const unraised = async ({ person, browser }: { person: User; browser: Browser }, page: Stop) => {
      const done = await browser.submit(page, "/second-step/on");
      assert.equal(done.url.pathname, "/account/step-up");
      assert.equal((await present(person)).secondStep, true);
      assert.deepEqual(await amrOf(browser, person), ["pwd"]);
    };
    const byPage = await newcomer();
    await setUpApp(server, byPage.browser);
    await unraised(byPage, await open(byPage.browser));

    const byNewCodes = await newcomer();
    await setUpApp(server, byNewCodes.browser);
    const codes = await byNewCodes.browser.submit(await open(byNewCodes.browser), "/account/recovery-codes");
    await unraised(byNewCodes, codes);

    const tooLate = await newcomer();
    const { page } = await setUpApp(server, tooLate.browser);
    await later(10 * 60 + 30, () => unraised(tooLate, page));

    const byPasskey = await newcomer();
    const device = await addPasskeyOf(byPasskey.browser);
    const browser = new Browser();
    await answerWith(browser, await openAccount(server, browser), device);
    const { page: afterPasskey } = await setUpApp(server, browser);
    await browser.submit(afterPasskey, "/second-step/on");
    assert.deepEqual(await amrOf(browser, byPasskey.person), ["pop", "user", "mfa", "swk"]);
  });

  test("U45 on needs a factor and codes, and twice is once", async () => {
    const { person, browser } = await newcomer();
    const { hidden } = formOf(await openAccount(server, browser), "/sign-out");
    const on = () =>
      browser.follow(`${server.issuer}/account/second-step/on`, {
        method: "POST",
        body: new URLSearchParams(hidden),
      });
    const nothing = await on();
    assert.equal(nothing.response.status, 400);
    assert.match(nothing.text, /Add an authenticator app or a passkey first\./);
    await addPasskeyOf(browser);
    assert.match((await on()).text, /role="alert">[\s\S]*Make recovery codes first\./);
    assert.equal((await present(person)).secondStep, false);
    const codes = await browser.submit(await open(browser), "/account/recovery-codes");
    const asked = await browser.submit(codes, "/second-step/on");
    assert.equal(asked.url.pathname, "/account/step-up", "P28 this session has not shown the passkey yet");
    assert.equal((await present(person)).secondStep, true);
    const version = (await present(person)).credentialVersion;
    await on();
    assert.deepEqual([(await present(person)).credentialVersion, await isSignedIn(server, browser)], [version, true]);
  });

  test("U45 off removes the app and the codes; where it is demanded, it is refused", async () => {
    const { person, browser } = await withAll();
    const node = await server.openNode({ settings: { SECOND_STEP: "required" } });
    const at = (path: string) => browser.follow(`${node.url}/account${path}`);
    const demanded = await at("/second-step");
    assert.match(demanded.text, /Your account must have a second step\. It cannot be turned off\./);
    assert.doesNotMatch(demanded.text, /second-step\/off|authenticator\/remove/);
    assert.match((await at("")).text, /Your account must have one\./);
    const { hidden } = formOf(demanded, "/account/recovery-codes");
    const post = (path: string) =>
      browser.follow(`${node.url}/account${path}`, { method: "POST", body: new URLSearchParams(hidden) });
    const before = await stateOf(person);
    for (const [path, message] of [
      ["/second-step/off", /role="alert">[\s\S]*Your account must have a second step\. It cannot be turned off\./],
      ["/authenticator/remove", /Your account must have a second step\. Add a passkey first\./],
    ] as const) {
      const refused = await post(path);
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, message);
    }
    assert.deepEqual(await stateOf(person), before);
    const off = await browser.submit(await open(browser), "/second-step/off");
    assert.match(off.text, /The second step is off\. Your authenticator app and recovery codes are removed\./);
    const { secondStep, totp, codesLeft } = await stateOf(person);
    assert.deepEqual([secondStep, totp, codesLeft], [false, null, 0]);
    assert.equal(await isSignedIn(server, browser), true);
  });

  test("U46 a demand is told before there is anything", async () => {
    const { browser } = await newcomer();
    const node = await server.openNode({ settings: { SECOND_STEP: "staff" } });
    assert.doesNotMatch((await browser.follow(`${node.url}/account/second-step`)).text, /must have a second step/);
    const all = await server.openNode({ settings: { SECOND_STEP: "required" } });
    const page = await browser.follow(`${all.url}/account/second-step`);
    assert.match(
      page.text,
      /Your account must have a second step\. Set up an authenticator app or add a passkey first\./,
    );
  });
});

describe("U73 the second step in the export", () => {
  test("U73 since when the app, and how many codes are left; no secret", async () => {
    const { person, browser, app, codes } = await withAll();
    const page = await openAccount(server, browser, "/export");
    const { text } = await browser.submit(page, "/account/export");
    const { totp } = await stateOf(person);
    assert.ok(totp);
    const authenticatorAppSince = totp.confirmedAt;
    assert.deepEqual(JSON.parse(text).secondStep, { isOn: true, authenticatorAppSince, recoveryCodesLeft: 10 });
    const hashes = codes.map((code) => hashOf(person, code));
    for (const secret of [app.secret, totp.sealedSecret, ...codes, ...hashes]) assert.ok(!text.includes(secret));
  });
});

describe("P28 P29 P34 attacks on the pages of the second step", () => {
  /** Each form, on the page that has it. */
  const FORMS = [
    ["second-step", "/second-step/off"],
    ["second-step", "/authenticator/remove"],
    ["second-step", "/account/recovery-codes"],
    ["authenticator", "/account/authenticator"],
  ] as const;

  test("P28 pages and forms want a recent sign-in, and no form is replayed", async () => {
    const { person, browser } = await withAll();
    const { person: other, browser: his } = await newcomer();
    const { page: codes } = await setUpApp(server, his);
    const pages = { "second-step": await open(browser), authenticator: await open(browser, "authenticator") };
    const before = [await stateOf(person), await stateOf(other)];
    await later(STALE, async () => {
      for (const name of ["second-step", "authenticator"] as const) {
        const asked = await open(browser, name);
        assert.equal(`${asked.url.pathname}${asked.url.search}`, `/account/step-up?for=${name}`);
      }
      for (const [name, action] of FORMS) {
        const digits = readApp(pages.authenticator).digits();
        const asked = await browser.submit(pages[name], action, { digits });
        assert.equal(`${asked.url.pathname}${asked.url.search}`, `/account/step-up?for=${name}`, action);
        assert.ok(!asked.text.includes(digits));
      }
      assert.equal((await his.submit(codes, "/second-step/on")).url.pathname, "/account/step-up");
    });
    assert.deepEqual([await stateOf(person), await stateOf(other)], before);
  });

  test("P29 no form counts without its proof, or in another session", async () => {
    const [ada, eve] = [await withAll(), await withAll()];
    const second = await signedIn(server, await somebody(server));
    const before = [await stateOf(ada.person), await stateOf(eve.person)];
    for (const [name, action] of FORMS) {
      const hers = await open(ada.browser, name);
      const form = formOf(hers, action);
      const foreign = formOf(await open(eve.browser, name), action).hidden;
      const digits = name === "authenticator" ? { digits: readApp(hers).digits() } : {};
      for (const [by, csrf] of [
        [ada.browser, foreign.csrf],
        [ada.browser, ""],
        [ada.browser, "x"],
        [eve.browser, form.hidden.csrf],
        [second, form.hidden.csrf],
      ] as const) {
        const body = new URLSearchParams({ ...form.hidden, ...digits, csrf: csrf ?? "" });
        const stop = await by.follow(form.action, { method: "POST", body });
        assert.match(stop.text, /The page was out of date\. Nothing was changed\./, action);
      }
      const body = new URLSearchParams({ ...form.hidden, ...digits });
      assert.match((await new Browser().follow(form.action, { method: "POST", body })).text, /<h1>Sign in<\/h1>/);
      // Forms of ours only: not the same fields in another encoding.
      const json = { method: "POST", body: JSON.stringify({ ...form.hidden, ...digits }) };
      await ada.browser.follow(form.action, { ...json, headers: { "content-type": "application/json" } });
    }
    assert.deepEqual([await stateOf(ada.person), await stateOf(eve.person)], before);
  });

  test("P29 no GET changes anything", async () => {
    const { person, browser } = await withAll();
    const before = await stateOf(person);
    const { hidden } = formOf(await open(browser), "/second-step/off");
    for (const path of [
      "second-step/on",
      "second-step/off",
      "authenticator/remove",
      "recovery-codes",
      "recovery-codes/file",
    ])
      assert.equal(
        (await browser.fetch(`${server.issuer}/account/${path}?${new URLSearchParams(hidden)}`)).status,
        405,
      );
    const page = await open(browser, "authenticator");
    const { hidden: fields } = formOf(page, "/account/authenticator");
    const query = new URLSearchParams({ ...fields, digits: readApp(page).digits() });
    assert.equal((await open(browser, `authenticator?${query}`)).response.status, 200);
    assert.equal((await open(browser, `second-step?${query}&done=off`)).response.status, 200);
    assert.deepEqual(await stateOf(person), before);
  });

  test("P34 nobody sets an app up for another person, or in another session of the same one", async () => {
    const [{ person: ada, browser: hers }, { person: eve, browser: his }] = [await newcomer(), await newcomer()];
    const second = await signedIn(server, ada);
    const [herPage, hisPage] = [await open(hers, "authenticator"), await open(his, "authenticator")];
    const { digits } = readApp(hisPage);
    const { hidden } = formOf(hisPage, "/account/authenticator");
    const named = { user: ada.id, userId: ada.id, user_id: ada.id, id: ada.id, accountId: ada.id, email: ada.email };
    // The app of his page in her session: she would sign in with his digits.
    const planted = await hers.submit(herPage, "/account/authenticator", { app: hidden.app ?? "", digits: digits() });
    assert.match(planted.text, /Open the page again/);
    const elsewhere = await second.submit(await open(second, "authenticator"), "/account/authenticator", {
      ...{ app: formOf(herPage, "/account/authenticator").hidden.app ?? "", digits: readApp(herPage).digits() },
    });
    assert.match(elsewhere.text, /Open the page again/);
    await his.submit(hisPage, "/account/authenticator", { ...named, digits: digits() });
    assert.notEqual((await stateOf(eve)).totp, null);
    const his2 = await open(his);
    for (const action of ["/account/recovery-codes", "/second-step/on", "/authenticator/remove"])
      await his.submit(action === "/second-step/on" ? await open(his) : his2, action, named);
    assert.deepEqual(
      [(await stateOf(ada)).totp, (await stateOf(ada)).codesLeft, (await present(ada)).secondStep],
      [null, 0, false],
    );
  });

  test("P34 no app is added to an address that is not confirmed", async () => {
    const { person, browser } = await newcomer({ emailVerified: false });
    const page = await open(browser, "authenticator");
    assert.equal(page.url.pathname, "/account/second-step");
    assert.match(page.text, /Confirm your e-mail address first\. <a href="\/account">Go to your account<\/a>/);
    // A form as good as any, had the page given one.
    const { csrf = "" } = formOf(await openAccount(server, browser), "/sign-out").hidden;
    const setUp = openAuthenticatorSetUp("Example", openSealer(server.secret), () => Date.now());
    const { sealed: app, uri } = await setUp.begin(person, csrf);
    const { digits } = readApp({ text: `href="${uri}"` } as Stop);
    const refused = await browser.follow(`${server.issuer}/account/authenticator`, {
      method: "POST",
      body: new URLSearchParams({ csrf, app, digits: digits() }),
    });
    assert.equal(refused.url.pathname, "/account/second-step");
    assert.equal((await stateOf(person)).totp, null);
  });

  test("P34 R12 a person who was thrown out meanwhile changes nothing", async () => {
    const { person, browser } = await newcomer();
    const page = await open(browser, "authenticator");
    await server.store.users.update(person.id, { disabledAt: new Date().toISOString() });
    const refused = await browser.submit(page, "/account/authenticator", { digits: readApp(page).digits() });
    assert.match(refused.text, /<h1>Sign in<\/h1>/);
    assert.equal((await stateOf(person)).totp, null);
  });

  test("U42 U44 no secret and no code in a log, the audit, an address, a mail or the database", async () => {
    const person = await somebody(server);
    const addresses: string[] = [];
    class Recorder extends Browser {
      override async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
        const response = await super.fetch(url, init);
        addresses.push(String(url), response.headers.get("location") ?? "");
        return response;
      }
    }
    const browser = await signedIn(server, person, new Recorder());
    const { app, codes } = await turnOnSecondStep(server, browser);
    const shown = await open(browser, "authenticator");
    await browser.submit(shown, "/account/authenticator", { digits: "000 000" });
    const made = await browser.submit(await open(browser), "/account/recovery-codes");
    await browser.submit(made, "/recovery-codes/file");
    const digits = app.digits();
    await browser.submit(await open(browser), "/second-step/off");
    const letters = await lettersTo(server, person.email);
    const audit = await server.store.audit.list({ userId: person.id, limit: 1_000 });
    const details = audit.map(({ event, detail }) => `${event}: ${detail}`);
    for (const line of [
      "second-step: authenticator app added",
      "recovery-code: made",
      "second-step: turned on",
      "second-step: turned off",
    ])
      assert.ok(details.includes(line), line);
    const all = [...server.lines, JSON.stringify(audit), JSON.stringify(letters), ...addresses].join("\n");
    const stored = await server.readAll();
    const grouped = app.secret.replace(/(.{4})(?=.)/g, "$1 ");
    for (const secret of [app.secret, grouped, readApp(shown).secret, ...codes, ...codesOn(made)]) {
      assert.ok(!all.includes(secret) && !stored.includes(secret));
      assert.ok(!all.includes(secret.replaceAll("-", "")) && !stored.includes(secret.replaceAll("-", "")));
    }
    assert.doesNotMatch(all, new RegExp(`\\b(?:${digits}|000 000|000000)\\b`));
    assert.doesNotMatch(addresses.join("\n"), /codes=|app=|csrf=/);
  });
});
