import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ConfigError, readConfig } from "../../src/config/config.ts";

const NO_FILE = join(tmpdir(), "no-such-folder", ".env");

const idOf = (settings: Record<string, string>) => readConfig(settings, NO_FILE).PASSKEY_ID;

/** What the operator reads. */
function refusal(settings: Record<string, string>): string {
  try {
    idOf(settings);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  throw new Error(`accepted: ${JSON.stringify(settings)}`);
}

/** URLs with which browsers use no passkeys. */
const WITHOUT = [
  "http://127.0.0.1:4000",
  "http://[::1]:4000",
  "https://192.0.2.7",
  "https://[2001:db8::7]:8443",
  "http://login.example.com",
  "http://intranet",
];

describe("settings of passkeys", () => {
  for (const [AUTH_URL, id] of [
    ["https://example.com", "example.com"],
    ["https://login.example.com:8443/sign-in", "login.example.com"],
    ["https://intranet", "intranet"],
    ["https://1and1.example", "1and1.example"],
    ["http://localhost:4000", "localhost"],
    ["http://app.localhost:4000", "app.localhost"],
    ["https://localhost", "localhost"],
  ] as const) {
    test(`U06 passkeys are on with ${AUTH_URL}, for its host`, () => {
      assert.equal(idOf({ AUTH_URL }), id);
      assert.equal(idOf({ AUTH_URL, PASSKEYS: "on" }), id);
      assert.equal(idOf({ AUTH_URL, PASSKEYS: "off" }), null);
    });
  }

  for (const AUTH_URL of WITHOUT) {
    test(`U06 passkeys are off with ${AUTH_URL}, and settings that want them are rejected with the reason`, () => {
      assert.equal(idOf({ AUTH_URL }), null);
      assert.equal(idOf({ AUTH_URL, PASSKEYS: "off" }), null);
      const reason = `needs an AUTH_URL with a host name, such as https://example.com or http://localhost:4000: browsers use no passkeys with ${AUTH_URL}.`;
      assert.equal(refusal({ AUTH_URL, PASSKEYS: "on" }), `PASSKEYS=on ${reason}`);
      assert.equal(refusal({ AUTH_URL, PASSKEY_ID: "example.com" }), `PASSKEY_ID ${reason}`);
    });
  }

  test("U06 without AUTH_URL the host is that of BASE_URL, and at first localhost", () => {
    assert.equal(idOf({}), "localhost");
    assert.equal(idOf({ BASE_URL: "https://api.example.com" }), "api.example.com");
    assert.equal(
      idOf({ BASE_URL: "https://api.example.com", AUTH_URL: "https://login.example.com" }),
      "login.example.com",
    );
    assert.equal(idOf({ BASE_URL: "https://192.0.2.7", AUTH_URL: "https://login.example.com" }), "login.example.com");
  });

  test("U06 PASSKEY_ID is the host of AUTH_URL, or a domain above it", () => {
    const AUTH_URL = "https://login.eu.example.com";
    for (const PASSKEY_ID of ["login.eu.example.com", "eu.example.com", "example.com"])
      assert.equal(idOf({ AUTH_URL, PASSKEY_ID }), PASSKEY_ID);
    assert.equal(idOf({ AUTH_URL: "http://localhost:4000", PASSKEY_ID: "localhost" }), "localhost");
    assert.equal(idOf({ AUTH_URL, PASSKEY_ID: "example.com", PASSKEYS: "off" }), null);
  });

  for (const PASSKEY_ID of [
    "com",
    "other.example",
    "a.login.example.com",
    "api.example.com",
    "ample.com",
    "in.example.com",
    ".example.com",
  ]) {
    test(`U07 PASSKEY_ID=${PASSKEY_ID} is rejected for login.example.com`, () => {
      assert.equal(
        refusal({ AUTH_URL: "https://login.example.com", PASSKEY_ID }),
        "PASSKEY_ID must be login.example.com, the host of AUTH_URL, or a domain above it with a dot in it.",
      );
    });
  }

  test("U07 the domain above a host of one's own machine is no domain of one's own", () => {
    assert.match(
      refusal({ AUTH_URL: "http://app.localhost:4000", PASSKEY_ID: "localhost" }),
      /^PASSKEY_ID must be app/,
    );
  });

  for (const PASSKEY_ID of [
    "https://example.com",
    "Example.com",
    "example.com:443",
    "example.com/",
    "192.0.2.7",
    "exämple.com",
    "example .com",
    "",
  ]) {
    test(`U07 PASSKEY_ID="${PASSKEY_ID}" is no domain`, () => {
      assert.equal(
        refusal({ AUTH_URL: "https://login.example.com", PASSKEY_ID }),
        "PASSKEY_ID must be a domain such as example.com, in lower case and ASCII.",
      );
    });
  }

  for (const PASSKEYS of ["yes", "true", "ON", ""]) {
    test(`U07 PASSKEYS="${PASSKEYS}" is rejected`, () => {
      assert.match(refusal({ PASSKEYS }), /^PASSKEYS must be on or off/);
    });
  }
});
