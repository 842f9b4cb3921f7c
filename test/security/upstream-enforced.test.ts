import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { inviteAccount } from "../../src/domain/people/invitation-administration.ts";
import { setLocalSignIn } from "../../src/domain/people/upstream-administration.ts";
import type { User } from "../../src/domain/people/user.ts";
import { anUpstream } from "../authorization-server/upstreams/party.ts";
import { openTestPeopleMail } from "../people-mail.ts";
import { type Authenticator, openAuthenticator } from "./authenticator.ts";
import { later, linkIn, listUntil, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, type Stop, walk } from "./client.ts";
import { askFor, forgetNetwork, lettersTo, letterTo } from "./mailed.ts";
import { addPasskey, answerWith } from "./passkeys.ts";
import { freeAddress, isSignedIn, NEW_PASSWORD, openAccount, STALE, signedIn, signInAt, somebody } from "./people.ts";
import { guarded } from "./second-step.ts";
import { continueWith, type Federation, freeSubject, linked, openFederation, PLACES, playing } from "./upstream.ts";

const SENTENCE = /corp\.example signs in with ACME\./;

let server: Federation;
/** The same server before ACME was enforced. */
let former: TestServer;
let people = 0;
before(async () => {
  server = await openFederation(
    { enforced: true, domains: ["corp.example"] },
    {
      ...{ hasName: true, settings: { SIGN_UP: "open" } },
      more: (issuer) => [anUpstream(issuer, { id: "hub", name: "Hub", domains: [], trustEmail: false })],
    },
  );
  const { url } = await server.openNode({ upstreams: [] });
  // Its addresses in pages are paths, so a browser stays there.
  former = Object.assign(Object.create(server) as TestServer, { issuer: url.replace("127.0.0.1", "localhost") });
});
after(() => server.close());

function employee(change: Partial<User> = {}): Promise<User> {
  return somebody(server, { email: `worker-${++people}@corp.example`, ...change });
}

describe("U65 P42 a domain that signs in with another service", () => {
  test("P12 P42 attempts count all the same, and the audit says why", async () => {
    const { id, email } = await employee();
    let last = await signInAt(server, email, PASSWORD);
    const [event] = await listUntil(server.store.audit, { userId: id, event: "sign-in" }, (all) => all.length > 0);
    assert.deepEqual([event?.result, event?.detail], ["refused", "the domain signs in elsewhere"]);
    for (let tries = 0; tries < 10; tries++) last = await signInAt(server, email, PASSWORD);
    assert.equal(last.response.status, 429);
  });

  for (const [place, open] of Object.entries(PLACES)) {
    test(`P42 the right password is refused as a wrong one, by the domain alone, at ${place}`, async () => {
      const { email } = await employee();
      const answers = new Set<string>();
      for (const [typed, password] of [
        [email, PASSWORD],
        [email.toUpperCase(), PASSWORD],
        [` ${email}`, PASSWORD],
        [email, "wrong"],
        ["nobody@corp.example", PASSWORD],
        ["nobody@CORP.example", ""],
      ] as const) {
        const browser = new Browser();
        const page = await open(server, browser);
        const refused = await browser.submit(page, "/sign-in", { email: typed, password, local: "1" });
        assert.equal(refused.response.status, 400, typed);
        assert.match(refused.text, SENTENCE, typed);
        answers.add(/id="sign-in-error".*?<\/div><\/div>/s.exec(refused.text)?.[0] ?? "");
        assert.equal(await isSignedIn(server, browser), false, typed);
      }
      assert.equal(answers.size, 1);
    });
  }

  test("P42 addresses of other domains are not touched, and no parameter opens a way", async () => {
    for (const email of ["corp.example@example.com", "ada@sub.corp.example", "ada@notcorp.example"]) {
      const refused = await signInAt(server, email, PASSWORD);
      assert.doesNotMatch(refused.text, SENTENCE, email);
    }
    const { email } = await employee();
    for (const query of ["?password=1", "?local=1", "?local_sign_in=on"]) {
      const browser = new Browser();
      const page = await browser.follow(`${server.issuer}/account${query}`);
      assert.match((await browser.submit(page, "/sign-in", { email, password: PASSWORD })).text, SENTENCE);
    }
  });

  test("U65 its person signs in with the service, and with no other", async () => {
    const person = await employee();
    const [sub, other] = [freeSubject(), freeSubject()];
    await linked(server, person, sub);
    await linked(server, person, other, "hub");
    playing(server, { sub, email: person.email });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    assert.ok(await isSignedIn(server, browser));
    playing(server, { sub: other, email: person.email });
    const elsewhere = new Browser();
    const refused = await continueWith(server, elsewhere, await openAccount(server, elsewhere), { provider: "hub" });
    assert.equal(refused.response.status, 400);
    assert.match(refused.text, SENTENCE);
    assert.equal(await isSignedIn(server, elsewhere), false);
  });

  test("U65 the service must name an address of its own domains", async () => {
    const person = await employee();
    const sub = freeSubject();
    await linked(server, person, sub);
    for (const email of ["worker@elsewhere.example", undefined, "worker@corp.example.evil"]) {
      playing(server, { sub, email });
      const browser = new Browser();
      const refused = await continueWith(server, browser, await openAccount(server, browser));
      assert.equal(refused.response.status, 400, email);
      assert.equal(await isSignedIn(server, browser), false, email);
    }
  });

  test("U64 a new person of the domain gets an account by the service, and by no other", async () => {
    const email = `worker-${++people}@corp.example`;
    playing(server, { sub: freeSubject(), email, email_verified: true });
    const elsewhere = new Browser();
    const none = await continueWith(server, elsewhere, await openAccount(server, elsewhere), { provider: "hub" });
    assert.doesNotMatch(none.text, /Create an account/);
    const browser = new Browser();
    const page = await continueWith(server, browser, await openAccount(server, browser));
    await browser.submit(page, "/upstream/create", { name: "Grace" });
    assert.ok(await isSignedIn(server, browser));
  });

  test("P33 P42 a passkey is as unknown as any other, but counts as the second step after the service", async () => {
    const person = await employee();
    const device: Authenticator = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
    const before = await signedIn(former, person);
    await addPasskeyAt(former, before, device);
    const browser = new Browser();
    const refused = await answerWith(browser, await openAccount(server, browser), device);
    assert.equal(refused.response.status, 400);
    assert.match(refused.text, /This passkey is not known here/);
    assert.equal(await isSignedIn(server, browser), false);

    const { person: careful, digits } = await guarded(server, { email: `worker-${++people}@corp.example` });
    const own = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
    const sub = freeSubject();
    await linked(server, careful, sub);
    const inside = new Browser();
    const step = await signInAt(former, careful.email, PASSWORD, inside);
    await inside.submit(step, "/second-step", { digits: digits() });
    await addPasskeyAt(former, inside, own);
    playing(server, { sub, email: careful.email });
    const visitor = new Browser();
    const second = await continueWith(server, visitor, await openAccount(server, visitor));
    assert.match(second.text, /<h1>Second step<\/h1>/);
    await answerWith(visitor, second, own, { actionEnd: "/second-step/passkey" });
    assert.ok(await isSignedIn(server, visitor));
  });

  test("P42 a reset sends no link, and links from before open nothing", async () => {
    const person = await employee();
    await lettersTo(server, person.email);
    await askFor(server, "/recover", person.email);
    const letter = await letterTo(server, person.email);
    assert.equal(letter?.subject, "You need no password here");
    assert.match(JSON.stringify(letter?.parts), SENTENCE);
    assert.doesNotMatch(JSON.stringify(letter?.parts), /token=/);

    const mail = openTestPeopleMail(server.store, server.issuer, { sendsMail: false, secret: server.secret });
    const link = (await mail.recover(person)) ?? assert.fail("no link");
    const browser = new Browser();
    const page = await browser.follow(link);
    assert.equal(page.response.status, 410);
    assert.equal((await server.store.users.find(person.id))?.passwordHash, person.passwordHash);
  });

  test("P42 sign-up and its links are refused", async () => {
    const email = `worker-${++people}@corp.example`;
    const refused = await askFor(server, "/sign-up", email);
    assert.equal(refused.response.status, 400);
    assert.match(refused.text, SENTENCE);
    assert.deepEqual(await lettersTo(server, email), []);

    await askFor(former, "/sign-up", email);
    const link = linkIn(await letterTo(server, email));
    const browser = new Browser();
    const page = await browser.follow(link);
    assert.equal(page.response.status, 403);
    assert.match(page.text, SENTENCE);
    const before = await browser.follow(link.replace(server.issuer, former.issuer));
    const form = formOf(before, "/sign-up/finish");
    const body = new URLSearchParams({ ...form.hidden, name: "Grace", password: NEW_PASSWORD });
    const posted = await browser.follow(`${server.issuer}/sign-up/finish`, { method: "POST", body });
    assert.equal(posted.response.status, 403);
    assert.equal(await server.store.users.findByEmail(email), null);
  });

  test("P42 an invitation gives no password", async () => {
    const email = `worker-${++people}@corp.example`;
    const mail = openTestPeopleMail(server.store, server.issuer, { sendsMail: true, secret: server.secret });
    const administration = {
      store: server.store,
      actorId: server.ada.id,
      now: () => Date.now(),
      record: async () => {},
    };
    await inviteAccount({ ...administration, mail }, { email, role: "editor" });
    const browser = new Browser();
    const link = linkIn(await letterTo(server, email));
    assert.match((await browser.follow(link)).text, SENTENCE);
    const form = formOf(await browser.follow(link.replace(server.issuer, former.issuer)), "/invitation");
    const body = new URLSearchParams({ ...form.hidden, name: "Grace", password: NEW_PASSWORD });
    const posted = await browser.follow(`${server.issuer}/invitation`, { method: "POST", body });
    assert.match(posted.text, SENTENCE);
    assert.equal(await server.store.users.findByEmail(email), null);
  });

  test("P42 no address is changed into the domain, nor out of it", async () => {
    await forgetNetwork(server);
    const outsider = await somebody(server);
    const browser = await signedIn(server, outsider);
    const into = `worker-${++people}@corp.example`;
    const refused = await browser.submit(await openAccount(server, browser, "/email"), "/account/email", {
      email: into,
    });
    assert.match(refused.text, SENTENCE);
    assert.deepEqual(await lettersTo(server, into), []);

    const atFormer = new Browser();
    await signedIn(former, outsider, atFormer);
    await atFormer.submit(await openAccount(former, atFormer, "/email"), "/account/email", { email: into });
    const link = linkIn(await letterTo(server, into));
    const page = await browser.follow(link);
    const finished = await browser.submit(page, "/account/email/finish");
    assert.equal(finished.response.status, 403);
    assert.match(finished.text, SENTENCE);
    assert.equal((await server.store.users.find(outsider.id))?.email, outsider.email);

    const person = await employee();
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub, email: person.email });
    const inside = new Browser();
    await continueWith(server, inside, await openAccount(server, inside));
    for (const [email, isRefused] of [
      [freeAddress(), true],
      [`worker-${++people}@corp.example`, false],
    ] as const) {
      const end = await inside.submit(await openAccount(server, inside, "/email"), "/account/email", { email });
      assert.equal(SENTENCE.test(end.text), isRefused, email);
    }
  });

  test("P42 the step-up of its person is at the service", async () => {
    const person = await employee();
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub, email: person.email });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    await later(STALE, async () => {
      const asked = await openAccount(server, browser, "/links");
      assert.match(asked.text, /To go on, sign in at ACME\./);
      assert.doesNotMatch(asked.text, /name="password"/);
      const body = new URLSearchParams({ ...formOf(asked, "/step-up/upstream").hidden, password: PASSWORD });
      const refused = await browser.follow(`${server.issuer}/account/step-up`, { method: "POST", body });
      assert.equal(refused.response.status, 400);
      assert.equal((await openAccount(server, browser, "/links")).url.pathname, "/account/step-up");
      playing(server, { sub, email: person.email, auth_time: Math.floor(Date.now() / 1_000) });
      const page = await continueWith(server, browser, asked, { form: "/account/step-up/upstream" });
      assert.match(page.text, /<h1>Linked services<\/h1>/);
    });
  });

  test("P42 the device flow goes the same way", async () => {
    await server.addClient({
      id: "tv",
      name: "A television",
      redirectUris: [],
      grantTypes: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    });
    const person = await employee();
    const body = new URLSearchParams({ client_id: "tv", scope: "openid posts:read" });
    const answer = await fetch(`${server.issuer}/device/auth`, { method: "POST", body });
    const device = (await answer.json()) as { user_code: string; verification_uri: string };
    const browser = new Browser();
    const code = await browser.follow(device.verification_uri);
    const confirm = await browser.submit(code, "/device", { user_code: device.user_code });
    const page = await browser.submit(confirm, "/device", { confirm: "yes" });
    const refused = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
    assert.match(refused.text, SENTENCE);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub, email: person.email });
    const consent: Stop = await continueWith(server, browser, refused);
    const end = await walk(browser, consent, { issuer: server.issuer, clientId: "tv", redirectUri: SPA_CALLBACK });
    assert.match(end.text, /connected/i);
  });

  test("U65 an operator's exception opens the ways of this server again, and is told", async () => {
    const person = await employee();
    const mail = openTestPeopleMail(server.store, server.issuer, { sendsMail: true, secret: server.secret });
    const administration = { store: server.store, actorId: null, now: () => Date.now(), record: async () => {}, mail };
    await setLocalSignIn(administration, person.id, true);
    assert.equal((await letterTo(server, person.email))?.subject, "You can sign in here by yourself");
    const browser = new Browser();
    assert.match((await signInAt(server, person.email, "wrong", browser)).text, SENTENCE, "nobody learns of it");
    await signInAt(server, person.email, PASSWORD, browser);
    assert.ok(await isSignedIn(server, browser));
    await setLocalSignIn(administration, person.id, false);
    const off = (await lettersTo(server, person.email)).map(({ subject }) => subject);
    assert.ok(off.includes("You sign in with another service again"), off.join());
    assert.match((await signInAt(server, person.email, PASSWORD)).text, SENTENCE);
  });
});

/** Like `addPasskey`, at another node. */
async function addPasskeyAt(on: TestServer, browser: Browser, device: Authenticator): Promise<void> {
  assert.match((await addPasskey(on, browser, device)).text, /The passkey is added/);
}
