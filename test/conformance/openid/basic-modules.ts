import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import * as openid from "openid-client";
import { openTestServer, type TestServer } from "../../security/authorization-server.ts";
import { Browser } from "../../security/client.ts";
import { CALLBACK, openRelyingParty, type RelyingParty, type ResponseMode } from "./relying-party.ts";

/**
 * The modules of the Basic OP certification plan, in our own code, by the names that the OpenID Foundation's suite has
 * for them. The Form Post OP plan is the same modules with the other response mode.
 */
export function basicModules(plan: string, mode: ResponseMode): void {
  describe(plan, () => {
    let server: TestServer;
    let party: RelyingParty;
    before(async () => {
      server = await openTestServer();
      party = await openRelyingParty(server, { id: "rp" }, mode);
    });
    after(() => server.close());
    const userinfo = async (init: RequestInit, query = "") =>
      fetch(`${party.config.serverMetadata().userinfo_endpoint}${query}`, init);

    test("oidcc-server", async () => {
      const { params, request, tokens, claims, stop } = await party.signIn();
      assert.deepEqual([...(params?.keys() ?? [])].toSorted(), ["code", "iss", "state"]);
      assert.equal(params?.get("state"), request.state);
      assert.equal(params?.get("iss"), server.issuer);
      assert.equal(stop.response.status, mode === "query" ? 303 : 200);
      assert.equal(tokens.token_type, "bearer");
      assert.equal(tokens.scope, "openid");
      assert.ok((tokens.expires_in ?? 0) > 0);
      assert.deepEqual([claims.iss, claims.aud, claims.sub], [server.issuer, "rp", server.ada.id]);
      assert.ok(claims.sub.length <= 255);
    });

    test("oidcc-response-type-missing", async () => {
      const { params } = await party.send(await party.request({ response_type: undefined }));
      assert.equal(params?.get("error"), "invalid_request");
      assert.ok(params?.has("state"));
      assert.equal(params?.has("code"), false);
    });

    test("oidcc-idtoken-signature", async () => {
      const { tokens, claims } = await party.signIn();
      const { jwks_uri, id_token_signing_alg_values_supported } = party.config.serverMetadata();
      const { alg = "", kid } = decodeProtectedHeader(tokens.id_token ?? "");
      assert.ok(id_token_signing_alg_values_supported?.includes(alg));
      assert.ok(kid);
      const keys = createRemoteJWKSet(new URL(jwks_uri ?? ""));
      const { payload } = await jwtVerify(tokens.id_token ?? "", keys, { issuer: server.issuer, audience: "rp" });
      assert.equal(payload.sub, claims.sub);
    });

    test("oidcc-idtoken-unsigned: not offered, so not to be had", async () => {
      const { id_token_signing_alg_values_supported } = party.config.serverMetadata();
      assert.deepEqual(id_token_signing_alg_values_supported?.toSorted(), ["ES256", "RS256"]);
    });

    test("oidcc-userinfo-get", async () => {
      const { tokens, claims } = await party.signIn();
      const info = await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub);
      assert.equal(info.sub, claims.sub);
      const bare = await userinfo({});
      assert.equal(bare.status, 401);
      assert.match(bare.headers.get("www-authenticate") ?? "", /^Bearer/);
    });

    test("oidcc-userinfo-post-header", async () => {
      const { tokens, claims } = await party.signIn();
      const answer = await userinfo({ method: "POST", headers: { authorization: `Bearer ${tokens.access_token}` } });
      assert.equal(((await answer.json()) as { sub: string }).sub, claims.sub);
    });

    test("oidcc-userinfo-post-body", async () => {
      const { tokens, claims } = await party.signIn();
      const body = new URLSearchParams({ access_token: tokens.access_token });
      const answer = await userinfo({ method: "POST", body });
      assert.equal(((await answer.json()) as { sub: string }).sub, claims.sub);
      assert.equal((await userinfo({}, `?${body}`)).status, 400);
    });

    test("oidcc-ensure-request-without-nonce-succeeds-for-code-flow", async () => {
      const { claims } = await party.signIn({ nonce: undefined });
      assert.equal("nonce" in claims, false);
    });

    for (const [module, scope, granted, expected] of [
      ["profile", "openid profile", "openid profile", ["name"]],
      ["email", "openid email", "openid email", ["email", "email_verified"]],
      // No such claims are kept of anyone, and discovery lists none: the request succeeds without them.
      ["address", "openid address", "openid", []],
      ["phone", "openid phone", "openid", []],
      ["all", "openid profile email address phone", "openid profile email", ["email", "email_verified", "name"]],
    ] as const) {
      test(`oidcc-scope-${module}`, async () => {
        const { tokens, claims } = await party.signIn({ scope });
        assert.equal(tokens.scope, granted);
        const { sub, ...info } = await openid.fetchUserInfo(party.config, tokens.access_token, claims.sub);
        assert.equal(sub, claims.sub);
        assert.deepEqual(Object.keys(info).toSorted(), expected);
        for (const name of expected) assert.equal(claims[name], info[name], `${name} in the ID token`);
        const { claims_supported = [] } = party.config.serverMetadata();
        for (const name of ["address", "phone_number"]) assert.ok(!claims_supported.includes(name));
      });
    }

    test("oidcc-ensure-other-scope-order-succeeds", async () => {
      const { tokens } = await party.signIn({ scope: "email profile openid" });
      assert.deepEqual(tokens.scope?.split(" ").toSorted(), ["email", "openid", "profile"]);
    });

    for (const display of ["page", "popup"]) {
      test(`oidcc-display-${display}`, async () => {
        const { pages } = await party.signIn({ display });
        assert.deepEqual(pages[0], "sign-in");
      });
    }

    test("oidcc-prompt-login", async () => {
      const first = await party.signIn({ max_age: "10000" });
      const second = await party.signIn({ prompt: "login", max_age: "10000" }, { browser: first.browser });
      assert.ok(second.pages.includes("sign-in"));
      assert.equal(second.claims.sub, first.claims.sub);
      assert.ok((second.claims.auth_time ?? 0) >= (first.claims.auth_time ?? Number.NaN));
    });

    test("oidcc-prompt-none-not-logged-in", async () => {
      const { params, pages } = await party.send(await party.request({ prompt: "none" }));
      assert.equal(params?.get("error"), "login_required");
      assert.ok(params?.has("state"));
      assert.deepEqual(pages, []);
    });

    test("oidcc-prompt-none-logged-in", async () => {
      const first = await party.signIn({ max_age: "10000" });
      const second = await party.signIn({ prompt: "none", max_age: "10000" }, { browser: first.browser });
      assert.deepEqual(second.pages, []);
      assert.equal(second.claims.sub, first.claims.sub);
      assert.equal(second.claims.auth_time, first.claims.auth_time);
    });

    test("oidcc-max-age-1", async () => {
      const first = await party.signIn({ max_age: "1" });
      await pause(3_000 - (Date.now() % 1_000)); // two full seconds and the tolerance between nodes
      const second = await party.signIn({ max_age: "1" }, { browser: first.browser });
      assert.ok(second.pages.includes("sign-in"));
      assert.ok((second.claims.auth_time ?? 0) > (first.claims.auth_time ?? Number.NaN));
    });

    test("oidcc-max-age-10000", async () => {
      const first = await party.signIn();
      const second = await party.signIn({ max_age: "10000" }, { browser: first.browser });
      assert.deepEqual(second.pages, []);
      assert.ok(Math.abs((second.claims.auth_time ?? 0) - Date.now() / 1_000) < 60);
    });

    test("oidcc-ensure-request-with-unknown-parameter-succeeds", async () => {
      assert.ok((await party.signIn({ extra: "foobar" })).claims.sub);
    });

    test("oidcc-id-token-hint", async () => {
      const first = await party.signIn();
      const hint = { prompt: "none", id_token_hint: first.tokens.id_token };
      const second = await party.signIn(hint, { browser: first.browser });
      assert.equal(second.claims.sub, first.claims.sub);
      // Of somebody else: that person would have to sign in (OpenID Connect Core section 3.1.2.1).
      const bob = await party.signIn({}, { email: "bob@example.com" });
      const refused = await party.send(await party.request(hint), { browser: bob.browser });
      assert.equal(refused.params?.get("error"), "login_required");
    });

    test("oidcc-login-hint", async () => {
      const { url } = await party.request({ login_hint: "bob@example.com" });
      const page = await new Browser().follow(url);
      assert.match(page.text, /name="email"[^>]*value="bob@example\.com"|value="bob@example\.com"[^>]*name="email"/);
      assert.ok((await party.signIn({ login_hint: "ada@example.com" })).claims.sub);
    });

    test("oidcc-ui-locales", async () => {
      for (const ui_locales of ["se", "en-GB fr", "xx-not-a-locale"])
        assert.ok((await party.signIn({ ui_locales })).claims.sub);
    });

    test("oidcc-claims-locales", async () => {
      assert.ok((await party.signIn({ claims_locales: "se fr-CA" })).claims.sub);
    });

    test("oidcc-ensure-request-with-acr-values-succeeds", async () => {
      assert.ok((await party.signIn({ acr_values: "1 2 urn:mace:incommon:iap:silver" })).claims.sub);
    });

    test("oidcc-codereuse", async () => {
      const answer = await party.signIn();
      await assert.rejects(party.exchange(answer), isError("invalid_grant"));
      // And what the first use gave is dead at once.
      const info = await userinfo({ headers: { authorization: `Bearer ${answer.tokens.access_token}` } });
      assert.equal(info.status, 401);
    });

    test("oidcc-codereuse-30seconds", async (t) => {
      const answer = await party.signIn();
      t.mock.timers.enable({ apis: ["Date"], now: Date.now() + 30_000 });
      await assert.rejects(party.exchange(answer), isError("invalid_grant"));
      const info = await userinfo({ headers: { authorization: `Bearer ${answer.tokens.access_token}` } });
      assert.equal(info.status, 401);
    });

    test("oidcc-ensure-registered-redirect-uri", async () => {
      for (const redirect_uri of [
        "https://rp.example.com/other",
        `${CALLBACK}/`,
        `${CALLBACK}?x=1`,
        "https://evil.example.com/",
      ]) {
        const { stop, params } = await party.send(await party.request({ redirect_uri }));
        assert.deepEqual([stop.left, stop.response.status, params], [false, 400, null], redirect_uri);
        assert.doesNotMatch(stop.text, /<form/);
      }
    });

    test("oidcc-ensure-post-request-succeeds", async () => {
      assert.ok((await party.signIn({}, { method: "POST" })).claims.sub);
      const { browser } = await party.signIn();
      const again = await party.signIn({ prompt: "none" }, { method: "POST", browser });
      assert.deepEqual(again.pages, []);
    });

    test("oidcc-server-client-secret-post", async () => {
      const posting = await openRelyingParty(server, { id: "posting" }, mode, openid.ClientSecretPost);
      const { claims } = await posting.signIn();
      assert.equal(claims.aud, "posting");
    });

    test("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported", async () => {
      assert.equal(party.config.serverMetadata().request_uri_parameter_supported, false);
      const { params } = await party.send(await party.request({ request_uri: "https://rp.example.com/request.jwt" }));
      assert.equal(params?.get("error"), "request_uri_not_supported");
    });

    for (const module of [
      "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
      "oidcc-ensure-request-object-with-redirect-uri",
    ]) {
      test(module, async () => {
        const request = await party.request();
        const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
        const claims = Object.fromEntries(request.url.searchParams);
        request.url.searchParams.set("request", `${encode({ alg: "none" })}.${encode(claims)}.`);
        const { params } = await party.send(request);
        assert.equal(party.config.serverMetadata().request_parameter_supported ?? false, false);
        assert.equal(params?.get("error"), "request_not_supported");
      });
    }

    test("oidcc-claims-essential", async () => {
      assert.equal(party.config.serverMetadata().claims_parameter_supported, true);
      const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
      const { tokens, claims: idToken } = await party.signIn({ claims });
      const info = await openid.fetchUserInfo(party.config, tokens.access_token, idToken.sub);
      assert.deepEqual([info.name, info.email], ["Ada", undefined]);
    });

    test("oidcc-refresh-token", async () => {
      const { tokens, claims } = await party.signIn({ max_age: "10000" });
      const refresh_token = tokens.refresh_token ?? "";
      const other = await openRelyingParty(server, { id: "second" }, mode);
      await assert.rejects(openid.refreshTokenGrant(other.config, refresh_token), isError("invalid_grant"));
      const refreshed = await openid.refreshTokenGrant(party.config, refresh_token);
      const again = refreshed.claims();
      assert.deepEqual(
        [again?.iss, again?.sub, again?.aud, again?.auth_time],
        [claims.iss, claims.sub, claims.aud, claims.auth_time],
      );
      assert.notEqual(refreshed.access_token, tokens.access_token);
      assert.ok((await openid.fetchUserInfo(party.config, refreshed.access_token, claims.sub)).sub);
    });

    test("oidcc-ensure-request-with-valid-pkce-succeeds", async () => {
      const answer = await party.send(await party.request());
      const tokens = await party.exchange(answer);
      assert.ok(tokens.access_token);
      const wrong = await party.send(await party.request());
      const other = { ...wrong.request, verifier: openid.randomPKCECodeVerifier() };
      await assert.rejects(party.exchange({ ...wrong, request: other }), isError("invalid_grant"));
    });
  });
}

function isError(error: string): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof openid.ResponseBodyError && thrown.error === error;
}
