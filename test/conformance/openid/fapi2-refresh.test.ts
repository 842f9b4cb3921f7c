import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { later, openTestServer, type TestServer } from "../../security/authorization-server.ts";
import { ecPair, FapiParty, jwkOf, module, REFUSED } from "./fapi2-party.ts";

const [key, stranger] = [ecPair(), ecPair()];

/** Refresh tokens of FAPI 2.0 clients: confidential, pushing, with tokens that are bound to a key. */
describe("fapi2-security-profile-final-test-plan, refresh tokens", () => {
  let server: TestServer;
  let party: FapiParty;
  before(async () => {
    server = await openTestServer();
    party = new FapiParty(server.issuer, key);
    const jwks = { keys: [{ ...jwkOf(key), kid: "1" }] };
    await server.addClient({ id: "rp", type: "confidential", jwks, dpopBound: true, mustPush: true });
  });
  after(() => server.close());

  test(module("refresh-token"), async () => {
    const pair = ecPair();
    const { refresh_token = "", ...first } = await party.redeem(await party.signIn(), pair);
    assert.equal(first.status, 200);
    const form = { grant_type: "refresh_token", refresh_token };
    const refreshed = await party.redeem(form, pair);
    assert.equal(refreshed.refresh_token, refresh_token, "it does not rotate (FAPI 2.0 section 5.3.2.1)");
    assert.notEqual(refreshed.access_token, first.access_token);
    assert.deepEqual(await party.redeem(form, null), { status: 400, error: "invalid_grant" }, "without a proof");
    const dpop = await party.proof(pair, "/token");
    assert.deepEqual(await party.send("/token", { ...form, client_id: "rp" }, { dpop }, null), REFUSED);
    await server.addClient({
      id: "second",
      type: "confidential",
      jwks: { keys: [{ ...jwkOf(stranger), kid: "1" }] },
      mustPush: true,
    });
    const others = await party.assertion({ iss: "second", sub: "second" }, stranger);
    const stolen = await party.send("/token", form, { dpop: await party.proof(pair, "/token") }, others);
    assert.deepEqual(stolen, { status: 400, error: "invalid_grant" });
    // As if the answer had been lost.
    await later(35, async () => {
      const { status, access_token = "" } = await party.redeem(form, pair);
      assert.equal(status, 200);
      assert.equal(await party.userinfo(access_token, pair), 200);
    });
  });

  test("A27 a refresh token that does not rotate lasts 30 days from its last use and ends with its revocation", async () => {
    const pair = ecPair();
    const { refresh_token = "" } = await party.redeem(await party.signIn(), pair);
    const form = { grant_type: "refresh_token", refresh_token };
    for (const days of [29, 58])
      await later(days * 86_400, async () => assert.equal((await party.redeem(form, pair)).status, 200));
    await later(89 * 86_400, async () =>
      assert.deepEqual(await party.redeem(form, pair), { status: 400, error: "invalid_grant" }),
    );
    const { access_token = "", ...second } = await party.redeem(await party.signIn(), pair);
    const ended = { grant_type: "refresh_token", refresh_token: second.refresh_token ?? "" };
    assert.equal((await party.redeem(ended, pair)).status, 200);
    await party.revoke(ended.refresh_token);
    assert.deepEqual(await party.redeem(ended, pair), { status: 400, error: "invalid_grant" });
    assert.equal(await party.userinfo(access_token, pair), 401);
  });
});
