import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, type TestContext, test } from "node:test";
import type { SMTPServerOptions } from "smtp-server";
import type { Letter } from "../../src/mail/letter.ts";
import { openSmtp, type SmtpOptions, type SmtpSender } from "../../src/mail/smtp.ts";
import type { SmtpSettings } from "../../src/mail/smtp-settings.ts";
import { freePort } from "../port.ts";
import { makeCertificate, WITH_CERTIFICATES } from "../security/certificates.ts";
import { livedTime } from "../timing.ts";
import { openMailServer, openRawServer, replied, serveUntilEnd } from "./mail-server.ts";

const AT = Date.parse("2026-11-29T03:49:00Z");
const MESSAGE_ID = "<0190a.1@example.com>";
const SECRET = "c2VjcmV0LXRva2Vu";
const LETTER: Letter = {
  to: "ada@example.com",
  language: "en",
  subject: "Finish your account",
  heading: "Finish your account",
  parts: [{ button: { label: "Choose a password", href: `https://id.example.com/continue#${SECRET}` } }],
};
const OPTIONS: SmtpOptions = {
  operator: "Example",
  supportContact: null,
  now: () => AT,
  isLoopback: (host) => host === "127.0.0.1",
  limits: { connect: 300, whole: 600 },
};

function settingsFor(port: number, change: Partial<SmtpSettings> = {}): SmtpSettings {
  return {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    SMTP_PASSWORD: null,
    MAIL_FROM: "Example & Sons <accounts@example.com>",
    ...change,
  };
}

/** A sender, and the server that it talks to. */
async function open(
  t: TestContext,
  server: SMTPServerOptions = {},
  settings: Partial<SmtpSettings> = {},
  options: Partial<SmtpOptions> = {},
) {
  const { port, mails, close } = await openMailServer(server);
  t.after(close);
  // A real port goes where the test's URL has 0.
  const url = settings.SMTP_URL?.replace(/:0$/, `:${port}`);
  const sender = openSmtp(settingsFor(port, { ...settings, ...(url ? { SMTP_URL: url } : {}) }), {
    ...OPTIONS,
    ...options,
  });
  return { sender, mails, port };
}

async function openRaw(t: TestContext, serve: Parameters<typeof openRawServer>[0], change: Partial<SmtpSettings> = {}) {
  const { port, close } = await openRawServer(serve);
  t.after(close);
  return openSmtp(settingsFor(port, change), OPTIONS);
}

async function stepsOf(sender: SmtpSender) {
  const steps: string[] = [];
  const isOk = await sender.probe((step) => steps.push(`${step.name} ${step.isOk ? "ok" : "failed"}: ${step.words}`));
  return { isOk, steps };
}

describe("sending by SMTP", () => {
  test("U50 U52 U56 a letter comes to its one recipient, with text, HTML and headers", async (t) => {
    const { sender, mails } = await open(t);
    assert.deepEqual(await sender.send(LETTER, MESSAGE_ID), { result: "sent" });
    const [mail, ...more] = mails;
    assert.ok(mail !== undefined && more.length === 0);
    assert.deepEqual([mail.from, mail.to], ["accounts@example.com", ["ada@example.com"]]);
    const { email } = mail;
    assert.deepEqual(email.from, { name: "Example & Sons", address: "accounts@example.com" });
    assert.deepEqual(email.to, [{ name: "", address: "ada@example.com" }]);
    assert.deepEqual([email.cc, email.bcc, email.attachments], [undefined, undefined, []]);
    assert.deepEqual([email.subject, email.messageId], ["Finish your account", MESSAGE_ID]);
    assert.equal(email.date, "2026-11-29T03:49:00.000Z");
    const headers = new Map(email.headers.map(({ key, value }) => [key, value]));
    assert.equal(headers.get("auto-submitted"), "auto-generated");
    assert.equal(headers.get("x-auto-response-suppress"), "All");
    assert.equal(headers.get("content-language"), "en");
    assert.deepEqual([...headers.keys()].sort(), [
      "auto-submitted",
      "content-language",
      "content-type",
      "date",
      "from",
      "message-id",
      "mime-version",
      "subject",
      "to",
      "x-auto-response-suppress",
    ]);
    assert.match(email.text ?? "", new RegExp(`Choose a password:\nhttps://id.example.com/continue#${SECRET}\n`));
    assert.match(email.html ?? "", new RegExp(`<a class="button" href="https://id.example.com/continue#${SECRET}"`));
  });

  test("U53 the language of a letter stands in Content-Language and in its HTML", async (t) => {
    const { sender, mails } = await open(t);
    for (const language of ["en", "de"]) await sender.send({ ...LETTER, language }, MESSAGE_ID);
    assert.deepEqual(
      mails.map(({ email }) => [
        email.headers.find(({ key }) => key === "content-language")?.value,
        /<html lang="([^"]*)"/.exec(email.html ?? "")?.[1],
      ]),
      [
        ["en", "en"],
        ["de", "de"],
      ],
    );
  });

  test("U50 P16 an address that is no plain address goes nowhere, and no server hears of it", async (t) => {
    let connections = 0;
    const onConnect: SMTPServerOptions["onConnect"] = (_session, done) => {
      connections++;
      done();
    };
    const { sender, mails } = await open(t, { onConnect });
    for (const to of [
      "ada@example.com\r\nRCPT TO:<eve@evil.example>",
      "ada@example.com\nBcc: eve@evil.example",
      "ada@example.com\0",
      '"eve@evil.example x"@example.com',
      '"ada"@example.com',
      "ada@evil.example@example.com",
      "ada@example.com,eve@evil.example",
      "ada@example.com;eve@evil.example",
      "ada@example.com eve@evil.example",
      "Ada <eve@evil.example>",
      "ada(comment)@example.com",
      "=?utf-8?q?eve=40evil.example=3e?=@example.com",
      "@evil.example:ada@example.com",
      "ada@[127.0.0.1]",
      "ada\u202e@example.com",
      `${"a".repeat(10_000)}@example.com`,
      "group:eve@evil.example;",
      "",
    ])
      assert.deepEqual(
        await sender.send({ ...LETTER, to }, MESSAGE_ID),
        { result: "refused", reason: "the address is not valid" },
        JSON.stringify(to.slice(0, 60)),
      );
    assert.deepEqual([connections, mails.length], [0, 0]);
  });

  test("P16 P17 odd but valid addresses come unchanged; a domain goes as its key has it", async (t) => {
    const recipients: string[] = [];
    const sender = await openRaw(t, (socket, lines) =>
      serveUntilEnd(
        socket,
        lines,
        () => socket.end("250 kept\r\n"),
        (line) => recipients.push(...line.split(/^RCPT TO:/i).slice(1)),
      ),
    );
    for (const [to, expected] of [
      ["Ada.Lovelace@example.com", "Ada.Lovelace@example.com"],
      ["O'Neill+tag=1@example.com", "O'Neill+tag=1@example.com"],
      ["{ada|eve}@example.com", "{ada|eve}@example.com"],
      ["ada@Bücher.Example", "ada@xn--bcher-kva.example"],
      ["ada@ｅｘａｍｐｌｅ.com", "ada@example.com"],
      ["ada@straße.example", "ada@xn--strae-oqa.example"],
      ["jürgen@example.com", "jürgen@example.com"],
    ] as const) {
      recipients.length = 0;
      assert.deepEqual(await sender.send({ ...LETTER, to }, MESSAGE_ID), { result: "sent" });
      assert.deepEqual(recipients, [`<${expected}>`]);
    }
  });

  test("U52 a subject with line breaks makes no header", async (t) => {
    const { sender, mails } = await open(t);
    await sender.send({ ...LETTER, subject: "Hello\r\nBcc: eve@evil.example\r\n\r\nbody" }, MESSAGE_ID);
    assert.deepEqual(mails[0]?.to, ["ada@example.com"]);
    assert.equal(mails[0]?.email.bcc, undefined);
    assert.equal(mails[0]?.email.subject, "Hello Bcc: eve@evil.example body");
  });

  test("U50 a path or a URL in a letter is text, not a file that is read", async (t) => {
    const { sender, mails } = await open(t);
    await sender.send({ ...LETTER, parts: [{ text: "file:///etc/passwd" }, { text: "/etc/passwd" }] }, MESSAGE_ID);
    assert.match(mails[0]?.email.text ?? "", /file:\/\/\/etc\/passwd\n\n\/etc\/passwd\n/);
  });
});

describe("failures of the mail server", () => {
  test("U50 U56 421, 450 and 503 are tried again; 550 for the recipient or the message is final", async (t) => {
    for (const [code, result] of [
      [421, "retry"],
      [450, "retry"],
      [503, "retry"],
      [550, "refused"],
      [554, "refused"],
    ] as const) {
      const reply = replied(code, `5.1.1 <ada@example.com> ${SECRET}`);
      const { sender } = await open(t, { onRcptTo: (_address, _session, done) => done(reply) });
      const sent = await sender.send(LETTER, MESSAGE_ID);
      assert.deepEqual(sent, { result, reason: `the mail server answered ${code} 5.1.1` });
      const raw = await openRaw(t, (socket, lines) =>
        serveUntilEnd(socket, lines, () => socket.write(`${code} 5.1.1 no: ${SECRET}\r\n`)),
      );
      assert.deepEqual(await raw.send(LETTER, MESSAGE_ID), {
        result,
        reason: `the mail server answered ${code} 5.1.1`,
      });
    }
  });

  test("U50 a sender that the server rejects is our own fault; a recipient with letters of its own is not", async (t) => {
    const { sender } = await open(t, { onMailFrom: (_address, _session, done) => done(replied(550, "5.7.1 not you")) });
    const reason = "the mail server answered 550 5.7.1";
    assert.deepEqual(await sender.send(LETTER, MESSAGE_ID), { result: "unavailable", reason });
    const to = "jürgen@example.com";
    assert.deepEqual(await sender.send({ ...LETTER, to }, MESSAGE_ID), { result: "refused", reason });
  });

  test("U50 a server that rejects our login or wants one is our own fault (535, 530)", async (t) => {
    const SMTP_URL = "smtp://ada@127.0.0.1:0";
    const auth: SMTPServerOptions = { allowInsecureAuth: true, authOptional: false };
    const right = await open(t, auth, { SMTP_URL, SMTP_PASSWORD: "s3cret pass" });
    assert.deepEqual(await right.sender.send(LETTER, MESSAGE_ID), { result: "sent" });
    const wrong = await open(t, auth, { SMTP_URL, SMTP_PASSWORD: "other pass" });
    assert.deepEqual(await wrong.sender.send(LETTER, MESSAGE_ID), {
      result: "unavailable",
      reason: "the mail server answered 535 5.7.8",
    });
    const none = await open(t, auth);
    assert.equal((await none.sender.send(LETTER, MESSAGE_ID)).result, "unavailable");
    const offersNone = await open(
      t,
      { disabledCommands: ["AUTH"] },
      { SMTP_URL: "smtp://ada:s3cret%20pass@127.0.0.1:0" },
    );
    assert.equal((await offersNone.sender.send(LETTER, MESSAGE_ID)).result, "unavailable");
    assert.equal(offersNone.mails.length, 0);
  });

  test("U56 nobody listens: tried again", async () => {
    const sender = openSmtp(settingsFor(await freePort()), OPTIONS);
    const reason = "the connection to the mail server failed: ECONNREFUSED";
    assert.deepEqual(await sender.send(LETTER, MESSAGE_ID), { result: "retry", reason });
  });

  test("U56 a greeting that does not come ends the attempt", async (t) => {
    const sender = await openRaw(t, async () => {});
    const begin = livedTime();
    const reason = "the mail server took too long";
    assert.deepEqual(await sender.send(LETTER, MESSAGE_ID), { result: "retry", reason });
    assert.ok(livedTime() - begin < 550, "the limit of the connection ended it");
  });

  test("U50 a server that sends a byte now and then is given up after the whole time", async (t) => {
    const sender = await openRaw(t, async (socket, lines) => {
      socket.write("220 ready\r\n");
      await lines.next();
      for (;;) {
        socket.write("250-still here\r\n");
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (socket.destroyed) return;
      }
    });
    const begin = livedTime();
    const reason = "the mail server took too long";
    assert.deepEqual(await sender.send(LETTER, MESSAGE_ID), { result: "retry", reason });
    assert.ok(livedTime() - begin < 1_500);
  });

  test("U56 a server that goes away after DATA: tried again", async (t) => {
    const sender = await openRaw(t, (socket, lines) => serveUntilEnd(socket, lines, () => socket.destroy()));
    assert.equal((await sender.send(LETTER, MESSAGE_ID)).result, "retry");
    // An answer that is cut off may quote the letter.
    const cut = await openRaw(t, (socket, lines) =>
      serveUntilEnd(socket, lines, () => socket.end(`554 5.7.1 bad link ${SECRET}`)),
    );
    const reason = "the mail server answered 554 5.7.1";
    assert.deepEqual(await cut.send(LETTER, MESSAGE_ID), { result: "retry", reason });
  });

  test("U50 close breaks off what is under way", async (t) => {
    const sender = await openRaw(t, async () => {});
    const sending = sender.send(LETTER, MESSAGE_ID);
    setTimeout(() => sender.close(), 20);
    const begin = livedTime();
    assert.equal((await sending).result, "retry");
    assert.ok(livedTime() - begin < 250);
  });
});

describe("TLS to the mail server", WITH_CERTIFICATES, () => {
  const folder = mkdtempSync(join(tmpdir(), "content-api-"));
  after(() => rmSync(folder, { recursive: true }));
  const made = WITH_CERTIFICATES.skip
    ? null
    : makeCertificate(folder, "server", "/CN=mail", "DNS:localhost,IP:127.0.0.1");
  const cert = made === null ? "" : readFileSync(made.file, "utf8");
  const key = made === null ? "" : readFileSync(join(folder, "key.pem"), "utf8");
  const FAR = { isLoopback: () => false };
  const TRUSTED = { ...FAR, ca: cert };

  test("U50 STARTTLS is required of every server but one on this machine", async (t) => {
    const plain: SMTPServerOptions = { disabledCommands: ["STARTTLS"] };
    const far = await open(t, plain, {}, FAR);
    const sent = await far.sender.send(LETTER, MESSAGE_ID);
    assert.equal(sent.result, "unavailable");
    assert.equal(far.mails.length, 0);
    const near = await open(t, plain);
    assert.deepEqual(await near.sender.send(LETTER, MESSAGE_ID), { result: "sent" });
    assert.equal(near.mails[0]?.isSecure, false);
  });

  test("U50 STARTTLS and TLS from the first byte, with a certificate that is verified", async (t) => {
    for (const [secure, SMTP_URL] of [
      [false, "smtp://127.0.0.1:0"],
      [true, "smtps://127.0.0.1:0"],
      [true, "smtps://localhost:0"],
    ] as const) {
      const trusted = await open(t, { secure, cert, key }, { SMTP_URL }, TRUSTED);
      assert.deepEqual(await trusted.sender.send(LETTER, MESSAGE_ID), { result: "sent" }, SMTP_URL);
      assert.equal(trusted.mails[0]?.isSecure, true);
      const unknown = await open(t, { secure, cert, key }, { SMTP_URL }, FAR);
      const sent = await unknown.sender.send(LETTER, MESSAGE_ID);
      assert.deepEqual(sent, {
        result: "unavailable",
        reason: "TLS with the mail server failed: DEPTH_ZERO_SELF_SIGNED_CERT",
      });
      assert.equal(unknown.mails.length, 0);
    }
  });

  test("U50 another name in the certificate, TLS 1.1 and no TLS at all are rejected", async (t) => {
    const other = makeCertificate(folder, "other", "/CN=mail", "DNS:other.example");
    const otherCert = readFileSync(other.file, "utf8");
    const otherKey = readFileSync(join(folder, "key.pem"), "utf8");
    for (const [server, url, options] of [
      [{ secure: true, cert: otherCert, key: otherKey }, "smtps://127.0.0.1:0", { ...FAR, ca: otherCert }],
      [
        { secure: true, cert, key, minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" },
        "smtps://127.0.0.1:0",
        TRUSTED,
      ],
      [{ secure: false }, "smtps://127.0.0.1:0", TRUSTED],
    ] as const) {
      const { sender, mails } = await open(t, server, { SMTP_URL: url }, options);
      const sent = await sender.send(LETTER, MESSAGE_ID);
      assert.equal(sent.result, "unavailable", JSON.stringify(sent));
      assert.equal(mails.length, 0);
    }
  });

  test("U55 a probe says how each step went", async (t) => {
    const SMTP_PASSWORD = "s3cret pass";
    const SMTP_URL = "smtps://ada@localhost:0";
    const secure: SMTPServerOptions = { secure: true, cert, key };
    const good = await open(t, secure, { SMTP_URL, SMTP_PASSWORD }, TRUSTED);
    assert.deepEqual(await stepsOf(good.sender), {
      isOk: true,
      steps: [
        `connect ok: connected to localhost, port ${good.port}`,
        "TLS ok: TLSv1.3, the certificate is valid",
        "greeting ok: the mail server answers",
        "login ok: logged in as ada",
      ],
    });
    const login = await open(t, secure, { SMTP_URL, SMTP_PASSWORD: "other pass" }, TRUSTED);
    assert.deepEqual(
      (await stepsOf(login.sender)).steps.at(-1),
      "login failed: the mail server answered 535 5.7.8 … is not right",
    );
    const unknown = await open(t, secure, { SMTP_URL, SMTP_PASSWORD }, FAR);
    assert.deepEqual(await stepsOf(unknown.sender), {
      isOk: false,
      steps: [
        `connect ok: connected to localhost, port ${unknown.port}`,
        "TLS failed: TLS with the mail server failed: DEPTH_ZERO_SELF_SIGNED_CERT",
      ],
    });
    const noTls = await open(t, { disabledCommands: ["STARTTLS"] }, {}, FAR);
    const { steps } = await stepsOf(noTls.sender);
    assert.deepEqual(steps.slice(0, 2), [
      `connect ok: connected to 127.0.0.1, port ${noTls.port}`,
      "greeting ok: the mail server answers",
    ]);
    assert.match(steps[2] ?? "", /^TLS failed: the mail server answered 5\d\d /);
    assert.equal(steps.length, 3);
    assert.equal(good.mails.length, 0);
  });
});

describe("probing without TLS", () => {
  test("U55 to this machine, without a login", async (t) => {
    const { sender, port } = await open(t);
    assert.deepEqual(await stepsOf(sender), {
      isOk: true,
      steps: [
        `connect ok: connected to 127.0.0.1, port ${port}`,
        "greeting ok: the mail server answers",
        "TLS ok: not used: the mail server is on this machine",
        "login ok: not used: SMTP_URL has no user",
      ],
    });
  });

  test("U55 a port where nobody listens, a silent server, and one that sends us away", async (t) => {
    assert.deepEqual(await stepsOf(openSmtp(settingsFor(await freePort()), OPTIONS)), {
      isOk: false,
      steps: ["connect failed: the connection to the mail server failed: ECONNREFUSED"],
    });
    const silent = await openRaw(t, async () => {});
    assert.deepEqual((await stepsOf(silent)).steps.slice(1), ["greeting failed: the mail server took too long"]);
    const rejects = await openRaw(t, async (socket) => void socket.end("554 5.7.1 Your network is blocked\r\n"));
    assert.deepEqual((await stepsOf(rejects)).steps.slice(1), [
      "greeting failed: the mail server answered 554 5.7.1 Your network is blocked",
    ]);
    const reason = "the mail server answered 554 5.7.1";
    assert.deepEqual(await rejects.send(LETTER, MESSAGE_ID), { result: "unavailable", reason });
  });
});

describe("settings of SMTP", () => {
  test("U50 settings that cannot be used are named, and no password is said", () => {
    for (const [change, expected] of [
      [{ SMTP_URL: null }, /^SMTP_URL must/],
      [{ SMTP_URL: "http://example.com" }, /^SMTP_URL must/],
      [{ SMTP_URL: "smtps://ada@smtp.example.com" }, /^SMTP_PASSWORD is missing/],
      [{ SMTP_PASSWORD: "s3cret" }, /^SMTP_URL needs a user/],
      [{ SMTP_URL: "smtps://ada:100%@smtp.example.com" }, /^SMTP_URL has a %/],
      [{ SMTP_URL: "smtps://ada:s3cret%0d%0aQUIT@smtp.example.com" }, /^SMTP_URL and SMTP_PASSWORD/],
      [{ MAIL_FROM: null }, /^MAIL_FROM must/],
      [{ MAIL_FROM: "Example <accounts@127.0.0.1>" }, /^MAIL_FROM must/],
      [{ MAIL_FROM: "Example <a..b@example.com>" }, /^MAIL_FROM must/],
      [{ MAIL_FROM: "a@b@example.com" }, /^MAIL_FROM must/],
    ] as const)
      assert.throws(
        () => openSmtp(settingsFor(25, change), OPTIONS),
        (error: Error) => expected.test(error.message) && !error.message.includes("s3cret"),
        JSON.stringify(change),
      );
  });
});
