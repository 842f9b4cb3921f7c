import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { AuthorizationServerSettings } from "../../src/authorization-server/options.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { openAuthenticator } from "./authenticator.ts";
import { codesOn } from "./authenticator-app.ts";
import { later, openTestServer, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, type Stop } from "./client.ts";
import { linkFor } from "./mailed.ts";
import { addPasskey, answerWith, optionsOf } from "./passkeys.ts";
import { freeAddress, NEW_PASSWORD, openAccount, STALE, signedIn, signInAt, somebody } from "./people.ts";
import { afterPassword, guarded, otherDigits, spend } from "./second-step.ts";

const CONTACT = "help@example.com";
const STEP = "/sign-in/second-step";

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true, settings: { SIGN_UP: "open" } });
});
after(() => server.close());

/** Somebody who signed in with the password a short time ago, and has a passkey. */
async function withPasskey() {
  const person = await somebody(server);
  const browser = await signedIn(server, person);
  const device = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
  await addPasskey(server, browser, device);
  return { person, browser, device };
}

/** The step-up page of the same server after a start with other settings. */
async function askedBy(settings: Partial<AuthorizationServerSettings>, browser: Browser): Promise<Stop> {
  const node = await server.openNode({ settings });
  return browser.follow(`${node.url}/account/step-up?for=email`);
}

describe("U30 step-up with what the person has", () => {
  test("P28 U46 where a second step is demanded, the password alone is not enough beside a passkey", async () => {
    const { browser } = await withPasskey();
    await later(STALE, async () => {
      const asked = await askedBy({ SECOND_STEP: "required" }, browser);
      assert.match(asked.text, /To go on, use a passkey\. Your last sign-in in this browser was some time ago\./);
      assert.doesNotMatch(asked.text, /name="password"/);
      const { action, hidden } = formOf(asked, "/step-up/passkey");
      const url = action.href.replace(/\/passkey$/, "");
      for (const second of ["", "000000", "BCDFG-HJKLM-NPQRS"]) {
        const body = new URLSearchParams({ ...hidden, password: PASSWORD, second });
        const stop = await browser.follow(url, { method: "POST", body });
        assert.equal(stop.url.pathname, "/account/step-up", second);
      }
    });
  });

  test("U30 U44 without an app the page asks for a recovery code, and not for digits", async () => {
    const { person, browser, device } = await withPasskey();
    const made = await browser.submit(await openAccount(server, browser, "/second-step"), "/account/recovery-codes");
    const asked = await browser.submit(made, "/second-step/on");
    assert.match(asked.text, /use a passkey\. You signed in to this browser without your second step\./);
    assert.doesNotMatch(asked.text, /Digits of your authenticator app/);
    assert.match(asked.text, /<label for="second">Recovery code<\/label>/);
    const second = codesOn(made)[0] ?? "";
    const on = await browser.submit(asked, "/account/step-up", { password: PASSWORD, second });
    assert.equal(on.url.pathname, "/account/second-step");
    for (const code of codesOn(made).slice(1)) await spend(server, person, code);
    await later(STALE, async () => {
      const last = await openAccount(server, browser, "/email");
      assert.match(last.text, /To go on, use a passkey\./);
      assert.doesNotMatch(last.text, /name="password"/);
      assert.equal((await answerWith(browser, last, device)).url.pathname, "/account/email");
      const node = await server.openNode({ settings: { PASSKEY_ID: null } });
      const begun = await signInAt({ issuer: node.url }, person.email, PASSWORD);
      assert.match(begun.text, /Nothing is left that you can take the second step with here\./, "U47");
      assert.doesNotMatch(begun.text, /Enter one of your recovery codes/);
      const nothing = await askedBy({ PASSKEY_ID: null, SUPPORT_CONTACT: CONTACT }, browser);
      assert.match(
        nothing.text,
        /nothing is left that you can take it with here\. Ask <bdi>help@example\.com<\/bdi>\./,
      );
    });
  });

  test("U30 U47 a person without a password or a passkey that works is told to get a password by mail", async () => {
    const [browser, device] = [new Browser(), openAuthenticator({ origin: server.issuer, rpId: "localhost" })];
    const form = await browser.follow(await linkFor(server, "/sign-up", freeAddress(), browser));
    const answer = device.create(optionsOf(form, "/sign-up/finish"));
    await browser.submit(form, "/sign-up/finish", { name: "Grace", answer });
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      assert.match(asked.text, /To go on, use a passkey\./);
      for (const settings of [{ PASSKEY_ID: null }, { PASSKEY_ID: "example.com" }]) {
        const page = await askedBy(settings, browser);
        assert.match(page.text, /Your account has none, and no passkey that can be used here\./);
        assert.match(page.text, /href="\/recover">Get a password by mail</);
        assert.doesNotMatch(page.text, /<form/);
      }
      assert.equal((await answerWith(browser, asked, device)).url.pathname, "/account/email");
    });
  });
});

describe("U30 step-up with a second step", () => {
  async function signedInWhole(about: Awaited<ReturnType<typeof guarded>>): Promise<Browser> {
    const browser = new Browser();
    await browser.submit(await afterPassword(server, about.person, browser), STEP, { digits: about.digits() });
    return browser;
  }

  test("P28 R12 the password alone does not suffice; with the digits it does", async () => {
    const ada = await guarded(server);
    const browser = await signedInWhole(ada);
    assert.equal((await openAccount(server, browser, "/email")).url.pathname, "/account/email", "it is fresh");
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      assert.match(asked.text, /To go on, enter your password and the digits of your authenticator app\./);
      assert.match(asked.text, /Digits of your authenticator app/);
      assert.doesNotMatch(asked.text, /inputmode="numeric"/, "a recovery code has letters, which phones must offer");
      const alone = await browser.submit(asked, "/account/step-up", { password: PASSWORD, second: "" });
      assert.match(alone.text, /Enter the 6 digits/);
      const wrong = await browser.submit(alone, "/account/step-up", {
        password: PASSWORD,
        second: otherDigits(ada.digits()),
      });
      assert.match(wrong.text, /These digits are not right\. Wait for the next ones/);
      const right = await browser.submit(wrong, "/account/step-up", { password: PASSWORD, second: ada.digits() });
      assert.equal(right.url.pathname, "/account/email");
    });
  });

  test("P28 a session from before the second step was turned on has to show it", async () => {
    const person = await somebody(server);
    const browser = await signedIn(server, person);
    assert.equal((await openAccount(server, browser, "/email")).url.pathname, "/account/email");
    const { secondSteps } = server.store;
    const at = new Date().toISOString();
    const confirmed = await secondSteps.confirmTotp(person, { sealedSecret: "x", confirmedAt: at, step: 1 });
    const coded = await secondSteps.replaceRecoveryCodes(confirmed ?? person, ["hash"], at);
    assert.ok(await secondSteps.turnOn(coded ?? person, null));
    assert.equal((await openAccount(server, browser, "/email")).url.pathname, "/account/step-up");
  });

  test("P27 a recovery code is good there once", async () => {
    const ada = await guarded(server);
    const browser = await signedInWhole(ada);
    const second = ada.codes[0] ?? "";
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      const right = await browser.submit(asked, "/account/step-up", { password: PASSWORD, second });
      assert.equal(right.url.pathname, "/account/email");
    });
    await later(3 * STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      const again = await browser.submit(asked, "/account/step-up", { password: PASSWORD, second });
      assert.match(again.text, /This recovery code is not right/);
    });
  });

  test("U30 a person with passkeys and without an app is asked for a recovery code beside the password", async () => {
    const { person, codes, digits } = await guarded(server);
    const browser = new Browser();
    await browser.submit(await afterPassword(server, person, browser), STEP, { digits: digits() });
    await addPasskey(server, browser, openAuthenticator({ origin: server.issuer, rpId: "localhost" }));
    const now = (await server.store.users.find(person.id)) ?? assert.fail();
    assert.equal((await server.store.secondSteps.removeTotp(now, "localhost"))?.secondStep, true);
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/email");
      assert.match(asked.text, /To go on, enter your password and a recovery code, or use a passkey\./);
      assert.doesNotMatch(asked.text, /authenticator app/);
      const empty = await browser.submit(asked, "/account/step-up", { password: PASSWORD, second: "" });
      assert.match(empty.text, /A recovery code has 15 letters/);
      const typed = { password: PASSWORD, second: codes[0] ?? "" };
      assert.equal((await browser.submit(empty, "/account/step-up", typed)).url.pathname, "/account/email");
    });
  });
});

describe("U26 a password that is set at the same time as another", () => {
  test("R12 P57 whoever is thrown out while a form of theirs is under way sets no password", async () => {
    for (const wait of [20, 60, 100, 150, 200, 300]) {
      const person = await somebody(server, { passwordHash: await hashPassword(PASSWORD) });
      const browser = await signedIn(server, person);
      const page = await openAccount(server, browser, "/password");
      const late = browser.submit(page, "/account/password", { current: PASSWORD, password: NEW_PASSWORD });
      await setTimeout(wait);
      await server.store.users.update(person.id, { passwordHash: "of the owner" });
      await late;
      assert.equal((await server.store.users.find(person.id))?.passwordHash, "of the owner", `after ${wait} ms`);
    }
  });
});
