import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { after, before, beforeEach, describe, mock, test } from "node:test";
import { openMailDelivery, openSmtpOf } from "../../src/app/mail.ts";
import { openMailLimits } from "../../src/authorization-server/letters/mail-limits.ts";
import { readConfig } from "../../src/config/config.ts";
import { openMetrics } from "../../src/observe/metrics.ts";
import { livedTime } from "../timing.ts";
import { linkIn, openTestServer, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser, formOf } from "./client.ts";
import { askFor, forgetNetwork, letterFor, letterTo, postOf } from "./mailed.ts";
import { freeAddress, signInAt, somebody } from "./people.ts";

const PATHS = ["/sign-up", "/recover"] as const;

let server: TestServer;
before(async () => {
  server = await openTestServer({ settings: { SIGN_UP: "open" } });
  const off = await somebody(server, { email: "off@example.com" });
  await server.store.users.update(off.id, { disabledAt: new Date().toISOString() });
});
after(() => server.close());
// All tests share one network, which may ask for 20 mails an hour.
beforeEach(() => forgetNetwork(server));

test("U53 a mail has the language of its text with it from the request to the letter: English, whatever the browser prefers", async () => {
  const person = await somebody(server);
  const browser = new Browser();
  await forgetNetwork(server);
  const page = await browser.follow(`${server.issuer}/recover?ui_locales=de`);
  const [action, init] = postOf(page, "/recover", { email: person.email });
  await browser.fetch(action, { ...init, headers: { "accept-language": "fr-CA, fr" } });
  const [mail] = await server.store.mails.list({ limit: 1 });
  assert.deepEqual([mail?.address, mail?.language], [person.email, "en"]);
  assert.equal((await letterTo(server, person.email))?.language, "en");
});

describe("addresses", () => {
  test("U31 P16 what is not one plain address is refused at once, and nothing is written", async () => {
    const browser = new Browser();
    const started = livedTime();
    for (const path of PATHS) {
      const page = await browser.follow(server.issuer + path);
      for (const email of [
        "",
        "ada",
        "a@example.com\r\nBcc: b@evil.example",
        "a@example.com\0",
        '"a@evil.example x"@ok.example',
        "a(comment)@example.com",
        "=?utf-8?q?a?=@example.com",
        "a@b@example.com",
        "a@example.com, b@evil.example",
        "a@example.com b@evil.example",
        "<a@example.com>",
        "a\u202e@example.com",
        "a%b@example.com",
        "a!b@example.com",
        "a..b@example.com",
        "a@example.com.",
        "a@127.0.0.1",
        `${"a".repeat(65)}@example.com`,
        `a@${"b".repeat(10_000)}.example`,
      ]) {
        const refused = await browser.submit(page, path, { email });
        assert.equal(refused.response.status, 400, JSON.stringify(email.slice(0, 40)));
        assert.match(refused.text, /Nothing was sent\./);
      }
      const twice = new URLSearchParams({ ...formOf(page, path).hidden, email: "a@example.com" });
      twice.append("email", "b@evil.example");
      assert.equal((await browser.fetch(server.issuer + path, { method: "POST", body: twice })).status, 400);
    }
    assert.ok(livedTime() - started < 5_000);
    assert.deepEqual(await server.letters(), []);
  });

  test("U31 P17 R22 spellings of one address find one person, and mail goes to the stored spelling", async () => {
    const person = await somebody(server, { email: "Ünal.Kaya@Bücher.example" });
    const limits = mock.method(server.store.attempts, "add", async () => 1);
    const together = mock.method(server.store.attempts, "addAll", async () => [1, 1]);
    try {
      for (const typed of [
        "ünal.kaya@bücher.example",
        "ÜNAL.KAYA@BÜCHER.EXAMPLE",
        "u\u0308nal.kaya@bu\u0308cher.example",
        "ünal.kaya@xn--bcher-kva.example",
        "ünal.kaya@ｂücher.example",
      ])
        assert.equal((await letterFor(server, "/recover", typed)).to, person.email, typed);
      for (const typed of ["ünal.kayа@bücher.example", "unal.kaya@bücher.example", "ünal.kaya@bucher.example"]) {
        await askFor(server, "/recover", typed);
        assert.deepEqual(await server.letters(), [], `${typed} is somebody else`);
        assert.equal((await letterFor(server, "/sign-up", typed)).to, typed);
      }
      await somebody(server, { email: "karl.sis@example.com" });
      for (const typed of ["\u212Aarl.sis@example.com", "karl.\u017Fis@example.com", "karl.s\u0131s@example.com"]) {
        const letter = await letterFor(server, "/sign-up", typed);
        const isTaken = letter.subject === "You have an account already";
        assert.equal(letter.to, isTaken ? "karl.sis@example.com" : typed, "one key, or another person");
      }
    } finally {
      limits.mock.restore();
      together.mock.restore();
    }
  });
});

describe("limits", () => {
  test("U32 P14 one network may ask for 20 mails an hour; then it is told so, whatever the address", async () => {
    const browser = new Browser();
    const page = await browser.follow(`${server.issuer}/recover`);
    await forgetNetwork(server);
    const statuses: number[] = [];
    for (let i = 0; i < 20; i++)
      statuses.push((await browser.fetch(...postOf(page, "/recover", { email: freeAddress() }))).status);
    assert.deepEqual(new Set(statuses), new Set([303]));
    const texts = new Set<string>();
    for (const email of [freeAddress(), server.ada.email, "off@example.com"]) {
      const limited = await browser.fetch(...postOf(page, "/recover", { email }));
      assert.deepEqual([limited.status, limited.headers.get("retry-after")], [429, "3600"]);
      texts.add(await limited.text());
    }
    assert.equal(texts.size, 1);
    const signUp = await browser.follow(`${server.issuer}/sign-up`);
    assert.equal(
      (await browser.fetch(...postOf(signUp, "/sign-up", { email: freeAddress() }))).status,
      429,
      "one count",
    );
    await server.letters();
  });

  test("U32 P14 one address gets three mails an hour, and whoever asks once more sees the same page", async () => {
    const person = await somebody(server);
    const pages = new Set<string>();
    for (let i = 0; i < 6; i++) {
      const email = i % 2 ? person.email : person.email.toUpperCase();
      pages.add((await askFor(server, "/recover", email)).text);
    }
    assert.equal(pages.size, 1);
    assert.equal((await server.letters()).length, 3);
    await askFor(server, "/sign-up", person.email);
    assert.deepEqual(await server.letters(), [], "of whatever kind");
  });

  test("U32 U33 a browser that the address has signed in from has mails of its own; for no other address", async () => {
    const [person, other] = [await somebody(server), await somebody(server)];
    const browser = new Browser();
    await signInAt(server, person.email, PASSWORD, browser);
    for (const { email } of [person, other]) for (let i = 0; i < 5; i++) await askFor(server, "/recover", email);
    assert.equal((await server.letters()).length, 6);
    for (let i = 0; i < 5; i++) await askFor(server, "/recover", person.email, browser);
    assert.equal((await server.letters()).length, 3);
    await askFor(server, "/recover", other.email, browser);
    assert.deepEqual(await server.letters(), []);
  });

  test("P14 P15 1,000 networks together get three mails for one address, and a /48 of IPv6 counts as well", async () => {
    const limits = openMailLimits(server.store.attempts, () => Date.now());
    const email = freeAddress();
    let sent = 0;
    for (let i = 0; i < 1_000; i++) {
      const wait = await limits.ofNetwork(`2001:db8:${i.toString(16)}:1::1`);
      assert.equal(wait, 0);
      if (await limits.mayMail(email, null)) sent++;
    }
    assert.equal(sent, 3);
    let allowed = 0;
    for (let i = 0; i < 300; i++) if ((await limits.ofNetwork(`2001:db8:ffff:${i.toString(16)}::1`)) === 0) allowed++;
    assert.equal(allowed, 200);
  });

  test("P15 other spellings of a path are no page, or the same page", async () => {
    for (const path of PATHS)
      for (const odd of [`/${path}`, `${path}/`, path.toUpperCase(), `/%2f${path.slice(1)}`])
        for (const method of ["GET", "POST"])
          assert.equal((await fetch(`${server.issuer}${odd}`, { method })).status, 404, `${method} ${odd}`);
    // The same handler, so the same counts.
    const escaped = await new Browser().follow(`${server.issuer}/%72ecover`);
    assert.equal(formOf(escaped, "/recover").action.href, `${server.issuer}/recover`);
  });
});

describe("requests that lie", () => {
  test("P02 R1 no header of a request reaches a mail: every link is that of the settings", async () => {
    await openTestServer({ settings: { SIGN_UP: "open" }, issuer: "https://accounts.example.com/auth" }).then(
      async (far) => {
        const { url } = await far.openNode();
        try {
          for (const [path, email] of [
            ["/auth/sign-up", freeAddress()],
            ["/auth/sign-up", far.ada.email],
            ["/auth/recover", far.bob.email],
          ] as const) {
            const headers = {
              "x-forwarded-host": "evil.example",
              "x-forwarded-proto": "https",
              forwarded: "host=evil.example;proto=https",
              "x-original-host": "evil.example",
              origin: "https://evil.example",
              referer: "https://evil.example/",
            };
            const got = await fetch(url + path, { headers });
            const text = await got.text();
            assert.doesNotMatch(text, /evil\.example/);
            const cookie = got.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
            assert.match(
              got.headers.getSetCookie()[0] ?? "",
              /^__Host-account=[\w-]{22}; path=\/; samesite=lax; httponly; secure$/,
            );
            const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? "";
            const body = new URLSearchParams({ csrf, email, interaction: "" });
            const asked = await fetch(url + path, {
              ...{ method: "POST", body, redirect: "manual" },
              headers: { ...headers, cookie },
            });
            assert.equal(asked.status, 303);
            assert.match(asked.headers.get("location") ?? "", /^\/auth\/(?:sign-up|recover)\/sent/);
            const [letter] = await far.letters();
            assert.doesNotMatch(JSON.stringify(letter), /evil/);
            assert.ok(linkIn(letter).startsWith("https://accounts.example.com/auth/"), linkIn(letter));
          }
        } finally {
          await far.close();
        }
      },
    );
  });

  test("U03 P44 no parameter of a request leads anywhere", async () => {
    const evil = [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "%0d%0aLocation:%20https://evil.example",
    ];
    for (const name of ["return_to", "next", "redirect", "redirect_uri", "interaction", "about", "token", "path"])
      for (const value of evil)
        for (const path of [
          "/sign-up",
          "/sign-up/sent",
          "/sign-up/finish",
          "/sign-up/done",
          "/recover",
          "/recover/sent",
          "/recover/finish",
          "/recover/done",
        ]) {
          const response = await fetch(`${server.issuer}${path}?${name}=${value}`, { redirect: "manual" });
          const location = response.headers.get("location");
          assert.ok(location === null || location === "/sign-up", `${path}: ${location}`);
          assert.doesNotMatch(await response.text(), /evil\.example/, `${path} ${name}`);
        }
    const browser = new Browser();
    for (const path of PATHS) {
      const page = await browser.follow(`${server.issuer}${path}`);
      for (const value of evil) {
        await forgetNetwork(server);
        const values = { email: freeAddress(), interaction: value, next: value, return_to: value };
        const asked = await browser.fetch(...postOf(page, path, values));
        assert.match(asked.headers.get("location") ?? "", /^\/(?:sign-up|recover)\/sent(?:\?about=[\w-]+)?$/);
      }
    }
    assert.doesNotMatch(JSON.stringify(await server.letters()), /evil/);
  });

  test("P29 A12 a form without its proof, or with that of another browser or page, sends nothing", async () => {
    for (const path of PATHS) {
      const [browser, other] = [new Browser(), new Browser()];
      const page = await browser.follow(server.issuer + path);
      const elsewhere = await other.follow(server.issuer + path);
      const otherPath = path === "/sign-up" ? "/recover" : "/sign-up";
      const wrongPage = await browser.follow(server.issuer + otherPath);
      const proofs = [formOf(elsewhere, path), formOf(wrongPage, otherPath)].map(({ hidden }) => hidden.csrf ?? "");
      for (const csrf of ["", "x", ...proofs]) {
        const refused = await browser.submit(page, path, { email: "ada@example.com", csrf });
        assert.equal(refused.response.status, 400);
        assert.match(refused.text, /The form was out of date\. Nothing was sent\./);
      }
      const foreign = await new Browser().fetch(...postOf(page, path, { email: "ada@example.com" }));
      assert.equal(foreign.status, 400, "without the cookie");
    }
    assert.deepEqual(await server.letters(), []);
  });
});

test("P13 a mail server that never answers holds nobody up, and the mail waits for it", async () => {
  const silent = createServer();
  const sockets = new Set<{ destroy(): void }>();
  const called = once(silent, "connection", { signal: AbortSignal.timeout(10_000) });
  silent.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const { port } = silent.address() as { port: number };
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "a@example.com", AUTH_URL: server.issuer };
  const config = readConfig(env, "/nonexistent");
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const now = () => Date.now();
  const delivery = openMailDelivery({
    ...{ config, store: server.store, sender: openSmtpOf(config, now), metrics: openMetrics(), log, now },
    compose: server.server.compose,
  });
  try {
    const start = livedTime();
    for (let i = 0; i < 10; i++) await askFor(server, "/recover", (await somebody(server)).email);
    assert.ok(livedTime() - start < 4_000, "ten people, each with a password that is hashed");
    await called;
    assert.equal((await server.store.mails.list({ state: "PENDING", limit: 10 })).length, 10);
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await delivery.close();
  }
});
