import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listUntil, PASSWORD, SPA_CALLBACK } from "./authorization-server.ts";
import { authorizationRequest, Browser, getTokens, type Stop, walk } from "./client.ts";
import { isSignedIn, openAccount, signedIn, somebody } from "./people.ts";
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

/** An API whose access tokens say how their person signed in (RFC 9068 section 2.2.1). */
const API = "https://api.example.com";
const RESOURCES = [{ identifier: API, algorithm: "ES256" }] as const;
const STRENGTH = { resource: API };

let server: Federation;
before(async () => {
  server = await openFederation({ trustEmail: false, signUp: false }, { settings: { RESOURCES } });
});
after(() => server.close());

function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
}

describe("U63 sign-in at another service", () => {
  for (const [place, open] of Object.entries(PLACES)) {
    test(`U62 U63 a linked identity signs its person in, at ${place}`, async () => {
      const person = await somebody(server);
      const sub = freeSubject();
      await linked(server, person, sub);
      playing(server, { sub, email: "other@elsewhere.example" });
      const browser = new Browser();
      const page = await open(server, browser);
      assert.match(page.text, /><span>Continue with <bdi>ACME<\/bdi><\/span><\/button>/);
      const end = await continueWith(server, browser, page);
      assert.equal(end.response.status, 200, end.text);
      assert.ok(await isSignedIn(server, browser));
      assert.ok((await server.store.upstreamIdentities.find("acme", sub))?.usedAt);
      assert.equal((await server.store.users.find(person.id))?.email, person.email, "the address is never copied");
      const [event] = await listUntil(
        server.store.audit,
        { userId: person.id, event: "upstream" },
        (all) => all.length > 0,
      );
      assert.deepEqual([event?.result, event?.detail], ["ok", "signed in: acme"]);
    });

    test(`R3 P37 an unknown identity is nobody's, whatever address it names, at ${place}`, async () => {
      for (const email of ["ada@example.com", "ADA@example.com", "ada@EXAMPLE.com"]) {
        playing(server, { sub: freeSubject(), email, email_verified: true });
        const browser = new Browser();
        const page = await continueWith(server, browser, await open(server, browser));
        assert.match(page.text, /<h1>Which account is yours\?<\/h1>/);
        assert.ok(page.text.includes(`knows you as <strong><bdi>${email}</bdi>`));
        assert.equal(await isSignedIn(server, browser), false);
        assert.doesNotMatch(page.text, /Create an account/, "nobody may sign up by it");
      }
      assert.deepEqual(await server.store.upstreamIdentities.listOf(server.ada.id), []);
    });

    test(`U41 P41 the second step is asked as ever, and no session is there before it, at ${place}`, async () => {
      const { person, digits } = await guarded(server);
      const sub = freeSubject();
      await linked(server, person, sub);
      playing(server, { sub, amr: ["mfa", "otp"], acr: "https://refeds.org/profile/mfa" });
      const browser = new Browser();
      const page = await continueWith(server, browser, await open(server, browser));
      assert.match(page.text, /<h1>Second step<\/h1>/);
      assert.equal(await isSignedIn(server, browser), false);
      await browser.submit(page, "/second-step", { digits: digits() });
      assert.ok(await isSignedIn(server, browser));
    });

    test(`U67 a service that does not answer leaves the page usable, at ${place}`, async () => {
      const down = await openFederation();
      try {
        down.acme.answers.set("/.well-known/openid-configuration", () => ({ status: 503, body: "" }));
        const browser = new Browser();
        const page = await open(down, browser);
        const refused = await browser.submit(page, "/upstream/start", { provider: "acme" });
        assert.equal(refused.response.status, 503);
        assert.match(refused.text, /ACME does not answer\. Try again, or sign in another way\./);
        await browser.submit(refused, "/sign-in", { email: "ada@example.com", password: PASSWORD });
        assert.ok(await isSignedIn(down, browser));
      } finally {
        await down.close();
      }
    });

    test(`P38 U67 a callback that is refused leads back to where the sign-in began, with one text, at ${place}`, async () => {
      const texts = new Set<string>();
      for (const spoil of [
        async () => playing(server, { aud: "another" }),
        async () => playing(server, { nonce: undefined }),
        async () => playing(server, { sub: 7 as unknown as string }),
      ]) {
        await spoil();
        const browser = new Browser();
        const page = await continueWith(server, browser, await open(server, browser));
        assert.equal(page.response.status, 400);
        assert.match(page.text, /<h1>Sign in<\/h1>/);
        texts.add(/id="sign-in-error".*?<div>(.*?)<\/div>/s.exec(page.text)?.[1] ?? "");
      }
      assert.equal(texts.size, 1, [...texts].join());
      assert.notDeepEqual([...texts], [""]);
      playing(server);
    });
  }

  test("U60 P47 tokens tell only what happened here: one step, and no method", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub, amr: ["pwd", "mfa"], acr: "phr" });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, browser, params: STRENGTH };
    const claims = claimsIn((await getTokens(options)).access_token);
    assert.deepEqual([claims.sub, claims.acr, claims.amr], [person.id, "https://refeds.org/profile/sfa", undefined]);
  });

  test("P41 where mfa trusts the service's word, no second step is asked, and tokens say so", async () => {
    const trusting = await openFederation({ mfa: { acr: ["gold"], amr: ["otp"] } }, { settings: { RESOURCES } });
    try {
      const { person } = await guarded(trusting);
      await linked(trusting, person, "Trusted");
      for (const [claims, isAsked] of [
        [{ acr: "silver", amr: ["pwd"] }, true],
        [{ acr: undefined, amr: undefined }, true],
        [{ acr: "gold", amr: undefined }, false],
        [{ acr: undefined, amr: ["pwd", "otp"] }, false],
      ] as const) {
        playing(trusting, { sub: "Trusted", ...claims, amr: claims.amr && [...claims.amr] });
        const browser = new Browser();
        const page = await continueWith(trusting, browser, await openAccount(trusting, browser));
        assert.equal(/<h1>Second step<\/h1>/.test(page.text), isAsked, JSON.stringify(claims));
        assert.equal(await isSignedIn(trusting, browser), !isAsked);
        if (isAsked) continue;
        const options = {
          issuer: trusting.issuer,
          clientId: "spa",
          redirectUri: SPA_CALLBACK,
          browser,
          params: STRENGTH,
        };
        const told = claimsIn((await getTokens(options)).access_token);
        assert.deepEqual([told.acr, told.amr], ["https://refeds.org/profile/mfa", ["mfa"]]);
      }
    } finally {
      await trusting.close();
    }
  });

  test("a person who is disabled is not signed in, and a link that is removed meanwhile opens nothing", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    await server.store.users.update(person.id, { disabledAt: new Date().toISOString() });
    const browser = new Browser();
    const page = await continueWith(server, browser, await openAccount(server, browser));
    assert.equal(page.response.status, 400);
    assert.match(page.text, /You cannot sign in this way\./);
    assert.equal(await isSignedIn(server, browser), false);

    const { person: careful, digits } = await guarded(server);
    const other = freeSubject();
    await linked(server, careful, other);
    playing(server, { sub: other });
    const second = await continueWith(server, browser, await openAccount(server, browser));
    await server.store.upstreamIdentities.unlink(careful.id, "acme", other, "");
    const refused = await browser.submit(second, "/second-step", { digits: digits() });
    assert.equal(refused.response.status, 400);
    assert.equal(await isSignedIn(server, browser), false);
  });

  test("P38 the way back counts once, in its browser, and for the request that it began with", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = new Browser();
    const out = await browser.submit(await openAccount(server, browser), "/upstream/start", { provider: "acme" });
    const back = wayBack(server, out);
    const stranger = new Browser();
    const elsewhere = await stranger.follow(back);
    assert.equal(elsewhere.response.status, 400);
    assert.equal(await isSignedIn(server, stranger), false, "P39 a callback URL that was given to somebody");
    await browser.follow(back);
    assert.ok(await isSignedIn(server, browser));
    const again = await browser.follow(back);
    assert.equal(again.response.status, 400, "its cookie is gone");

    const interaction = new Browser();
    const first = await interaction.submit(await atClient(server, interaction), "/upstream/start", {
      provider: "acme",
    });
    const cookie = interaction.cookie("content-api-upstream") ?? assert.fail("no cookie");
    stranger.put("content-api-upstream", cookie);
    const lost = await stranger.follow(wayBack(server, first));
    assert.match(lost.text, /This sign-in is over/, "the engine's cookie is not in this browser");
    assert.equal(await isSignedIn(server, stranger), false);
  });

  test("U68 no GET goes to a service, and the form counts in its own browser alone", async () => {
    const browser = new Browser();
    const page = await openAccount(server, browser);
    for (const path of ["/account/upstream/start", "/account/upstream/start?provider=acme", "/upstream/acme/start"])
      assert.equal((await browser.follow(server.issuer + path)).response.headers.get("refresh"), null, path);
    const stranger = new Browser();
    await openAccount(server, stranger);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    const body = new URLSearchParams({ csrf, provider: "acme" });
    const posted = await stranger.follow(`${server.issuer}/account/upstream/start`, { method: "POST", body });
    assert.equal(posted.response.headers.get("refresh"), null);
    assert.match(posted.text, /<h1>Sign in<\/h1>/);
  });

  test("U03 P44 no parameter leads outside, and unknown services are nobody's", async () => {
    const browser = new Browser();
    const page = await openAccount(server, browser);
    const evil = "https://evil.example";
    for (const path of [
      `/upstream/acme/callback?return_to=${evil}&state=x&code=y`,
      `/upstream/nobody/callback?next=//evil.example`,
      `/account/upstream?redirect=${evil}`,
      `/account/link?interaction=//evil.example`,
      `/account/links?done=${evil}`,
    ]) {
      const stop = await browser.follow(server.issuer + path);
      assert.equal(stop.left, false, path);
      assert.doesNotMatch(stop.text, /evil/, path);
    }
    for (const provider of ["nobody", "", "__proto__", "//evil.example", "acme\r\nx"]) {
      const stop = await browser.submit(page, "/upstream/start", { provider, for: evil });
      assert.equal(stop.response.headers.get("refresh"), null, provider);
      assert.match(stop.text, /<h1>Sign in<\/h1>/);
    }
  });

  test("U34 P45 the session has a new id, and somebody else's session ends", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = await signedIn(server, other);
    const before = browser.cookie("content-api-session") ?? "";
    const fresh = new Browser();
    for (const name of ["content-api-session", "content-api-session.sig"]) fresh.put(name, browser.cookie(name) ?? "");
    const page = await openAccount(server, new Browser());
    assert.match(page.text, /Sign in/);
    const signIn = await atClient(server, browser, { prompt: "login" });
    const end = await continueWith(server, browser, signIn);
    await walk(browser, end, { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK });
    assert.notEqual(browser.cookie("content-api-session"), before);
    assert.match((await openAccount(server, browser)).text, new RegExp(person.email));
    assert.equal(await isSignedIn(server, fresh), false);
  });

  test("P21 neither log nor audit has a secret, a code, or the address that the service named", async () => {
    const sub = freeSubject();
    playing(server, { sub, email: "very-private@elsewhere.example" });
    const browser = new Browser();
    await continueWith(server, browser, await openAccount(server, browser));
    playing(server, { aud: "another", email: "very-private@elsewhere.example" });
    await continueWith(server, browser, await openAccount(server, browser));
    const audited = JSON.stringify(await server.store.audit.list({ limit: 1_000 }));
    for (const text of [server.lines.join("\n"), audited])
      for (const secret of ["very-private@", "upstream-access-token", "s3cret with:signs"])
        assert.equal(text.includes(secret), false, secret);
  });
});

describe("U62 consent and the client after another service", () => {
  test("the client gets its code in the same walk", async () => {
    const person = await somebody(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub });
    const browser = new Browser();
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK };
    const { url } = authorizationRequest(options);
    const consent: Stop = await continueWith(server, browser, await browser.follow(url));
    const end = await walk(browser, consent, options);
    assert.ok(end.left);
    assert.ok(end.url.searchParams.get("code"));
  });
});
