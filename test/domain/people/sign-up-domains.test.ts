import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isSignUpDomain, nameDomains } from "../../../src/domain/people/sign-up-domains.ts";

const allowed = (email: string, ...domains: string[]) => isSignUpDomain(email, domains);

describe("P18 domains that may sign up", () => {
  test("none are named: any domain will do", () => {
    assert.ok(allowed("ada@anything.example"));
  });

  test("a domain is itself, in any case and script", () => {
    for (const email of ["ada@example.com", "ADA@EXAMPLE.COM", "ada@ExAmPlE.com"])
      assert.ok(allowed(email, "example.org", "example.com"), email);
    assert.ok(allowed("ada@bücher.example", "xn--bcher-kva.example"));
    assert.ok(allowed("ada@xn--bcher-kva.example", "xn--bcher-kva.example"));
  });

  test("no other domain is the same: what is before, behind and below it, and what only looks like it", () => {
    for (const email of [
      "a@example.com.evil",
      "a@evilexample.com",
      "a@sub.example.com",
      "a@evil@example.org",
      "a@example.com@evil.example",
      "a@exаmple.com", // a Cyrillic letter
      "a@example.com.",
      "a@com",
    ])
      assert.equal(allowed(email, "example.com"), false, email);
  });

  test("a dot before the domain means every domain below it, and not itself", () => {
    for (const email of ["a@sub.example.com", "a@deep.sub.example.com"])
      assert.ok(allowed(email, ".example.com"), email);
    for (const email of ["a@example.com", "a@evilexample.com", "a@sub.example.com.evil"])
      assert.equal(allowed(email, ".example.com"), false, email);
  });

  test("they are named in a sentence", () => {
    assert.equal(nameDomains(["example.com"]), "example.com");
    assert.equal(
      nameDomains(["example.com", "example.org", ".example.net"]),
      "example.com, example.org and every domain below example.net",
    );
  });
});
