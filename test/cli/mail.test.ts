import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Id } from "../../src/domain/id.ts";
import type { Store } from "../../src/domain/store/store.ts";
import { hashToken } from "../../src/secrets/token-hash.ts";
import { openStore } from "../../src/storage/open.ts";
import { runCommand, runJson } from "../command.ts";
import { type MailServer, openMailServer } from "../mail/mail-server.ts";
import { freePort } from "../port.ts";

interface Finding {
  readonly check: string;
  readonly result: string;
  readonly detail: string;
}

const MAIL_FROM = "Example <accounts@localhost>";
/** A server that sends no mail: it is no developer's, and has no mail server. */
const MAILLESS = { AUTH_URL: "https://accounts.example.com" };

describe("mails and links at the terminal", () => {
  let folder: string;
  let environment: Record<string, string>;
  let store: Store;
  let mailServer: MailServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "content-api-"));
    environment = { DATABASE_URL: `sqlite:${join(folder, "content.db")}` };
    await runJson(["migrate"], environment);
    store = await openStore(environment.DATABASE_URL as string);
    mailServer = await openMailServer({ allowInsecureAuth: true });
  });
  after(async () => {
    await mailServer.close();
    await store.close();
    await rm(folder, { recursive: true });
  });

  const run = (command: string, more: Record<string, string> = {}) =>
    runCommand(command.split(" "), { ...environment, ...more });

  const tokenIn = (text: string) => store.accountTokens.find(hashToken(/\?token=([\w-]{43})/.exec(text)?.[1] ?? ""));

  /** Lines that a person reads fit a terminal. */
  function assertNarrow(stdout: string): void {
    for (const line of stdout.split("\n")) assert.ok(line.length <= 80, line);
  }

  describe("invitations", () => {
    test("U18 by mail where this server sends any, with one sentence, and no link", async () => {
      const { code, stdout, stderr } = await run("user invite --email bob@example.com --role editor");
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^id +[0-9a-f-]{36}\nemail +bob@example\.com\nrole +editor\nexpiresAt +\S+Z\n$/);
      assert.match(stderr, /^bob@example\.com is invited as editor, and the mail is on its way\. .*\/mailbox\.\n$/);
      const [mail] = await store.mails.list({ limit: 1 });
      assert.deepEqual([mail?.kind, mail?.address, mail?.state], ["invitation", "bob@example.com", "PENDING"]);
      const [invitation] = await store.invitations.list(undefined, 1);
      assert.deepEqual([invitation?.role, invitation?.invitedBy], ["editor", null]);
      const smtp = { SMTP_URL: "smtp://127.0.0.1:25", MAIL_FROM };
      assert.match(
        (await run("user invite --email smtp@example.com", smtp)).stderr,
        /on its way\. The server sends it\.\n$/,
      );
    });

    test("U18 U51 without mail, or with --link, the link once", async () => {
      for (const [email, option, more] of [
        ["carol@example.com", "", MAILLESS],
        ["dora@example.com", " --link", {}],
      ] as const) {
        const { code, stdout, stderr } = await run(`user invite --email ${email}${option}`, more);
        assert.equal(code, 0, stderr);
        assert.match(stderr, new RegExp(`^Give this link to ${email}\\. It is shown this once only`));
        const token = await tokenIn(stdout);
        assert.deepEqual([token?.purpose, token?.email, token?.provesEmail], ["invitation", email, false]);
        assert.ok(!(await store.mails.list({ limit: 100 })).some(({ address }) => address === email));
      }
    });

    test("listed, sent again, withdrawn; what cannot be is said in one line", async () => {
      const invite = ["user", "invite", "--email", "ed@example.com"];
      const made = await runJson<{ id: string; link: string | null }>(invite, environment);
      assert.equal(made.link, null);
      const { stdout } = await run("user invitations");
      assert.match(stdout, new RegExp(`^id +email +role +state\\n${made.id} +ed@example\\.com +member +open\\n`));
      assertNarrow(stdout);
      const again = await run(`user resend ${made.id} --link`);
      assert.equal((await tokenIn(again.stdout))?.invitationId, made.id);
      const withdrawn = await run(`user withdraw ${made.id}`);
      assert.deepEqual(
        [withdrawn.code, withdrawn.stdout, withdrawn.stderr],
        [0, "", "The invitation of ed@example.com is withdrawn. Its links have ended.\n"],
      );
      assert.notEqual((await tokenIn(again.stdout))?.voidedAtSeconds, null);
      const [listed] = await runJson<{ state: string }[]>(["user", "invitations", "--limit", "1"], environment);
      assert.equal(listed?.state, "withdrawn");
      for (const [command, code, message] of [
        [`user resend ${made.id}`, 1, /^This invitation was withdrawn\.\n$/],
        ["user resend nothing", 1, /^There is no invitation with this id\.\n$/],
        ["user withdraw nothing", 1, /^There is no invitation with this id\.\n$/],
        ["user invite --email bob@example.com", 1, /^There is an open invitation for this e-mail address\.\n$/],
        ["user invite --email bob", 2, /^email must look like/],
        ["user invite --email x@example.com --role king", 2, /king[\s\S]*Usage: .*user invite[\s\S]*Help: /],
        ["user invite", 2, /--email[\s\S]*Usage: /],
      ] as const) {
        const refused = await run(command);
        assert.deepEqual([refused.code, refused.stdout], [code, ""], command);
        assert.match(refused.stderr, message);
      }
    });
  });

  test("U70 U71 recovery by mail, or by a link where there is none; signing out ends everything", async () => {
    const create = ["user", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "admin"];
    const { id } = await runJson<{ id: string }>(create, environment);
    const mailed = await run("user recover ada@example.com");
    assert.deepEqual([mailed.code, mailed.stdout], [0, ""]);
    assert.match(mailed.stderr, /^A mail with a link to set a new password is on its way to ada@example\.com\./);
    for (const [command, more] of [
      ["user recover ada@example.com", MAILLESS],
      ["user recover ada@example.com --link", {}],
      ["user recover ada@example.com --link --json", {}],
    ] as const) {
      const { code, stdout } = await run(command, more);
      assert.equal(code, 0, command);
      const token = await tokenIn(stdout);
      assert.deepEqual([token?.purpose, token?.userId, token?.provesEmail], ["recovery", id, false]);
      assert.equal((token?.expiresAtSeconds ?? 0) - (token?.createdAtSeconds ?? 0), 86_400);
      if (!command.includes("--json")) assert.match(stdout, /^https?:\/\/\S+\n$/);
    }
    const local = await run("user local ada@example.com on");
    assert.match(local.stderr, /^ada@example\.com can sign in here with a password or a passkey/);
    assert.equal((await store.users.find(id as Id))?.localSignIn, true);
    assert.equal((await run("user local ada@example.com off")).code, 0);
    assert.equal((await store.users.find(id as Id))?.localSignIn, false);
    const told = (await store.mails.list({ userId: id as Id, limit: 2 })).map(({ kind, params }) => [
      kind,
      params.state,
    ]);
    assert.deepEqual(told, [
      ["local-sign-in", "off"],
      ["local-sign-in", "on"],
    ]);
    const { stderr } = await run("user sign-out ada@example.com");
    assert.equal(stderr, "ada@example.com is signed out everywhere: all sessions and tokens have ended.\n");
    assert.equal((await run("user sign-out nobody@example.com")).code, 1);
    const kinds = (await store.audit.list({ userId: id, limit: 7 })).map(({ event }) => event);
    assert.deepEqual(kinds, ["session", "person", "person", "recovery", "recovery", "recovery", "recovery"]);
    // P21
    for (const text of [
      JSON.stringify(await store.audit.list({ limit: 1_000 })),
      (await run("mail list --json")).stdout,
    ])
      assert.doesNotMatch(text, /token=|[\w-]{43}/);
  });

  describe("mails", () => {
    test("U55 listed without their text, by state; a failed one is sent again", async () => {
      const address = "fay@example.com";
      const id = await store.mails.add({
        ...{ kind: "recovery", userId: null, address, language: "en", params: { browser: "a secret" } },
        expiresAt: new Date(Date.now() + 60_000).toISOString(),
      });
      const refused = await run(`mail retry ${id}`);
      assert.deepEqual([refused.code, refused.stdout], [1, ""]);
      const [now, until] = [new Date().toISOString(), new Date(Date.now() + 60_000).toISOString()];
      for (const mail of await store.mails.claim({ now, until, limit: 100 }))
        if (mail.id === id) await store.mails.settle(id, mail.claim, { state: "FAILED", error: "550 5.1.1" }, now);
      const { stdout } = await run("mail list --state FAILED");
      assert.match(stdout, new RegExp(`^id .*\\n${id}  recovery  \\S+ +FAILED +550 5\\.1\\.1\\n$`));
      assertNarrow(stdout);
      assertNarrow((await run("mail list")).stdout);
      const [found] = await runJson<object[]>(["mail", "list", "--state", "FAILED"], environment);
      assert.doesNotMatch(JSON.stringify(found), /a secret|params/);
      assert.deepEqual(
        [(await run(`mail retry ${id}`)).stderr, (await store.mails.find(id))?.state],
        [`Mail ${id} is sent again within a second while the server runs.\n`, "PENDING"],
      );
      assert.match((await run("mail list --state SENT")).stderr, /^There are no such mails\./);
      const wrong = await run("mail list --state sent");
      assert.equal(wrong.code, 2);
      assert.equal(wrong.stderr.trimEnd().split("\n").length, 3);
    });

    test("U55 the test says each step and sends a mail; it stops at the first that fails", async () => {
      const login = `smtp://ada:s3cret%20pass@127.0.0.1:${mailServer.port}`;
      const good = await run("mail test grace@example.com", { SMTP_URL: login, MAIL_FROM });
      assert.equal(good.code, 0, good.stderr);
      assert.match(
        good.stdout,
        /^connect {3}good {3}connected to .*\ngreeting {2}good {3}.*\nTLS {7}good {3}.*\nlogin {5}good {3}logged in as ada\n$/,
      );
      assert.equal(
        good.stderr,
        "The mail server took a test mail to grace@example.com. Look there, and in the spam folder too.\n",
      );
      const received = mailServer.mails.at(-1);
      assert.deepEqual([received?.to, received?.email.subject], [["grace@example.com"], "Test mail"]);
      const wrong = await run("mail test grace@example.com", {
        SMTP_URL: `smtp://ada@127.0.0.1:${mailServer.port}`,
        SMTP_PASSWORD: "not the password",
        MAIL_FROM,
      });
      assert.deepEqual([wrong.code, wrong.stderr], [1, "No mail was sent: login failed.\n"]);
      assert.match(wrong.stdout, /login {5}wrong {2}.*535/);
      assert.doesNotMatch(wrong.stdout, /not the password/);
      const nobody = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM };
      const down = await run("mail test grace@example.com", nobody);
      assert.deepEqual([down.code, down.stdout.split(" ")[0]], [1, "connect"]);
      assert.match(down.stdout, /ECONNREFUSED/);
    });

    test("U55 without a mail server it says what is missing", async () => {
      const missing = await run("mail test grace@example.com");
      assert.deepEqual([missing.code, missing.stdout], [2, ""]);
      assert.match(missing.stderr, /^SMTP_URL is not set.*\/mailbox instead\. Set SMTP_URL=.*MAIL_FROM/);
      const { stderr } = await run("mail test grace@example.com", MAILLESS);
      assert.doesNotMatch(stderr, /mailbox/);
      const sender = await run("mail test grace@example.com", { SMTP_URL: "smtp://127.0.0.1" });
      assert.deepEqual([sender.code, /MAIL_FROM/.test(sender.stderr)], [2, true]);
      assert.match((await run("mail test nobody")).stderr, /^address must look like/);
    });

    test("U55 doctor connects and logs in, and tells of mails that wait or failed", async () => {
      const doctor = async (more: Record<string, string>) => {
        const { stdout } = await run("doctor --json", more);
        return new Map(
          (JSON.parse(stdout) as Finding[]).map(({ check, result, detail }) => [check, `${result}: ${detail}`]),
        );
      };
      const smtp = { SMTP_URL: `smtp://ada:s3cret%20pass@127.0.0.1:${mailServer.port}`, MAIL_FROM };
      const before = mailServer.mails.length;
      const good = await doctor(smtp);
      assert.match(good.get("mail") ?? "", /^good: connected to .*, logged in as ada$/);
      assert.equal(good.has("mail sender"), false, "localhost has no records");
      assert.match(good.get("mail outbox") ?? "", /^good: \d+ mails? waits?, none for long$/);
      assert.equal(mailServer.mails.length, before, "nothing is sent");
      const wrong = await doctor({ ...smtp, SMTP_URL: `smtp://ada:no@127.0.0.1:${mailServer.port}` });
      assert.match(wrong.get("mail") ?? "", /^wrong: login failed: .*535/);
      assert.match((await doctor({})).get("mail") ?? "", /^good: SMTP_URL is not set: mails are shown at .*\/mailbox/);
      const none = await doctor(MAILLESS);
      assert.match(none.get("mail") ?? "", /^warning: SMTP_URL is not set: nobody can sign up/);
      assert.equal(none.has("mail outbox"), false);
      // The name of the sender's domain that there is not, or a machine without name servers.
      const sender = (await doctor({ ...smtp, MAIL_FROM: "a@nothing.invalid" })).get("mail sender");
      assert.match(sender ?? "", /^warning: nothing\.invalid has no MX record|^unchecked: .* do not answer/);

      const [now, until] = [new Date().toISOString(), new Date(Date.now() + 1).toISOString()];
      const expiresAt = new Date(Date.now() + 60_000).toISOString();
      const mail = {
        kind: "test",
        userId: null,
        address: "h@example.com",
        language: "en",
        params: {},
        expiresAt,
      } as const;
      const id = await store.mails.add(mail);
      const late = new Date(Date.now() + 120_000).toISOString();
      for (const each of await store.mails.claim({ now: late, until, limit: 100 }))
        await store.mails.settle(
          each.id,
          each.claim,
          each.id === id ? { state: "FAILED", error: "550" } : { state: "SENT" },
          now,
        );
      assert.match(
        (await doctor(smtp)).get("mail outbox") ?? "",
        /^warning: mails failed this week: .* mail list --state FAILED$/,
      );
      const old = await openStore(environment.DATABASE_URL as string, { now: () => Date.now() - 20 * 60_000 });
      await old.mails.add(mail);
      await old.close();
      assert.match(
        (await doctor(smtp)).get("mail outbox") ?? "",
        /^warning: 1 mail waits, the oldest for 20 minutes: .* mail list --state PENDING$/,
      );
    });
  });
});
