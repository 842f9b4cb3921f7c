import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { decodeJwt } from "jose";
import { MFA_ACR, PASSKEY_ACR, SFA_ACR } from "../../src/domain/acr.ts";
import { DEVICE_GRANT } from "../../src/domain/clients/client.ts";
import { MOST_TOTP_FAILURES } from "../../src/domain/people/second-step.ts";
import type { User } from "../../src/domain/people/user.ts";
import { openAuthenticator } from "./authenticator.ts";
import {
  CLIENT_SECRET,
  later,
  openTestServer,
  PASSWORD,
  SPA_CALLBACK,
  type TestServer,
  WEB_CALLBACK,
} from "./authorization-server.ts";
import {
  type AuthorizeOptions,
  authorizationRequest,
  Browser,
  exchange,
  getTokens,
  requestToken,
  type Stop,
  walk,
} from "./client.ts";
import { addPasskey, answerWith } from "./passkeys.ts";
import { signedIn, somebody } from "./people.ts";
import { afterPassword, guarded } from "./second-step.ts";

const UNKNOWN = "urn:mace:incommon:iap:silver";

let server: TestServer;
before(async () => {
  server = await openTestServer({ hasName: true, settings: { REGISTRATION: "open" } });
  await server.addClient({ id: "ours", firstParty: true });
});
after(() => server.close());

interface Asking {
  readonly person: User;
  readonly browser: Browser;
}

function options({ email }: Pick<User, "email">, params: Record<string, string>): AuthorizeOptions {
  const about = { issuer: server.issuer, clientId: "ours", redirectUri: SPA_CALLBACK, scope: "openid" };
  return { ...about, email, password: PASSWORD, params };
}

const essential = (acr: object) => ({ claims: JSON.stringify({ id_token: { acr: { essential: true, ...acr } } }) });

/** The first page of a request, or where it ends without one. */
function ask({ person, browser }: Asking, params: Record<string, string>): Promise<Stop> {
  return browser.follow(authorizationRequest(options(person, params)).url);
}

/** The error of a request that is answered without a page; null for a code. */
async function silentError(asking: Asking, params: Record<string, string>): Promise<string | null> {
  const stop = await ask(asking, { prompt: "none", ...params });
  assert.ok(stop.left, stop.text);
  return stop.url.searchParams.get("error");
}

/** What the ID token tells of the sign-in, after the walk through every page that comes, with the password. */
async function told({ person, browser }: Asking, params: Record<string, string>) {
  const { id_token } = await getTokens({ ...options(person, params), browser });
  const { acr, amr, auth_time } = decodeJwt(id_token);
  return { acr, amr, auth_time: auth_time as number };
}

/** Somebody who has a passkey and has signed in with the password. */
async function withPasskey(): Promise<Asking & { device: ReturnType<typeof openAuthenticator> }> {
  const person = await somebody(server);
  const browser = await signedIn(server, person);
  const device = openAuthenticator({ origin: server.issuer, rpId: "localhost" });
  await addPasskey(server, browser, device);
  return { person, browser, device };
}

async function withPassword(): Promise<Asking> {
  const person = await somebody(server);
  return { person, browser: await signedIn(server, person) };
}

const isSignIn = ({ text, left }: Stop) => !left && text.includes('name="password"');

describe("U60 the strength of a sign-in", () => {
  test("U60 discovery names its order; each ID token tells it, and userinfo does not", async () => {
    const response = await fetch(`${server.issuer}/.well-known/openid-configuration`);
    const metadata = (await response.json()) as Record<string, string[]>;
    assert.deepEqual(metadata.acr_values_supported, [SFA_ACR, MFA_ACR, PASSKEY_ACR]);
    for (const claim of ["acr", "amr", "auth_time"]) assert.ok(metadata.claims_supported?.includes(claim), claim);
    const { person, browser } = await withPassword();
    const { id_token, access_token } = await getTokens({ ...options(person, {}), browser });
    const { acr, amr, auth_time } = decodeJwt(id_token);
    assert.deepEqual([acr, amr], [SFA_ACR, ["pwd"]]);
    assert.ok(Math.abs((auth_time as number) - Date.now() / 1_000) < 30);
    const headers = { authorization: `Bearer ${access_token}` };
    assert.deepEqual(await (await fetch(`${server.issuer}/userinfo`, { headers })).json(), { sub: person.id });
  });

  test("U60 RFC 9470 introspection tells it, and a refreshed token has the time of the first sign-in", async () => {
    const { person, browser } = await withPassword();
    const about = { ...options(person, {}), clientId: "web", redirectUri: WEB_CALLBACK, clientSecret: CLIENT_SECRET };
    const first = await getTokens({ ...about, browser });
    const introspect = async (token: string) => {
      const body = new URLSearchParams({ token, client_id: "web", client_secret: CLIENT_SECRET });
      const response = await fetch(`${server.issuer}/introspect`, { method: "POST", body });
      const { active, acr, amr, auth_time } = (await response.json()) as Record<string, unknown>;
      return { active, acr, amr, auth_time };
    };
    const { auth_time } = decodeJwt(first.id_token);
    assert.deepEqual(await introspect(first.access_token), { active: true, acr: SFA_ACR, amr: ["pwd"], auth_time });
    await later(600, async () => {
      const { body } = await requestToken(server.issuer, {
        ...{ grant_type: "refresh_token", refresh_token: first.refresh_token },
        ...{ client_id: "web", client_secret: CLIENT_SECRET },
      });
      assert.equal(decodeJwt(body.id_token).auth_time, auth_time);
      assert.deepEqual(await introspect(body.access_token), { active: true, acr: SFA_ACR, amr: ["pwd"], auth_time });
    });
    const own = await requestToken(server.issuer, {
      ...{ grant_type: "client_credentials", client_id: "web", client_secret: CLIENT_SECRET },
    });
    assert.equal(own.status, 400, "this client acts for people only");
  });

  test("P47 a wish that the person cannot fulfil changes nothing, and the token tells the truth", async () => {
    const asking = await withPassword();
    for (const acr_values of [PASSKEY_ACR, MFA_ACR, `${UNKNOWN} ${PASSKEY_ACR}`, UNKNOWN]) {
      assert.equal(await silentError(asking, { acr_values }), null, acr_values);
      assert.equal((await told(asking, { acr_values })).acr, SFA_ACR);
      const claims = JSON.stringify({ id_token: { acr: { values: acr_values.split(" ") } } });
      assert.equal(await silentError(asking, { claims }), null, claims);
    }
  });

  test("U60 a wish that the person can fulfil asks once for a sign-in, and is fulfilled by it or not", async () => {
    const { person, browser, device } = await withPasskey();
    assert.equal(await silentError({ person, browser }, { acr_values: PASSKEY_ACR }), "login_required");
    assert.equal(await silentError({ person, browser }, { acr_values: MFA_ACR }), "login_required");
    for (const acr_values of [SFA_ACR, `${PASSKEY_ACR} ${SFA_ACR}`, UNKNOWN])
      assert.equal(await silentError({ person, browser }, { acr_values }), null, `${acr_values} is reached`);
    const wish = authorizationRequest(options(person, { acr_values: PASSKEY_ACR }));
    const typed = { email: person.email, password: PASSWORD };
    const asked = await browser.submit(await browser.follow(wish.url), "/sign-in", typed);
    assert.match(asked.text, /Your account does not need it\./);
    const without = await browser.submit(asked, "/sign-in/second-step/skip");
    const answer = await walk(browser, without, options(person, {}));

    const finish = async ({ url, text }: Stop, verifier: string) => {
      const code = url.searchParams.get("code") ?? assert.fail(text);
      const { body } = await requestToken(server.issuer, exchange(options(person, {}), code, verifier));
      const { acr, amr } = decodeJwt(body.id_token);
      return [acr, amr];
    };
    assert.deepEqual(await finish(answer, wish.verifier), [SFA_ACR, ["pwd"]], "the truth");
    const first = authorizationRequest(options(person, { acr_values: MFA_ACR }));
    const page = await browser.follow(first.url);
    assert.ok(isSignIn(page), page.text);
    const end = await answerWith(browser, page, device);
    assert.deepEqual(await finish(end, first.verifier), [PASSKEY_ACR, ["pop", "user", "mfa", "swk"]]);

    const other = await signedIn(server, person);
    const second = authorizationRequest(options(person, { acr_values: MFA_ACR }));
    const form = await other.follow(second.url);
    const step = await other.submit(form, "/sign-in", { email: person.email, password: PASSWORD });
    assert.equal(step.left, false, "the password alone does not fulfil it, though the second step is off");
    const both = await answerWith(other, step, device, { actionEnd: "/sign-in/second-step/passkey" });
    assert.deepEqual(await finish(both, second.verifier), [PASSKEY_ACR, ["pwd", "pop", "user", "mfa", "swk"]]);

    for (const acr_values of [SFA_ACR, MFA_ACR, PASSKEY_ACR])
      assert.equal(await silentError({ person, browser }, { acr_values }), null, "the strongest satisfies each");
    for (const value of [SFA_ACR, MFA_ACR, PASSKEY_ACR])
      assert.equal(await silentError({ person, browser }, essential({ value })), null, value);
  });

  test("U60 both steps are mfa, which is enough for a wish that the person cannot fulfil, and not for an essential acr", async () => {
    const { person, digits } = await guarded(server);
    const browser = new Browser();
    await browser.submit(await afterPassword(server, person, browser), "/sign-in/second-step", { digits: digits() });
    const asking = { person, browser };
    const { acr, amr } = await told(asking, { acr_values: PASSKEY_ACR });
    assert.deepEqual([acr, amr], [MFA_ACR, ["pwd", "otp", "mfa"]]);
    assert.equal(await silentError(asking, { acr_values: PASSKEY_ACR }), null, "there is no passkey");
    assert.equal(await silentError(asking, essential({ value: SFA_ACR })), null);
    assert.equal(await silentError(asking, essential({ value: MFA_ACR })), null);
    assert.equal(await silentError(asking, essential({ value: PASSKEY_ACR })), "login_required");
  });

  test("U60 an authenticator app can fulfil a wish, unless it is off duty", async () => {
    const asking = await withPassword();
    const { id } = asking.person;
    const confirmedAt = new Date().toISOString();
    await server.store.secondSteps.confirmTotp(asking.person, { sealedSecret: "sealed", confirmedAt, step: 1 });
    assert.equal(await silentError(asking, { acr_values: MFA_ACR }), "login_required");
    assert.ok(isSignIn(await ask(asking, { acr_values: MFA_ACR })));
    assert.equal(await silentError(asking, { acr_values: PASSKEY_ACR }), "login_required", "as strong as it can be");
    for (let i = 0; i < MOST_TOTP_FAILURES; i++) await server.store.secondSteps.countTotp(id);
    assert.equal(await silentError(asking, { acr_values: MFA_ACR }), null);
  });

  test("U60 an essential acr that a sign-in does not reach is unmet, and asked for once each time", async () => {
    const asking = await withPassword();
    for (const acr of [
      { value: MFA_ACR },
      { values: [PASSKEY_ACR, MFA_ACR] },
      { value: PASSKEY_ACR, values: [UNKNOWN] },
    ]) {
      assert.equal(await silentError(asking, essential(acr)), "login_required");
      const page = await ask(asking, essential(acr));
      assert.ok(isSignIn(page), page.text);
      const end = await walk(asking.browser, page, options(asking.person, {}));
      assert.equal(end.url.searchParams.get("error"), "unmet_authentication_requirements", JSON.stringify(acr));
      assert.equal(end.url.searchParams.get("iss"), server.issuer);
    }
    for (const acr of [{ value: SFA_ACR }, { values: [PASSKEY_ACR, SFA_ACR] }, { values: [UNKNOWN, SFA_ACR] }, {}])
      assert.equal(await silentError(asking, essential(acr)), null, `${JSON.stringify(acr)} is reached`);
  });

  test("P47 unknown essential values fail before a sign-in, in a pushed request too", async () => {
    const browser = new Browser();
    const person = await somebody(server);
    for (const acr of [{ value: UNKNOWN }, { values: [UNKNOWN, "x"] }, { values: [] }, { value: 3 }]) {
      const stop = await ask({ person, browser }, essential(acr));
      assert.equal(stop.url.searchParams.get("error"), "unmet_authentication_requirements", JSON.stringify(acr));
    }
    const { url } = authorizationRequest({ ...options(person, essential({ value: UNKNOWN })), clientId: "spa" });
    const pushed = await fetch(`${server.issuer}/par`, { method: "POST", body: url.searchParams });
    const answer = (await pushed.json()) as Record<string, unknown>;
    assert.deepEqual([pushed.status, answer.error], [400, "unmet_authentication_requirements"]);
  });

  test("P47 no mix of parameters makes a sign-in look stronger or newer than it was", async () => {
    const { person, browser, device } = await withPasskey();
    const page = await ask({ person, browser }, { acr_values: PASSKEY_ACR });
    await answerWith(browser, page, device);
    const strong = await getTokens({ ...options(person, {}), browser });
    assert.equal(decodeJwt(strong.id_token).acr, PASSKEY_ACR);

    // A hint is not evidence of a sign-in.
    const other = { person, browser: await signedIn(server, person) };
    const hint = { id_token_hint: strong.id_token };
    assert.equal((await told(other, hint)).acr, SFA_ACR);
    assert.equal(await silentError(other, { ...hint, acr_values: PASSKEY_ACR }), "login_required");
    assert.equal(await silentError(other, { ...hint, ...essential({ value: PASSKEY_ACR }) }), "login_required");
    const stranger = await withPassword();
    assert.equal(await silentError(stranger, { ...hint, ...essential({ value: SFA_ACR }) }), "login_required");

    // A weak wish beside an essential one does not replace it.
    const both = { ...essential({ value: PASSKEY_ACR }), acr_values: SFA_ACR };
    assert.equal(await silentError(stranger, both), "login_required");
    const end = await walk(stranger.browser, await ask(stranger, both), options(stranger.person, {}));
    assert.equal(end.url.searchParams.get("error"), "unmet_authentication_requirements");

    // The newest sign-in counts, though an older one was stronger.
    await later(120, async () => {
      for (const params of [{ max_age: "60" }, { max_age: "0" }, { max_age: "60", acr_values: SFA_ACR }])
        assert.equal(await silentError({ person, browser }, params), "login_required", JSON.stringify(params));
      assert.ok(isSignIn(await ask({ person, browser }, { max_age: "0", ...essential({ value: PASSKEY_ACR }) })));
      const weaker = await told({ person, browser }, { max_age: "0" });
      assert.equal(weaker.acr, SFA_ACR);
      assert.ok(weaker.auth_time > (decodeJwt(strong.id_token).auth_time as number));
      assert.equal((await told({ person, browser }, { prompt: "login" })).acr, SFA_ACR);
    });
  });

  test("P47 a device whose essential acr was not reached gets no token", async () => {
    await server.addClient({ id: "tv", grantTypes: [DEVICE_GRANT], redirectUris: [] });
    const form = { client_id: "tv", scope: "openid", ...essential({ value: PASSKEY_ACR }) };
    const asked = await fetch(`${server.issuer}/device/auth`, { method: "POST", body: new URLSearchParams(form) });
    const { user_code = "", device_code = "" } = (await asked.json()) as Record<string, string>;
    const { person, browser } = await withPassword();
    const entry = await browser.follow(`${server.issuer}/device`);
    const confirm = await browser.submit(entry, "/device", { user_code });
    const page = await browser.submit(confirm, "/device", { confirm: "yes" });
    assert.ok(isSignIn(page), page.text);
    const end = await browser.submit(page, "/sign-in", { email: person.email, password: PASSWORD });
    assert.match(end.text, /<h1>The device could not be connected<\/h1>/);
    const poll = { client_id: "tv", device_code, grant_type: DEVICE_GRANT };
    const { status, body } = await requestToken(server.issuer, poll);
    assert.deepEqual([status, body.error], [400, "unmet_authentication_requirements"]);
  });

  test("U60 RFC 7591 default_acr_values is metadata that this server ignores, as it says in its answer", async () => {
    const metadata = {
      ...{ redirect_uris: [SPA_CALLBACK], token_endpoint_auth_method: "none", scope: "openid" },
      default_acr_values: [PASSKEY_ACR, UNKNOWN],
    };
    const response = await fetch(`${server.issuer}/register`, {
      ...{ method: "POST", headers: { "content-type": "application/json" } },
      body: JSON.stringify(metadata),
    });
    const registered = (await response.json()) as { client_id: string };
    assert.equal(response.status, 201);
    assert.equal("default_acr_values" in registered, false);
    const { person, browser } = await withPasskey();
    const about = { ...options(person, {}), clientId: registered.client_id };
    await getTokens({ ...about, browser });
    const silent = authorizationRequest({ ...about, params: { prompt: "none" } }).url;
    assert.ok((await browser.follow(silent)).url.searchParams.has("code"), "it wishes for nothing by itself");
  });
});
