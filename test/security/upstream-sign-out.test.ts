import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { JWTPayload } from "jose";
import type { User } from "../../src/domain/people/user.ts";
import { CLIENT } from "../authorization-server/upstreams/stand-in.ts";
import { listUntil, SPA_CALLBACK } from "./authorization-server.ts";
import { Browser, getTokens, requestToken } from "./client.ts";
import { isSignedIn, openAccount, signedIn, somebody } from "./people.ts";
import { guarded } from "./second-step.ts";
import { atClient, continueWith, type Federation, freeSubject, linked, openFederation, playing } from "./upstream.ts";

const EVENTS = { "http://schemas.openid.net/event/backchannel-logout": {} };

let server: Federation;
before(async () => {
  server = await openFederation();
});
after(() => server.close());

async function logoutToken(claims: JWTPayload): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const all = { iss: server.acme.issuer, aud: CLIENT.id, iat: now, exp: now + 120, jti: randomUUID(), events: EVENTS };
  return server.acme.sign({ ...all, ...claims }, { typ: "logout+jwt" });
}

async function tell(token: string, provider = "acme"): Promise<Response> {
  const body = new URLSearchParams({ logout_token: token });
  const response = await fetch(`${server.issuer}/upstream/${provider}/logout`, { method: "POST", body });
  assert.equal(response.headers.get("cache-control"), "no-store");
  return response;
}

/** A person with a link, and a browser that has signed in by it. */
async function federated(sid: string | undefined, known?: { person: User; sub: string }) {
  const person = known?.person ?? (await somebody(server));
  const sub = known?.sub ?? freeSubject();
  if (known === undefined) await linked(server, person, sub);
  playing(server, { sub, sid });
  const browser = new Browser();
  await continueWith(server, browser, await openAccount(server, browser));
  assert.ok(await isSignedIn(server, browser));
  return { person, sub, browser };
}

describe("U66 sign-out at another service", () => {
  test("U66 by subject, every session that began with it ends, and no other", async () => {
    const { person, sub, browser } = await federated("s-1");
    const second = await federated("s-2", { person, sub });
    const local = await signedIn(server, person);
    const stranger = await federated("s-1");
    const options = { issuer: server.issuer, clientId: "spa", redirectUri: SPA_CALLBACK, browser };
    const { refresh_token } = await getTokens({ ...options, scope: "openid offline_access posts:read" });
    assert.equal((await tell(await logoutToken({ sub }))).status, 200);
    assert.deepEqual(
      await Promise.all([browser, second.browser, local, stranger.browser].map((one) => isSignedIn(server, one))),
      [false, false, true, true],
    );
    const refreshed = await requestToken(server.issuer, {
      grant_type: "refresh_token",
      client_id: "spa",
      refresh_token,
    });
    assert.equal(refreshed.status, 400, "what apps were given in it has ended too");
    const events = await listUntil(
      server.store.audit,
      { userId: person.id, event: "upstream" },
      (all) => all.length > 2,
    );
    assert.equal(events[0]?.detail, "signed out there: acme");
  });

  test("U66 by its session, that one ends alone; with a subject beside it, both must fit", async () => {
    const { person, sub, browser } = await federated("s-10");
    const second = await federated("s-11", { person, sub });
    const third = await federated("s-12", { person, sub });
    assert.equal((await tell(await logoutToken({ sid: "s-10" }))).status, 200);
    assert.equal(await isSignedIn(server, browser), false);
    assert.ok(await isSignedIn(server, second.browser));
    assert.equal((await tell(await logoutToken({ sub: "another", sid: "s-11" }))).status, 200);
    assert.ok(await isSignedIn(server, second.browser));
    assert.equal((await tell(await logoutToken({ sub, sid: "s-11" }))).status, 200);
    assert.equal(await isSignedIn(server, second.browser), false);
    assert.ok(await isSignedIn(server, third.browser));
  });

  test("U66 also of a session that began at a client's request, and after a second step", async () => {
    const { person, digits } = await guarded(server);
    const sub = freeSubject();
    await linked(server, person, sub);
    playing(server, { sub, sid: "s-20" });
    const browser = new Browser();
    const page = await continueWith(server, browser, await atClient(server, browser));
    await browser.submit(page, "/second-step", { digits: digits() });
    assert.ok(await isSignedIn(server, browser));
    assert.equal((await tell(await logoutToken({ sid: "s-20" }))).status, 200);
    assert.equal(await isSignedIn(server, browser), false);
  });

  test("U66 what is no good token ends nothing: 400; a service that cannot be asked: 503", async () => {
    const { sub, browser } = await federated("s-30");
    const good = await logoutToken({ sub });
    for (const [name, token] of [
      ["none", ""],
      ["not a token", "x.y.z"],
      ["another audience", await logoutToken({ sub, aud: "another" })],
      ["an ID token's nonce", await logoutToken({ sub, nonce: "n" })],
      ["a changed signature", `${good.slice(0, -4)}AAAA`],
      ["neither subject nor session", await logoutToken({})],
    ] as const)
      assert.equal((await tell(token)).status, 400, name);
    assert.equal((await tell(good, "nobody")).status, 404);
    const twice = new URLSearchParams([
      ["logout_token", good],
      ["logout_token", good],
    ]);
    const doubled = await fetch(`${server.issuer}/upstream/acme/logout`, { method: "POST", body: twice });
    assert.equal(doubled.status, 400);
    assert.ok(await isSignedIn(server, browser));

    const away = await openFederation();
    try {
      away.acme.answers.set("/.well-known/openid-configuration", () => ({ status: 500, body: "" }));
      const body = new URLSearchParams({ logout_token: good });
      const later = await fetch(`${away.issuer}/upstream/acme/logout`, { method: "POST", body });
      assert.deepEqual([later.status, later.headers.get("retry-after")], [503, "60"]);
    } finally {
      await away.close();
    }
    assert.equal((await tell(good)).status, 200);
    assert.equal(await isSignedIn(server, browser), false);
    assert.equal((await tell(good)).status, 400, "it counts once");
  });
});
