import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Client } from "../../src/domain/clients/client.ts";
import { openClientOrigins } from "../../src/http/client-origins.ts";

const NOW = Date.parse("2026-11-27T12:00:00Z");
const DAY = 86_400_000;

const client = (...redirectUris: string[]) => ({ redirectUris, disabledAt: null }) as unknown as Client;

describe("origins of clients", () => {
  test("I11 F14 an origin that is no longer registered is foreign within a second, whatever happens to the clock", async () => {
    for (const step of [1_000, DAY, -1_000, -DAY]) {
      let now = NOW;
      let uris = ["https://app.example.com/cb", "com.example.app:/cb"];
      const isAllowed = openClientOrigins({ list: async () => [client(...uris)] }, () => now);
      assert.equal(await isAllowed("https://app.example.com"), true);
      assert.equal(await isAllowed("null"), false, "what private-use schemes have for an origin");
      uris = [];
      now += step;
      assert.equal(await isAllowed("https://app.example.com"), false, String(step));
    }
  });

  test("I11 F05 while clients cannot be read, the last ones known are believed, and nobody else", async () => {
    let now = NOW;
    let isAway = true;
    const list = async () => {
      if (isAway) throw new Error("away");
      return [client("https://app.example.com/cb")];
    };
    const isAllowed = openClientOrigins({ list }, () => now);
    assert.equal(await isAllowed("https://app.example.com"), false);
    isAway = false;
    assert.equal(await isAllowed("https://app.example.com"), true, "asked again at once");
    isAway = true;
    now += DAY;
    assert.equal(await isAllowed("https://app.example.com"), true);
    assert.equal(await isAllowed("https://evil.example.com"), false);
  });
});
