import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openRelyingParty } from "../../../src/authorization-server/upstreams/relying-party.ts";
import { openGuardedFetch } from "../../../src/http/guarded-fetch.ts";
import { anUpstream, BOUND, openPartyServices, type PartyServices } from "./party.ts";
import { openStandIn, type StandIn } from "./stand-in.ts";

const DOWN = { name: "UpstreamDown", message: "ACME does not answer. Try again, or sign in another way." };
const METADATA = "/.well-known/openid-configuration";
const HOUR = 3_600_000;

describe("the metadata of an upstream", () => {
  let acme: StandIn;
  let services: PartyServices;

  before(async () => {
    [acme, services] = await Promise.all([openStandIn(), openPartyServices()]);
  });
  beforeEach(() => {
    acme.metadata = {};
    acme.answers.clear();
    acme.requests.length = 0;
    services.ahead = 0;
    services.reasons.length = 0;
  });
  after(() => Promise.all([acme.close(), services.close()]));

  const begin = (party = openRelyingParty(services)) => party.begin(anUpstream(acme.issuer), BOUND);

  test("P43 a private address, plain http and a name that resolves to a private address are not called", async () => {
    const resolved = openGuardedFetch({
      privateHosts: [],
      resolve: async () => [{ address: "10.0.0.1", family: 4 }],
    });
    for (const [issuer, fetch] of [
      ["https://127.0.0.1:1", services.fetch],
      ["https://10.0.0.1", services.fetch],
      ["https://[::1]", services.fetch],
      ["https://169.254.169.254", services.fetch],
      ["http://intranet.example", services.fetch],
      [acme.issuer, openGuardedFetch({ privateHosts: [] })],
      ["https://id.acme.example", resolved],
    ] as const) {
      const party = openRelyingParty({ ...services, fetch });
      await assert.rejects(party.begin(anUpstream(issuer), BOUND), DOWN, issuer);
      assert.match(services.reasons.pop() ?? "", /not a public one|only https/);
    }
    assert.deepEqual(acme.requests, []);
  });

  test("P43 a redirect, a long answer, a slow one and none at all end soon, and the reason is in the log", async () => {
    for (const [answer, reason] of [
      [{ status: 302, headers: { location: "http://169.254.169.254/" }, body: {} }, /answer 302/],
      [{ body: " ".repeat(100_000) }, /longer than 65536 bytes/],
      [{ status: 503, body: {} }, /answers 503/],
      [{ status: 404, body: {} }, /answer 404/],
      [{ body: "<html>" }, /another issuer/],
      [{ body: null }, /another issuer/],
      [{ body: [] }, /another issuer/],
    ] as const) {
      acme.answers.set(METADATA, () => answer);
      await assert.rejects(begin(), DOWN);
      assert.match(services.reasons.pop() ?? "", reason);
    }
    acme.answers.set(METADATA, () => new Promise(() => {}));
    const start = performance.now();
    await assert.rejects(begin(), DOWN);
    assert.ok(performance.now() - start < 8_000);
    assert.match(services.reasons.pop() ?? "", /no whole answer within 5 s/);
  });

  test("R5 metadata that do not fit the entry are not believed", async () => {
    for (const metadata of [
      { issuer: `${acme.issuer}/` },
      { issuer: "https://evil.example" },
      { issuer: undefined },
      { token_endpoint: undefined },
      { token_endpoint: "http://intranet.example/token" },
      { authorization_endpoint: "javascript:alert(1)" },
      { jwks_uri: 1 },
      { userinfo_endpoint: "http://intranet.example/userinfo" },
      { id_token_signing_alg_values_supported: ["none", "HS256"] },
      { id_token_signing_alg_values_supported: "ES256" },
    ]) {
      acme.metadata = metadata;
      await assert.rejects(begin(), DOWN, JSON.stringify(metadata));
    }
    acme.metadata = {};
    await begin();
  });

  test("U67 they are read once an hour, kept for a day while they cannot be read, and asked for with pauses", async () => {
    const party = openRelyingParty(services);
    const reads = () => acme.requests.filter(({ path }) => path === METADATA).length;
    await Promise.all([begin(party), begin(party), begin(party)]);
    assert.equal(reads(), 1, "callers at the same time share one attempt");
    services.ahead = HOUR - 5_000;
    await begin(party);
    assert.equal(reads(), 1);
    acme.metadata = { authorization_endpoint: `${acme.issuer}/moved` };
    services.ahead = HOUR;
    assert.match((await begin(party)).url, /\/moved\?/);
    assert.equal(reads(), 2);
    acme.answers.set(METADATA, () => ({ status: 500, body: {} }));
    services.ahead = 2 * HOUR + 1_000;
    for (let i = 0; i < 5; i++) assert.match((await begin(party)).url, /\/moved\?/);
    assert.equal(reads(), 3, "one attempt in five seconds");
    services.ahead = 25 * HOUR - 60_000;
    await begin(party);
    services.ahead = 25 * HOUR + 60_000;
    await assert.rejects(begin(party), DOWN);
    acme.answers.clear();
    await assert.rejects(begin(party), DOWN, "it was asked a moment ago");
    services.ahead += 5_000;
    await begin(party);
  });
});
