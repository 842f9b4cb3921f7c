import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { networkInterfaces } from "node:os";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openTestApp, type TestApp } from "../app.ts";
import { Browser, type Stop } from "./client.ts";

const EMAIL = "owner@example.com";
const PASSWORD = "eleven slow otters at noon";

let app: TestApp;
const browser = new Browser();
before(async () => {
  app = await openTestApp({ HOST: "0.0.0.0" });
  const page = await browser.follow(app.setUpUrl ?? assert.fail("somebody is there"));
  await browser.submit(page, "/setup", { name: "Owner", email: EMAIL, password: PASSWORD });
  const account = await browser.follow(`${app.config.AUTH_URL}/account`);
  await browser.submit(account, "/account/sign-in", { email: EMAIL, password: PASSWORD });
});
after(() => app.close());

/** A request as another program may send it: with any Host field, to any address of this machine. */
async function raw(
  on: TestApp,
  path: string,
  headers: Record<string, string> = {},
  address = "127.0.0.1",
): Promise<number> {
  const { port, host } = new URL(on.config.AUTH_URL);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: address, port, path, headers: { host, ...headers } }, resolve)
      .on("error", reject)
      .end();
  });
  response.resume();
  return response.statusCode ?? 0;
}

/** The list, once a letter with this subject is in it. */
async function until(subject: string): Promise<Stop> {
  for (let tries = 0; ; tries++) {
    const list = await browser.follow(`${app.config.AUTH_URL}/mailbox`);
    if (list.text.includes(subject)) return list;
    assert.ok(tries < 500, list.text.slice(-1_000));
    await pause(20);
  }
}

describe("U51 the mailbox of a server for developers", () => {
  test("U51 the page after a request for a mail leads there, and the letter's link works", async () => {
    const form = await browser.follow(`${app.config.AUTH_URL}/account/email`);
    const sent = await browser.submit(form, "/account/email", { email: "moved@example.com" });
    assert.match(sent.text, /<a href="\/mailbox">/);
    const list = await until("Confirm your e-mail address");
    assert.match(list.text, /To <bdi>moved@example\.com<\/bdi>/);
    const path = /<a href="(\/mailbox\/\d+)"><bdi>Confirm/.exec(list.text)?.[1] ?? "";
    const letter = await browser.follow(`${app.config.AUTH_URL}${path}`);
    assert.match(letter.text, /Is this your address\?/);
    const link = /<a href="([^"]+\/account\/email\/finish\?token=[^"]+)"/.exec(letter.text)?.[1] ?? "";
    const done = await browser.submit(await browser.follow(link), "/email/finish");
    assert.match(done.text, /Your e-mail address has changed/);
  });

  test("U51 the HTML is shown under a policy that lets nothing run or load", async () => {
    await until("Confirm your e-mail address");
    const answer = await browser.fetch(`${app.config.AUTH_URL}/mailbox/1/html`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<h1 style=/);
    const policy = answer.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /; sandbox$/);
    assert.doesNotMatch(policy, /script|allow-/);
    for (const [name, value] of [
      ["x-frame-options", "DENY"],
      ["cache-control", "no-store"],
      ["referrer-policy", "no-referrer"],
    ] as const)
      assert.equal(answer.headers.get(name), value);
  });

  test("letters that are not there, and paths like it", async () => {
    for (const path of [
      "/mailbox/0",
      "/mailbox/999999999",
      "/mailbox/1e0",
      "/mailbox/-1",
      "/mailbox/1/text",
      "/mailbox/",
    ])
      assert.equal(await raw(app, path), 404, path);
  });
});

describe("P55 nobody else sees it", () => {
  test("P55 a page of another host that resolves to this machine", async () => {
    const { host, port } = new URL(app.config.AUTH_URL);
    assert.equal(await raw(app, "/mailbox", { host }), 200);
    for (const other of [`evil.example:${port}`, "evil.example", `127.0.0.1:${port}`, "localhost"])
      for (const path of ["/mailbox", "/mailbox/1", "/mailbox/1/html"])
        assert.equal(await raw(app, path, { host: other }), 404, `${other}${path}`);
  });

  test("P55 a request that a proxy has passed on", async () => {
    for (const headers of [
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { "x-forwarded-host": "localhost" },
      { via: "1.1 tunnel" },
    ])
      assert.equal(await raw(app, "/mailbox/1", headers), 404, JSON.stringify(headers));
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address !== undefined && !address.internal && address.family === "IPv4")?.address;
  test("P55 another address of the network", {
    skip: outside === undefined && "this machine has no network",
  }, async () => {
    assert.notEqual(await raw(app, "/", {}, outside), 404, "the server is there");
    for (const path of ["/mailbox", "/mailbox/1", "/mailbox/1/html"])
      assert.equal(await raw(app, path, {}, outside), 404, path);
  });

  for (const [name, settings] of [
    ["TRUST_PROXY", { TRUST_PROXY: "127.0.0.1" }],
    ["SMTP_URL", { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "no-reply@example.com" }],
  ] as const)
    test(`P55 with ${name} there is none`, async () => {
      const other = await openTestApp(settings);
      try {
        for (const path of ["/mailbox", "/mailbox/1", "/mailbox/1/html"])
          assert.equal(await raw(other, path), 404, path);
      } finally {
        await other.close();
      }
    });
});

test("U39 password managers find the page where the password is changed", async () => {
  const answer = await fetch(`${app.config.AUTH_URL}/.well-known/change-password`, { redirect: "manual" });
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/account/password"]);
  const signedOut = new Browser();
  const page = await signedOut.follow(`${app.config.AUTH_URL}/.well-known/change-password`);
  assert.match(page.text, /<h1>Sign in<\/h1>/);
  const { text } = await signedOut.submit(page, "/account/sign-in", { email: "moved@example.com", password: PASSWORD });
  assert.match(text, /<h1>Change your password<\/h1>/, "the sign-in leads there");
});
