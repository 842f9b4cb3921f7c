import assert from "node:assert/strict";
import { after, before, describe, mock, test } from "node:test";
import * as oidc from "openid-client";
import { DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openTestServer, PASSWORD, SPA_CALLBACK, type TestServer } from "./authorization-server.ts";
import { authorizationRequest, Browser, formOf, requestToken, type Stop, signIn, walk } from "./client.ts";
import { signInAt, somebody } from "./people.ts";

let server: TestServer;
before(async () => {
  server = await openTestServer();
  await server.addClient({
    id: "tv",
    name: "A television",
    redirectUris: [],
    grantTypes: [DEVICE_GRANT, "refresh_token"],
  });
});
after(() => server.close());

interface Device {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

async function askForCode(params: Record<string, string> = {}): Promise<Device> {
  const body = new URLSearchParams({ client_id: "tv", scope: "openid posts:read", ...params });
  const response = await fetch(`${server.issuer}/device/auth`, { method: "POST", body });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("cache-control"), "no-store");
  return (await response.json()) as Device;
}

/** Unlike a device, it does not wait: what is remembered of the last question is forgotten. */
async function poll({ device_code }: Device, params: Record<string, string> = {}, at = server.issuer) {
  await server.store.attempts.clear(`device poll ${hashToken(device_code)}`);
  return requestToken(at, { grant_type: DEVICE_GRANT, client_id: "tv", device_code, ...params });
}

const options = () => ({ issuer: server.issuer, clientId: "tv", redirectUri: SPA_CALLBACK });
const ada = { email: "ada@example.com", password: PASSWORD };
const bob = { email: "bob@example.com", password: PASSWORD };

/** To the page that asks whether it is the right device. */
async function enter(browser: Browser, device: Device): Promise<Stop> {
  const page = await browser.follow(device.verification_uri);
  return browser.submit(page, "/device", { user_code: device.user_code });
}

async function connect(browser: Browser, device: Device, person = ada, decision?: "deny"): Promise<Stop> {
  const confirm = await enter(browser, device);
  assert.match(confirm.text, /A television/);
  const next = await browser.submit(confirm, "/device", { confirm: "yes" });
  return walk(browser, next, { ...options(), ...person, ...(decision === undefined ? {} : { decision }) });
}

describe("the device flow (RFC 8628)", () => {
  test("openid-client connects a device: code, sign-in, consent, tokens, refresh", async () => {
    const metadata = { token_endpoint_auth_method: "none" };
    const config = await oidc.discovery(new URL(server.issuer), "tv", metadata, oidc.None(), {
      execute: [oidc.allowInsecureRequests],
    });
    const device = await oidc.initiateDeviceAuthorization(config, { scope: "openid email posts:read admin" });
    assert.equal(device.verification_uri, `${server.issuer}/device`);
    assert.match(device.user_code, /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.deepEqual([device.interval, device.expires_in], [5, 600]);

    const browser = new Browser();
    const filled = await browser.follow(device.verification_uri_complete ?? "");
    assert.match(filled.text, new RegExp(`value="${device.user_code}"`), "the code is filled in");
    assert.doesNotMatch(filled.text, /<script/);
    const confirm = await browser.submit(filled, "/device", { user_code: device.user_code.toLowerCase() });
    assert.match(confirm.text, /A television/);
    assert.match(confirm.text, new RegExp(device.user_code));
    const start = await browser.submit(confirm, "/device", { confirm: "yes" });
    const consent = await browser.submit(start, "/sign-in", ada);
    assert.match(consent.text, /On another device/);
    const done = await walk(browser, consent, options());
    assert.match(done.text, /Your device is connected/);

    const tokens = await oidc.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
    assert.equal(tokens.claims()?.email, "ada@example.com");
    assert.notEqual(tokens.refresh_token, undefined);
    const found = await server.store.artifacts.findAccessToken(
      hashToken(tokens.access_token),
      Math.floor(Date.now() / 1000),
    );
    assert.equal(found?.userId, server.ada.id);
    const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? "");
    assert.notEqual(refreshed.access_token, tokens.access_token);
  });

  test("A36 it is pending until then, asked too often it is slow_down, and a code works once", async () => {
    const device = await askForCode();
    const first = await poll(device);
    assert.deepEqual([first.status, first.body.error], [400, "authorization_pending"]);
    const { device_code } = device;
    const second = await requestToken(server.issuer, { grant_type: DEVICE_GRANT, client_id: "tv", device_code });
    assert.deepEqual([second.status, second.body.error], [400, "slow_down"]);
    assert.match((await connect(new Browser(), device)).text, /Your device is connected/);
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(device)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400, 400, 400]);
    assert.equal((await poll(device)).body.error, "invalid_grant");
  });

  test("A36 another client's device code is refused, and is not used up by it", async () => {
    await server.addClient({ id: "radio", redirectUris: [], grantTypes: [DEVICE_GRANT] });
    const device = await askForCode();
    await connect(new Browser(), device);
    assert.equal((await poll(device, { client_id: "radio" })).body.error, "invalid_grant");
    assert.equal((await poll(device)).status, 200);
  });

  test("A36 a person who says no, or cancels: access_denied, and the page says that nothing was shared", async () => {
    const denied = await askForCode({ scope: "openid posts:read posts:write" });
    const page = await connect(new Browser(), denied, bob, "deny");
    assert.match(page.text, /was not connected/);
    assert.equal((await poll(denied)).body.error, "access_denied");

    const cancelled = await askForCode();
    const browser = new Browser();
    const end = await browser.submit(await enter(browser, cancelled), "/device", { abort: "yes" });
    assert.match(end.text, /was not connected/);
    assert.equal((await poll(cancelled)).body.error, "access_denied");
  });

  test("A36 what one person has begun with, another one cannot claim", async () => {
    const device = await askForCode();
    const [mine, other] = [await signIn({ ...options(), clientId: "spa", ...ada }), new Browser()];
    const [here, there] = [await enter(mine, device), await enter(other, device)];
    const begun = await mine.submit(here, "/device", { confirm: "yes" });
    assert.ok(begun.text.includes('name="decision"') || begun.text.includes("connected"));
    const late = await other.submit(there, "/device", { confirm: "yes" });
    assert.equal(late.response.status, 400);
    assert.match(late.text, /used already/);
    assert.match((await walk(mine, begun, options())).text, /Your device is connected/);
    const tokens = await poll(device);
    const found = await server.store.artifacts.findAccessToken(
      hashToken(tokens.body.access_token),
      Math.floor(Date.now() / 1000),
    );
    assert.equal(found?.userId, server.ada.id);
  });

  test("A36 six browsers at once with one code: one goes on", async () => {
    const device = await askForCode();
    const people = Array.from({ length: 6 }, () => new Browser());
    const pages = await Promise.all(people.map((browser) => enter(browser, device)));
    const ends = await Promise.all(
      people.map((browser, i) => browser.submit(pages[i] as Stop, "/device", { confirm: "yes" })),
    );
    assert.equal(ends.filter((end) => end.text.includes('name="password"')).length, 1);
    assert.equal(ends.filter((end) => end.text.includes("used already")).length, 5);
  });

  test("A12 the forms of the device page need their own proof", async () => {
    const device = await askForCode();
    const browser = new Browser();
    const page = await browser.follow(device.verification_uri);
    const foreign = formOf(await new Browser().follow(device.verification_uri), "/device").hidden.xsrf ?? "";
    for (const xsrf of ["", "x", foreign]) {
      const refused = await browser.submit(page, "/device", { user_code: device.user_code, xsrf, confirm: "yes" });
      assert.equal(refused.response.status, 400);
      assert.match(refused.text, /send the code again/);
    }
    assert.equal((await poll(device)).body.error, "authorization_pending");
  });

  test("A36 an expired code is called so, to the person and to the device", async () => {
    const device = await askForCode();
    mock.timers.enable({ apis: ["Date"], now: Date.now() + 700_000 });
    try {
      assert.match((await enter(new Browser(), device)).text, /has expired/);
      assert.equal((await poll(device)).body.error, "expired_token");
    } finally {
      mock.timers.reset();
    }
  });

  test("A36 guessing codes is limited per address, and per account; a right code is not counted", async () => {
    const browser = await signIn({ ...options(), clientId: "spa", ...bob });
    let page = await browser.follow(`${server.issuer}/device`);
    for (let i = 0; i < 10; i++) {
      page = await browser.submit(page, "/device", { user_code: "BBBB-BBBB" });
      assert.match(page.text, /No device shows this code/);
    }
    const device = await askForCode();
    const refused = await browser.submit(page, "/device", { user_code: device.user_code });
    assert.deepEqual([refused.response.status, refused.response.headers.get("retry-after")], [429, "900"]);
    // The account has used up its guesses, the address has not.
    assert.match((await enter(new Browser(), device)).text, /A television/);
    const guesser = new Browser();
    let last = await guesser.follow(`${server.issuer}/device`);
    for (let i = 0; i < 40 && last.response.status !== 429; i++)
      last = await guesser.submit(last, "/device", { user_code: `CCCC-CCC${"BCDFG"[i % 5]}` });
    assert.equal(last.response.status, 429);
    for (const key of ["address 127.0.0.1", `account ${server.bob.id}`])
      await server.store.attempts.clear(`device ${key}`);
  });

  test("A07 a client without the grant, and one that does not exist, get no code", async () => {
    const ask = (client_id: string) =>
      fetch(`${server.issuer}/device/auth`, {
        method: "POST",
        body: new URLSearchParams({ client_id, scope: "openid" }),
      });
    const without = await ask("spa");
    assert.equal(without.status, 400);
    assert.equal(((await without.json()) as { error: string }).error, "unauthorized_client");
    const unknown = await ask("nobody");
    assert.equal(unknown.status, 401);
    assert.equal(((await unknown.json()) as { error: string }).error, "invalid_client");
  });

  test("“Not you?” gives the code back to whoever signs in next at this browser", async () => {
    const device = await askForCode({ scope: "openid posts:read profile" });
    const browser = await signIn({ ...options(), clientId: "spa", ...bob });
    const consent = await browser.submit(await enter(browser, device), "/device", { confirm: "yes" });
    const page = await browser.submit(consent, "/switch");
    assert.match(page.text, new RegExp(`value="${device.user_code}"`));
    const confirm = await browser.submit(page, "/device", { user_code: device.user_code });
    const next = await browser.submit(confirm, "/device", { confirm: "yes" });
    assert.match((await walk(browser, next, { ...options(), ...ada })).text, /Your device is connected/);
    const tokens = await poll(device);
    const found = await server.store.artifacts.findAccessToken(
      hashToken(tokens.body.access_token),
      Math.floor(Date.now() / 1000),
    );
    assert.equal(found?.userId, server.ada.id);
  });

  test("signing out of the browser leaves the device connected", async () => {
    const device = await askForCode();
    const browser = new Browser();
    await connect(browser, device);
    const { body } = await poll(device);
    const signOut = await browser.follow(`${server.issuer}/logout`);
    await browser.follow(formOf(signOut, "/logout/confirm").action, {
      method: "POST",
      body: new URLSearchParams({ ...formOf(signOut, "/logout/confirm").hidden, logout: "yes" }),
    });
    assert.notEqual(
      await server.store.artifacts.findAccessToken(hashToken(body.access_token), Math.floor(Date.now() / 1000)),
      null,
    );
  });

  test("A21 the code is confirmed at one node and redeemed at another", async () => {
    const { url } = await server.openNode();
    const device = await askForCode();
    await connect(new Browser(), device);
    assert.equal((await poll(device, {}, url)).status, 200);
    assert.equal((await poll(device)).body.error, "invalid_grant");
  });
});

test("U04 A39 the account page, a client and a device count wrong passwords together, and refuse a disabled person alike", async () => {
  const [person, off] = [await somebody(server), await somebody(server)];
  await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
  const ways = [
    (email: string, password: string) => signInAt(server, email, password),
    async (email: string, password: string) => {
      const browser = new Browser();
      const page = await browser.follow(authorizationRequest({ ...options(), clientId: "spa" }).url);
      return browser.submit(page, "/sign-in", { email, password });
    },
    async (email: string, password: string) => {
      const browser = new Browser();
      const confirm = await enter(browser, await askForCode());
      const page = await browser.submit(confirm, "/device", { confirm: "yes" });
      return browser.submit(page, "/sign-in", { email, password });
    },
  ];
  for (const enterBy of ways) {
    const refused = await enterBy(off.email, PASSWORD);
    assert.equal(refused.response.status, 400);
    assert.match(refused.text, /The e-mail address or the password is wrong\./);
  }
  for (let i = 0; i < 10; i++)
    assert.equal((await (ways[i % 3] ?? assert.fail())(person.email, "a wrong password")).response.status, 400);
  for (const enterBy of ways) assert.equal((await enterBy(person.email, PASSWORD)).response.status, 429);
});
