import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { MFA_ACR } from "../../src/domain/acr.ts";
import type { User } from "../../src/domain/people/user.ts";
import { openAuthenticator } from "./authenticator.ts";
import { later, listUntil, openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, exchange, formOf, requestToken, type Stop, walk } from "./client.ts";
import { lettersTo, linkFor } from "./mailed.ts";
import { addPasskey, answerWith, optionsOf } from "./passkeys.ts";
import { isSignedIn, NEW_PASSWORD, openAccount, signedIn, signInAt, somebody } from "./people.ts";
import { afterPassword, guarded, otherDigits } from "./second-step.ts";

const ASKED = /<h1>Second step<\/h1>/;
const ACCOUNT = /<h1>Your account<\/h1>/;
const SIGN_IN = /<h1>Sign in<\/h1>/;
const WRONG = /These digits are not right\. Wait for the next ones/;
const STEP = "/sign-in/second-step";

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true, settings: { SIGN_UP: "open" } });
});
after(() => server.close());

const sessionsOf = async ({ id }: User) => (await server.store.artifacts.listOfUser(id, ["Session"])).length;

describe("U41 the second step of a sign-in", () => {
  test("U41 P26 the password alone signs nobody in: no session, no cookie of the person, no page", async () => {
    const { person } = await guarded(server);
    const browser = new Browser();
    const page = await afterPassword(server, person, browser);
    assert.match(page.text, ASKED);
    assert.match(page.text, /Enter the digits that your authenticator app shows now\./);
    assert.equal(await sessionsOf(person), 0);
    for (const name of ["content-api-session", "content-api-known"]) assert.equal(browser.cookie(name), undefined);
    assert.equal(await isSignedIn(server, browser), false);
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const silent = await browser.follow(authorizationRequest({ ...client, params: { prompt: "none" } }).url);
    assert.equal(silent.url.searchParams.get("error"), "login_required");
    assert.match((await browser.follow(authorizationRequest(client).url)).text, SIGN_IN);
    const wrong = await signInAt(server, person.email, "not this one at all");
    assert.doesNotMatch(
      wrong.text,
      /second step|authenticator/i,
      "which steps there are is told after the password only",
    );
  });

  test("U41 U60 the digits sign in, once, and the session knows both steps", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    const typed = digits();
    const page = await afterPassword(server, person, browser);
    const spaced = `${typed.slice(0, 3)} ${typed.slice(3)}`;
    assert.match((await browser.submit(page, STEP, { digits: spaced })).text, ACCOUNT);
    assert.ok(browser.cookie("content-api-known"));
    const again = new Browser();
    const refused = await again.submit(await afterPassword(server, person, again), STEP, { digits: typed });
    assert.match(refused.text, WRONG, "P23");
    const events = await listUntil(server.store.audit, { userId: person.id }, (list) =>
      list.some(({ detail }) => detail === "both steps"),
    );
    const told = events.map(({ event, result, detail }) => `${event} ${result} ${detail}`);
    for (const line of ["sign-in ok first step", "second-step ok authenticator app", "sign-in ok both steps"])
      assert.ok(told.includes(line), told.join());
    assert.doesNotMatch(JSON.stringify(events), new RegExp(typed));
  });

  test("U41 within a client's request, and then consent", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const { url } = authorizationRequest(client);
    const typed = { email: person.email, password: PASSWORD };
    const asked = await browser.submit(await browser.follow(url), "/sign-in", typed);
    assert.match(asked.text, ASKED);
    const consent = await browser.submit(asked, STEP, { digits: digits() });
    const end = await walk(browser, consent, client);
    assert.ok(end.url.searchParams.get("code"), end.text);
  });

  test("U60 a client that wishes for two factors gets them from a person who has an app, though the second step is off", async () => {
    const { person, digits } = await guarded(server, {}, { isOn: false });
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const typed = { email: person.email, password: PASSWORD };
    for (const [acr_values, isAsked] of [
      [undefined, false],
      ["https://refeds.org/profile/sfa", false],
      ["https://refeds.org/profile/mfa", true],
      ["phr", true],
      ["something-else", false],
    ] as const) {
      const browser = new Browser();
      const { url } = authorizationRequest({ ...client, params: { acr_values } });
      const after = await browser.submit(await browser.follow(url), "/sign-in", typed);
      assert.equal(ASKED.test(after.text), isAsked, acr_values);
    }
    // Nobody skips a step that the account needs.
    const strict = await guarded(server);
    const other = new Browser();
    const page = await afterPassword(server, strict.person, other);
    const { action, hidden } = formOf(page, STEP);
    const skip = new URL(`${action.href}/skip`);
    assert.match((await other.follow(skip, { method: "POST", body: new URLSearchParams(hidden) })).text, SIGN_IN);
    assert.equal(await isSignedIn(server, other), false);

    const browser = new Browser();
    const { url, verifier } = authorizationRequest({ ...client, params: { acr_values: "phr" } });
    const asked = await browser.submit(await browser.follow(url), "/sign-in", typed);
    const end = await walk(browser, await browser.submit(asked, STEP, { digits: digits() }), client);
    const code = end.url.searchParams.get("code") ?? assert.fail(end.text);
    const { body } = await requestToken(server.issuer, exchange(client, code, verifier));
    const { acr, amr } = decodeJwt(body.id_token);
    assert.deepEqual([acr, amr], ["https://refeds.org/profile/mfa", ["pwd", "otp", "mfa"]], "P47 the truth");
  });

  test("P23 of twenty posts with the same digits on two nodes one signs in", async () => {
    const { person, digits } = await guarded(server);
    const node = await server.openNode();
    const browser = new Browser();
    const page = await afterPassword(server, person, browser);
    const { hidden } = formOf(page, STEP);
    const typed = digits();
    const headers = { cookie: `content-api-account=${browser.cookie("content-api-account")}` };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        fetch(`${i % 2 === 0 ? server.issuer : node.url}/account/sign-in/second-step`, {
          ...{ method: "POST", redirect: "manual", headers },
          body: new URLSearchParams({ ...hidden, digits: typed }),
        }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 303).length, 1);
  });

  test("P24 at most ten guesses are judged in a quarter of an hour, whatever is begun anew", async () => {
    const { person, digits } = await guarded(server);
    for (let round = 0; round < 3; round++) {
      const browser = new Browser();
      const page = await afterPassword(server, person, browser);
      const { hidden } = formOf(page, STEP);
      const headers = { cookie: `content-api-account=${browser.cookie("content-api-account")}` };
      await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          fetch(`${server.issuer}/account/sign-in/second-step`, {
            ...{ method: "POST", redirect: "manual", headers },
            body: new URLSearchParams({ ...hidden, digits: String(i).padStart(6, "0") }),
          }).then((response) => response.text()),
        ),
      );
    }
    const browser = new Browser();
    const page = await afterPassword(server, person, browser);
    const refused = await browser.submit(page, STEP, { digits: digits() });
    assert.equal(refused.response.status, 429);
    assert.match(refused.text, /There were too many attempts\. Wait 15 minutes/);
    const { totp } = await server.store.secondSteps.findFactors(person.id, null);
    assert.equal(totp?.failures, 10, "as many were judged");
    const letters = await lettersTo(server, person.email);
    assert.ok(
      letters.some(({ subject }) => /password/i.test(subject)),
      "U49",
    );
  });

  test("U43 five wrong ones lead back to the password", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    let page = await afterPassword(server, person, browser);
    for (let i = 0; i < 4; i++) {
      page = await browser.submit(page, STEP, { digits: otherDigits(digits()) });
      assert.match(page.text, WRONG);
    }
    page = await browser.submit(page, STEP, { digits: otherDigits(digits()) });
    assert.match(page.text, SIGN_IN);
    assert.match(page.text, /There were too many wrong attempts\. Start the sign-in again\./);
  });

  test("P25 what the first step left behind counts in its own browser, for its own person, for ten minutes", async () => {
    const [ada, bob] = [await guarded(server), await guarded(server)];
    const [hers, his] = [new Browser(), new Browser()];
    const [herPage, hisPage] = [
      await afterPassword(server, ada.person, hers),
      await afterPassword(server, bob.person, his),
    ];
    const { hidden } = formOf(herPage, STEP);
    const startAgain = /Sign in again\./;
    // Her first step, his browser.
    const stolen = await his.submit(hisPage, STEP, { pending: hidden.pending ?? "", digits: ada.digits() });
    assert.match(stolen.text, startAgain);
    // In a client's request.
    const client = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const inClient = await hers.submit(await hers.follow(authorizationRequest(client).url), "/sign-in", {
      email: ada.person.email,
      password: PASSWORD,
    });
    assert.match(inClient.text, ASKED);
    const moved = await hers.submit(inClient, STEP, { pending: hidden.pending ?? "", digits: ada.digits() });
    assert.match(moved.text, startAgain);
    await later(601, async () => {
      assert.match((await hers.submit(herPage, STEP, { digits: ada.digits() })).text, startAgain);
    });
    // Another password meanwhile.
    await server.store.users.update(ada.person.id, { passwordHash: "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$aGFzaA" });
    assert.match((await hers.submit(herPage, STEP, { digits: ada.digits() })).text, startAgain);
    for (const pending of ["", "x", "y".repeat(3_000)])
      assert.match((await his.submit(hisPage, STEP, { pending, digits: bob.digits() })).text, startAgain);
    assert.equal(await sessionsOf(ada.person), 0);
  });

  test("P27 U44 a recovery code signs in once, its person is told, and another's opens nothing", async () => {
    const [ada, bob] = [await guarded(server), await guarded(server)];
    const code = ada.codes[3] ?? "";
    const browser = new Browser();
    const page = await afterPassword(server, ada.person, browser);
    const foreign = await browser.submit(page, STEP, { code: bob.codes[0] ?? "" });
    assert.match(foreign.text, /This recovery code is not right/);
    const focused = [...foreign.text.matchAll(/<input id="(\w+)"[^>]* autofocus/g)].map(([, id]) => id);
    assert.deepEqual(focused, ["code"], "the focus is at the error");
    const account = await browser.submit(foreign, STEP, { code: code.toLowerCase().replaceAll("-", " ") });
    assert.match(account.text, ACCOUNT);
    const again = new Browser();
    const refused = await again.submit(await afterPassword(server, ada.person, again), STEP, { code });
    assert.match(refused.text, /This recovery code is not right/);
    const letter = (await lettersTo(server, ada.person.email)).find(({ subject }) => /recovery code/i.test(subject));
    assert.match(JSON.stringify(letter?.parts), /9/);
  });

  test("U40 U41 a passkey is the second step too, and signs in alone without one", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    await browser.submit(await afterPassword(server, person, browser), STEP, { digits: digits() });
    const device = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
    assert.match((await addPasskey(server, browser, device)).text, /The passkey is added/);
    const alone = new Browser();
    assert.match((await answerWith(alone, await openAccount(server, alone), device)).text, ACCOUNT);
    const second = new Browser();
    const page = await afterPassword(server, person, second);
    const actionEnd = `${STEP}/passkey`;
    assert.deepEqual(
      JSON.parse(optionsOf(page, actionEnd)).allowCredentials.map(({ id }: { id: string }) => id),
      [device.held[0]?.id],
    );
    assert.match((await answerWith(second, page, device, { actionEnd })).text, ACCOUNT);
    // Somebody else's.
    const thief = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
    const mallory = await somebody(server);
    await addPasskey(server, await signedIn(server, mallory), thief);
    const third = new Browser();
    const asked = await afterPassword(server, person, third);
    const { challenge } = JSON.parse(optionsOf(asked, actionEnd));
    const answer = thief.get({ challenge, rpId: "localhost", allowCredentials: [] });
    assert.match((await third.submit(asked, actionEnd, { answer })).text, /This passkey is not known here/);
    assert.equal(await isSignedIn(server, third), false);
  });

  test("P10 U24 a new password by mail signs nobody in past the second step, and leaves it as it is", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    const page = await browser.follow(await linkFor(server, "/recover", person.email, browser));
    await browser.submit(page, "/recover/finish", { password: NEW_PASSWORD });
    assert.equal(await isSignedIn(server, browser), false);
    const asked = await signInAt(server, person.email, NEW_PASSWORD, browser);
    assert.match(asked.text, ASKED);
    assert.match((await browser.submit(asked, STEP, { digits: digits() })).text, ACCOUNT);
  });

  test("U72 an account that will be deleted is kept after both steps only", async () => {
    const { person, digits } = await guarded(server);
    const deletesAt = new Date(Date.now() + 86_400_000).toISOString();
    await server.store.deletions.ask(person.id, { deletesAt, posts: "keep" });
    const browser = new Browser();
    const asked = await afterPassword(server, person, browser);
    assert.match(asked.text, ASKED);
    const offered = await browser.submit(asked, STEP, { digits: digits() });
    assert.match(offered.text, /Keep my account/);
    assert.match((await browser.submit(offered, "/keep")).text, ACCOUNT);
  });

  test("P45 U34 the session has a new id after the second step", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    const page = await afterPassword(server, person, browser);
    browser.put("content-api-session", "planted");
    await browser.submit(page, STEP, { digits: digits() });
    assert.notEqual(browser.cookie("content-api-session"), "planted");
    assert.equal(await isSignedIn(server, browser), true);
  });
});

describe("U60 a client that asks for a new sign-in", () => {
  test("P47 `max_age=0` and `prompt=login` ask for every step again, and tokens tell the newest sign-in", async () => {
    const { person, digits } = await guarded(server);
    await server.addClient({ id: "ours", firstParty: true });
    const client = { issuer: server.issuer, clientId: "ours", redirectUri: SPA_CALLBACK };
    const typed = { email: person.email, password: PASSWORD };
    const browser = new Browser();
    const startedAt = Math.floor(Date.now() / 1_000);
    let used = digits();
    await browser.submit(await afterPassword(server, person, browser), STEP, { digits: used });
    const usual = await browser.follow(authorizationRequest(client).url);
    assert.ok(usual.url.searchParams.has("code"), "without them the session is enough");
    for (const [params, seconds] of [
      [{ max_age: "0" }, 30],
      [{ prompt: "login" }, 60],
    ] as const)
      await later(seconds, async () => {
        const { url, verifier } = authorizationRequest({ ...client, params });
        const signIn = await browser.follow(url);
        assert.match(signIn.text, SIGN_IN, "the session is not enough");
        const asked = await browser.submit(signIn, "/sign-in", typed);
        assert.match(asked.text, ASKED, "nor is the password");
        const again = await browser.submit(asked, STEP, { digits: used });
        assert.match(again.text, WRONG, "nor are the digits of the last time");
        used = digits();
        const end = await browser.submit(again, STEP, { digits: used });
        const code = end.url.searchParams.get("code") ?? assert.fail(end.text);
        const { body } = await requestToken(server.issuer, exchange(client, code, verifier));
        const { acr, amr, auth_time } = decodeJwt(body.id_token);
        assert.deepEqual([acr, amr], ["https://refeds.org/profile/mfa", ["pwd", "otp", "mfa"]]);
        assert.ok((auth_time as number) >= startedAt + seconds, "the sign-in is a new one");
      });
  });
});

describe("U60 a step that only the client wishes for", () => {
  const client = { clientId: "spa", redirectUri: SPA_CALLBACK, params: { acr_values: MFA_ACR } };

  async function asked(person: User, browser: Browser): Promise<Stop> {
    const start = await browser.follow(authorizationRequest({ ...client, issuer: server.issuer }).url);
    return browser.submit(start, "/sign-in", { email: person.email, password: PASSWORD });
  }

  test("U49 U60 to go on without it is no sign that somebody knows the password", async () => {
    const { person } = await guarded(server, {}, { isOn: false });
    for (let i = 0; i < 7; i++) {
      const browser = new Browser();
      await browser.submit(await asked(person, browser), "/second-step/skip");
    }
    const subjects = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.ok(!subjects.includes("Somebody knows your password"), subjects.join());
  });

  test("U46 U60 it is skipped no more once the account needs it", async () => {
    const node = await server.openNode({ settings: { SECOND_STEP: "staff" } });
    const { person } = await guarded(server, {}, { isOn: false });
    const browser = new Browser();
    const page = await asked(person, browser);
    await server.store.users.update(person.id, { role: "admin" });
    const { action, hidden } = formOf(page, "/second-step/skip");
    const skip = `${node.url}${action.pathname}`;
    const refused = await browser.follow(skip, { method: "POST", body: new URLSearchParams(hidden) });
    assert.ok(SIGN_IN.test(refused.text));
  });
});
