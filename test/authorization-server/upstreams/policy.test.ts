import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openUpstreamPolicy } from "../../../src/authorization-server/upstreams/policy.ts";
import type { Identity } from "../../../src/authorization-server/upstreams/upstream.ts";
import { anUpstream } from "./party.ts";

const acme = anUpstream("https://id.acme.example", { domains: ["example.com", "xn--bcher-kva.example"] });
const corporation = anUpstream("https://id.corp.example", { id: "corp", domains: ["corp.example"], enforced: true });
const anywhere = anUpstream("https://id.any.example", { id: "any", domains: [], trustEmail: false });
const policy = openUpstreamPolicy([acme, corporation, anywhere]);

function identity(change: Partial<Identity> = {}): Identity {
  return {
    provider: "acme",
    subject: "Ada-1",
    email: "ada@example.com",
    emailVerified: true,
    name: "Ada",
    acr: null,
    amr: [],
    sid: null,
    signedInAtSeconds: null,
    ...change,
  };
}

/** Addresses that look as if they were at example.com, and are not (P18). */
const ELSEWHERE = [
  "a@example.com.evil",
  "a@evilexample.com",
  "a@sub.example.com",
  "a@evil@example.com",
  '"a@evil.example"@example.com',
  "a@ехample.com", // the first two letters are Cyrillic
  "a@corp.example",
  "example.com",
  "@example.com",
  "",
];

describe("rules about upstreams", () => {
  test("P36 R3 an address is proved by the boolean true, of an upstream that is trusted, at its own domain", () => {
    assert.equal(policy.provesEmail(identity(), acme), true);
    assert.equal(policy.provesEmail(identity({ email: "ADA@EXAMPLE.COM" }), acme), true);
    assert.equal(policy.provesEmail(identity({ email: "ada@bücher.example" }), acme), true);
    for (const value of ["true", "false", 1, null, undefined])
      assert.equal(policy.provesEmail(identity({ emailVerified: value as unknown as boolean }), acme), false);
    assert.equal(policy.provesEmail(identity({ emailVerified: false }), acme), false);
    assert.equal(policy.provesEmail(identity({ email: null }), acme), false);
    assert.equal(policy.provesEmail(identity(), { ...acme, trustEmail: false }), false);
    assert.equal(policy.provesEmail(identity(), { ...acme, domains: [] }), false, "no domain is not every domain");
  });

  test("P18 P36 an address that only looks like one at the domain is not proved", () => {
    for (const email of ELSEWHERE) assert.equal(policy.provesEmail(identity({ email }), acme), false, email);
  });

  test("U65 an address at an enforced domain, however it is written, signs in there and nowhere else", () => {
    for (const email of [
      "a@corp.example",
      " A@CORP.EXAMPLE ",
      "a@corp.example.",
      "a@ｃorp.example",
      '"x@y"@corp.example',
    ]) {
      assert.equal(policy.enforcedFor(email)?.id, "corp", email);
      const sentence = `corp.example signs in with ${corporation.name}.`;
      assert.equal(policy.refusalFor(email, null), sentence, email);
      assert.equal(policy.refusalFor(email, acme), sentence, email);
      assert.equal(policy.refusalFor(email, corporation), null, email);
      assert.equal(policy.refusalOf({ email, localSignIn: false }, null), sentence, email);
      assert.equal(policy.refusalOf({ email, localSignIn: true }, null), null, email);
    }
    for (const email of [
      "a@example.com",
      "a@sub.corp.example",
      "a@corp.example.evil",
      "a@evilcorp.example",
      "corp",
      "",
    ]) {
      assert.equal(policy.enforcedFor(email), null, email);
      assert.equal(policy.refusalFor(email, null), null, email);
    }
  });

  test("U65 an upstream that is enforced names an address of its own", () => {
    for (const email of [null, "ada@example.com", "ada@sub.corp.example", "ada@corp.example.evil"])
      assert.equal(policy.isOwn(identity({ email }), corporation), false, String(email));
    assert.equal(policy.isOwn(identity({ email: "ada@Corp.Example" }), corporation), true);
    assert.equal(policy.isOwn(identity({ email: null }), acme), true);
  });

  test("U64 an unknown identity makes an account where that is allowed, at its domains, and proved or not", () => {
    assert.equal(policy.mayCreate(identity(), acme), "proved");
    assert.equal(policy.mayCreate(identity({ emailVerified: false }), acme), "after proof");
    assert.equal(policy.mayCreate(identity(), { ...acme, trustEmail: false }), "after proof");
    assert.equal(policy.mayCreate(identity(), { ...acme, signUp: false }), "no");
    for (const email of [...ELSEWHERE, null])
      assert.equal(policy.mayCreate(identity({ email }), acme), "no", String(email));
    assert.equal(policy.mayCreate(identity(), anywhere), "after proof");
    assert.equal(policy.mayCreate(identity({ email: null }), anywhere), "after proof");
    assert.equal(policy.mayCreate(identity({ email: "a@corp.example" }), anywhere), "no", "enforced elsewhere");
    assert.equal(policy.mayCreate(identity({ email: "a@corp.example" }), corporation), "proved");
  });

  test("P41 U41 a second step counts where the entry trusts exactly this word", () => {
    const trusting = { ...acme, mfa: { acr: ["gold"], amr: ["otp", "hwk"] } };
    assert.equal(policy.isSecondStep(identity({ acr: "gold" }), trusting), true);
    assert.equal(policy.isSecondStep(identity({ amr: ["pwd", "hwk"] }), trusting), true);
    for (const change of [{}, { acr: "Gold" }, { acr: "otp" }, { amr: ["gold", "pwd"] }, { amr: ["OTP"] }])
      assert.equal(policy.isSecondStep(identity(change), trusting), false, JSON.stringify(change));
    assert.equal(policy.isSecondStep(identity({ acr: "gold", amr: ["otp"] }), acme), false, "mfa: ignore");
  });
});
