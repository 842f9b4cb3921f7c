import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { SecondStepDemand } from "../../src/domain/people/second-step.ts";
import type { User } from "../../src/domain/people/user.ts";
import { openAuthenticator } from "./authenticator.ts";
import { readApp, setUpApp } from "./authenticator-app.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, getTokens, type Stop, walk } from "./client.ts";
import { linkFor } from "./mailed.ts";
import { addPasskey, answerWith, optionsOf } from "./passkeys.ts";
import { freeAddress, isSignedIn, NEW_PASSWORD, openAccount, signedIn, signInAt, somebody } from "./people.ts";
import { afterPassword, guarded } from "./second-step.ts";

const ACCOUNT = /<h1>Your account<\/h1>/;
const SIGN_IN = /<h1>Sign in<\/h1>/;

/** By the value of SECOND_STEP. */
let server: TestServer;
let staff: TestServer;
let strict: TestServer;
before(async () => {
  const open = (SECOND_STEP: SecondStepDemand) =>
    openTestServer({ hasName: true, settings: { SIGN_UP: "open", SECOND_STEP } });
  [server, staff, strict] = await Promise.all([open("optional"), open("staff"), open("required")]);
});
after(() => Promise.all([server, staff, strict].map((one) => one.close())));

function setUpOf(page: Stop): Stop {
  assert.match(page.text, /<h1>Set up a second step<\/h1>/);
  return page;
}

/** Sets up the app that the page shows, and keeps the codes. */
async function finishSetUp(browser: Browser, page: Stop): Promise<Stop> {
  const codes = await browser.submit(page, "/set-up/authenticator", { digits: readApp(page).digits() });
  return browser.submit(codes, "/set-up/done");
}

/** All that a change of the second step would change. */
async function stateOf({ id }: User, { store } = server) {
  const user = (await store.users.find(id)) ?? assert.fail("nobody");
  const { totp, codesLeft, passkeys } = await store.secondSteps.findFactors(id, "localhost");
  return { isOn: user.secondStep, version: user.credentialVersion, app: totp?.sealedSecret, codesLeft, passkeys };
}

/** Posts to a step of the sign-in what the page asks for another one. */
function postTo(browser: Browser, page: Stop, step: string, values: Record<string, string>): Promise<Stop> {
  const { action, hidden } = formOf(page, "/sign-in/second-step");
  const url = action.href.replace(/second-step$/, step);
  return browser.follow(url, { method: "POST", body: new URLSearchParams({ ...hidden, ...values }) });
}

describe("U46 a second step that must be there", () => {
  test("U46 the person sets one up within the sign-in, keeps the codes, and is signed in", async () => {
    const person = await somebody(strict);
    const browser = new Browser();
    const page = setUpOf(await signInAt(strict, person.email, PASSWORD, browser));
    assert.equal(await isSignedIn(strict, browser), false, "nothing else can be reached");
    const wrong = await browser.submit(page, "/set-up/authenticator", { digits: "12345" });
    assert.match(wrong.text, /Enter the 6 digits that the app shows\./);
    const codes = await browser.submit(wrong, "/set-up/authenticator", { digits: readApp(wrong).digits() });
    assert.equal(codes.text.match(/[A-Z]{5}-[A-Z]{5}-[A-Z]{5}/g)?.length, 10);
    assert.equal(await isSignedIn(strict, browser), false);
    assert.match((await browser.submit(codes, "/set-up/done")).text, ACCOUNT);
    assert.equal((await strict.store.users.find(person.id))?.secondStep, true);
  });

  test("U46 P34 by a passkey too, and a sealed first step alone ends nothing", async () => {
    const person = await somebody(strict);
    const browser = new Browser();
    const page = setUpOf(await signInAt(strict, person.email, PASSWORD, browser));
    const { action, hidden } = formOf(page, "/set-up/authenticator");
    const done = new URL("done", action);
    const jumped = await browser.follow(done, { method: "POST", body: new URLSearchParams(hidden) });
    assert.match(jumped.text, SIGN_IN);
    assert.equal(await isSignedIn(strict, browser), false);
    const device = openAuthenticator({ origin: strict.issuer, rpId: "localhost" });
    const answer = device.create(optionsOf(page, "/set-up/passkey"));
    const codes = await browser.submit(page, "/set-up/passkey", { answer });
    assert.match((await browser.submit(codes, "/set-up/done")).text, ACCOUNT);
    assert.equal((await strict.store.passkeys.listOf(person.id)).length, 1);
    const alone = new Browser();
    assert.match((await answerWith(alone, await openAccount(strict, alone), device)).text, ACCOUNT);
  });

  test("U46 R8 a new account begins with it: sign-up by password leads to the sign-in, and to the set-up", async () => {
    const browser = new Browser();
    const email = freeAddress();
    const page = await browser.follow(await linkFor(strict, "/sign-up", email, browser));
    const after = await browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD });
    assert.match(after.text, SIGN_IN);
    assert.equal(await isSignedIn(strict, browser), false);
    setUpOf(await signInAt(strict, email, NEW_PASSWORD, browser));
  });

  test("U46 in a client's request no token comes before", async () => {
    const person = await somebody(strict);
    const browser = new Browser();
    const client = { issuer: strict.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const start = await browser.follow(authorizationRequest(client).url);
    const page = setUpOf(await browser.submit(start, "/sign-in", { email: person.email, password: PASSWORD }));
    const end = await walk(browser, await finishSetUp(browser, page), client);
    assert.ok(end.url.searchParams.get("code"), end.text);
  });

  test("U46 `staff` asks administrators and editors alone", async () => {
    assert.match((await signInAt(staff, "bob@example.com", PASSWORD)).text, ACCOUNT);
    setUpOf(await signInAt(staff, "ada@example.com", PASSWORD));
  });
});

describe("U46 P25 the set-up within a sign-in", () => {
  test("P25 whoever has a second step reaches no set-up with the password alone", async () => {
    for (const isOn of [true, false]) {
      const { person } = await guarded(server, {}, { isOn });
      const node = await server.openNode({ settings: { SECOND_STEP: isOn ? "optional" : "required" } });
      const at = { ...server, issuer: node.url };
      const before = await stateOf(person);
      const browser = new Browser();
      const page = await afterPassword(at, person, browser);
      assert.match(page.text, /<h1>Second step<\/h1>/);
      const offered = await postTo(browser, page, "set-up/authenticator", { app: "", digits: "000000" });
      assert.ok(SIGN_IN.test(offered.text), "no app of one's own");
      assert.ok(!offered.text.includes("otpauth:"));
      const passkey = await postTo(browser, page, "set-up/passkey", { state: "", answer: "{}" });
      assert.ok(SIGN_IN.test(passkey.text));
      assert.deepEqual(await stateOf(person), before);
      assert.equal(await isSignedIn(server, browser), false);
    }
  });

  test("P25 a set-up that was begun before there was a second step ends with it", async () => {
    const { person } = await guarded(strict, {}, { isOn: false });
    await strict.store.secondSteps.turnOff(person.id);
    const browser = new Browser();
    const page = await afterPassword(strict, person, browser);
    setUpOf(page);
    // Its person adds a passkey meanwhile, which changes nothing else.
    const device = openAuthenticator({ origin: strict.issuer, rpId: "localhost" });
    const hers = new Browser();
    const owners = await afterPassword(strict, person, hers);
    const { credentialVersion } = (await strict.store.users.find(person.id)) ?? assert.fail();
    const passkey = { credentialId: "AQID", publicKey: "AQID", userHandle: "AQID", rpId: "localhost", counter: 0 };
    const about = { transports: [], aaguid: "", isBackupEligible: false, isBackedUp: false, name: "Phone" };
    const createdAt = new Date().toISOString();
    await strict.store.passkeys.create({ ...passkey, ...about, createdAt, userId: person.id }, credentialVersion);
    const before = await stateOf(person, strict);
    const refused = await browser.submit(page, "/set-up/authenticator", { digits: readApp(page).digits() });
    assert.ok(SIGN_IN.test(refused.text));
    const answer = device.create(optionsOf(owners, "/set-up/passkey"));
    assert.match((await hers.submit(owners, "/set-up/passkey", { answer })).text, SIGN_IN);
    assert.deepEqual(await stateOf(person, strict), before);
  });
});

describe("U46 a session from before a second step was demanded", () => {
  const about = { clientId: "spa", redirectUri: SPA_CALLBACK };

  test("U46 P26 it gives no token", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    await getTokens({ ...about, issuer: server.issuer, browser, email: person.email });
    const node = await server.openNode({ settings: { SECOND_STEP: "required" } });
    const client = { ...about, issuer: node.url };
    const silent = await browser.follow(authorizationRequest({ ...client, params: { prompt: "none" } }).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
  });

  test("U46 P26 somebody who becomes an administrator signs in once more, with a second step", async () => {
    const person = await somebody(staff);
    const browser = await signedIn(staff, person);
    const client = { ...about, issuer: staff.issuer, email: person.email };
    await getTokens({ ...client, browser });
    await staff.store.users.update(person.id, { role: "admin" });
    const silent = await browser.follow(authorizationRequest({ ...client, params: { prompt: "none" } }).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
    const start = await browser.follow(authorizationRequest(client).url);
    const page = await browser.submit(start, "/sign-in", { email: person.email, password: PASSWORD });
    const end = await walk(browser, await finishSetUp(browser, page), client);
    assert.ok(end.url.searchParams.get("code"), "no code");
  });
});

describe("U46 U72 an account that will be deleted, and has no second step though it must", () => {
  test("U46 U72 it is kept first, and then nothing but the set-up can be reached", async () => {
    const person = await somebody(strict);
    const deletesAt = new Date(Date.now() + 86_400_000).toISOString();
    await strict.store.deletions.ask(person.id, { deletesAt, posts: "keep" });
    const browser = new Browser();
    const offered = await afterPassword(strict, person, browser);
    assert.ok(offered.text.includes("Keep my account"));
    const page = await browser.submit(offered, "/keep");
    assert.equal((await strict.store.users.find(person.id))?.deletesAt, null);
    setUpOf(page);
    assert.equal(await isSignedIn(strict, browser), false);
    await finishSetUp(browser, page);
    assert.equal(await isSignedIn(strict, browser), true);
  });
});

describe("U45 the last factor of an account that must have a second step", () => {
  test("U45 U46 the only passkey stays; beside an app or another passkey it can be removed", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    const devices = [1, 2].map(() => openAuthenticator({ origin: server.issuer, rpId: "localhost" }));
    for (const device of devices) await addPasskey(server, browser, device);
    const node = await server.openNode({ settings: { SECOND_STEP: "required" } });
    const remove = async () => {
      const page = await browser.follow(`${node.url}/account/passkeys`);
      const { action, hidden } = formOf(page, "/passkeys/remove");
      const url = `${node.url}${action.pathname}`;
      return browser.follow(url, { method: "POST", body: new URLSearchParams(hidden) });
    };
    await remove();
    assert.equal((await stateOf(person)).passkeys, 1);
    const refused = await remove();
    assert.ok(refused.text.includes("Your account must have a second step. Set up an authenticator app first, or add"));
    assert.equal((await stateOf(person)).passkeys, 1);
    await setUpApp(server, browser);
    await remove();
    assert.equal((await stateOf(person)).passkeys, 0);
  });
});
