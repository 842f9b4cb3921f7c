import assert from "node:assert/strict";
import { test } from "node:test";
import { openAccount, signedIn, somebody } from "./people.ts";
import { openFederation } from "./upstream.ts";

const PAGES = ["/passkeys", "/second-step", "/links"];

test("U51 P34 a person whose address is not confirmed is told to confirm it, or whom to ask on a server without mail", async () => {
  for (const [sendsMail, contact, words] of [
    [true, "help@example.com", /Confirm your e-mail address first\. <a href="\/account">Go to your account<\/a>/],
    [
      false,
      null,
      /Your e-mail address must be confirmed first, and this server sends no mail\. Ask an administrator\./,
    ],
    [
      false,
      "help@example.com",
      /sends no mail\. Ask <a href="mailto:help@example\.com"><bdi>help@example\.com<\/bdi><\/a>\./,
    ],
    [false, "https://help.example.com/", /sends no mail\. Ask <a href="https:\/\/help\.example\.com\/">/],
  ] as const) {
    const server = await openFederation({}, { hasName: true, sendsMail, settings: { SUPPORT_CONTACT: contact } });
    try {
      const unproved = await signedIn(server, await somebody(server, { emailVerified: false }));
      const proved = await signedIn(server, await somebody(server));
      for (const path of PAGES) {
        assert.match((await openAccount(server, unproved, path)).text, words, path);
        assert.doesNotMatch((await openAccount(server, proved, path)).text, /confirm(ed)?\b.* first/i, path);
      }
    } finally {
      await server.close();
    }
  }
});
