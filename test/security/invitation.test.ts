import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openMailedSecrets } from "../../src/authorization-server/letters/mailed-secrets.ts";
import type { Administration } from "../../src/domain/administration.ts";
import type { NewAuditEvent } from "../../src/domain/audit.ts";
import { inviteAccount, withdrawInvitation } from "../../src/domain/people/invitation-administration.ts";
import {
  changeRole,
  disablePerson,
  enablePerson,
  sendRecovery,
} from "../../src/domain/people/people-administration.ts";
import type { PeopleMail } from "../../src/domain/people/people-mail.ts";
import type { User } from "../../src/domain/people/user.ts";
import type { Store } from "../../src/domain/store/store.ts";
import type { Role } from "../../src/domain/viewer.ts";
import { openTestPeopleMail } from "../people-mail.ts";
import { later, linkIn, listUntil, openTestServer, type TestServer } from "./authorization-server.ts";
import { Browser, formOf } from "./client.ts";
import { lettersTo, letterTo, postOf } from "./mailed.ts";
import { freeAddress, NEW_PASSWORD, signInAt, somebody } from "./people.ts";

const TYPED = { name: "Grace", password: NEW_PASSWORD };
const WEEK = 7 * 86_400;

let server: TestServer;
before(async () => {
  server = await openTestServer({});
});
after(() => server.close());

/** What an administrator works with. */
function administrationOf(
  on: TestServer,
  { id: actorId }: Pick<User, "id">,
  sendsMail = true,
): Administration<Store> & { readonly mail: PeopleMail } {
  const mail = openTestPeopleMail(on.store, on.issuer, { sendsMail, secret: on.secret });
  return { store: on.store, actorId, now: () => Date.now(), mail, record: async (_event: NewAuditEvent) => {} };
}

/** Invites somebody by mail. */
async function invite({ role = "editor", by = server.ada }: { role?: Role; by?: User } = {}) {
  const email = freeAddress();
  const { invitation } = await inviteAccount(administrationOf(server, by), { email, role });
  const [letter, ...others] = await lettersTo(server, email);
  assert.ok(letter !== undefined && others.length === 0, "one letter");
  return { email, invitation, letter, link: linkIn(letter) };
}

describe("the mail", () => {
  test("U18 U52 P19 it says who of whom invites, and for how long; a name like an address links nowhere", async () => {
    const { email, letter, link, invitation } = await invite();
    assert.deepEqual([letter.to, letter.subject], [email, "Your invitation to Example"]);
    const text = JSON.stringify(letter.parts);
    assert.match(text, /Ada of Example invites you to create an account/);
    assert.match(text, /\["Good until","\d+ \w+ \d{4}, \d\d:\d\d UTC"\]/);
    assert.ok(link.startsWith(`${server.issuer}/invitation?token=`));
    const token = await openMailedSecrets(server.store.accountTokens, server.secret, Date.now).read(
      new URL(link).searchParams.get("token") ?? "",
      ["invitation"],
    );
    const until = Math.floor(Date.parse(invitation.expiresAt) / 1_000);
    assert.ok(Math.abs((token.token?.expiresAtSeconds ?? 0) - until) <= 2, "as long as the invitation");

    const hostile = await somebody(server, { role: "admin", name: "https://evil.example/<img src=x>\u202e" });
    const parts = JSON.stringify((await invite({ by: hostile })).letter.parts);
    assert.doesNotMatch(parts, /https:\/\/evil|evil\.example|\u202e/);
  });

  test("U18 nothing is sent for one that was withdrawn or accepted before its turn, or to whom has an account by now", async () => {
    const administration = administrationOf(server, server.ada);
    const emails = [freeAddress(), freeAddress(), freeAddress()];
    const [withdrawn, , sent] = await Promise.all(
      emails.map(async (email) => (await inviteAccount(administration, { email, role: "member" })).invitation),
    );
    await withdrawInvitation(administration, withdrawn?.id ?? null);
    await somebody(server, { email: emails[1] as string });
    const recipients = (await server.letters()).map(({ to }) => to);
    assert.deepEqual(
      recipients.filter((to) => emails.includes(to)),
      [sent?.email],
    );
  });
});

describe("the page", () => {
  test("U18 the address stands fixed, and the account has the role of the row, a proved address and a session", async () => {
    const { email, link, invitation } = await invite();
    const browser = new Browser();
    const page = await browser.follow(link);
    assert.match(page.text, /<bdi>Ada<\/bdi> invites you to <bdi>Example<\/bdi>/);
    assert.match(page.text, new RegExp(`autocomplete="username" readonly value="${email}"`));
    assert.match(page.text, /This link is good until <time/);
    const account = await browser.submit(page, "/invitation", TYPED);
    assert.equal(account.url.pathname, "/account");
    assert.match(account.text, /<h1>Your account<\/h1>/);
    const person = await server.store.users.findByEmail(email);
    assert.deepEqual([person?.name, person?.role, person?.emailVerified], ["Grace", "editor", true]);
    assert.notEqual((await server.store.invitations.find(invitation.id))?.acceptedAt, null);
    const [event] = await server.store.audit.list({ userId: person?.id ?? "", limit: 10 });
    assert.deepEqual([event?.event, event?.result, event?.detail], ["invitation", "ok", "account created"]);
    assert.match((await signInAt(server, email, NEW_PASSWORD)).text, /<h1>Your account<\/h1>/);
  });

  test("U18 U51 without mail the administrator's link does the same, but proves no address", async () => {
    const mailless = await openTestServer({ sendsMail: false });
    try {
      const administration = administrationOf(mailless, mailless.ada, false);
      const email = freeAddress();
      const { link } = await inviteAccount(administration, { email, role: "member" });
      const browser = new Browser();
      const account = await browser.submit(await browser.follow(link ?? ""), "/invitation", TYPED);
      assert.match(account.text, /<h1>Your account<\/h1>/);
      const person = await mailless.store.users.findByEmail(email);
      assert.deepEqual([person?.role, person?.emailVerified], ["member", false]);

      // U71: so does a link to a new password, which leaves the address as it was.
      const recovery = await sendRecovery(administration, person?.id ?? null);
      const other = new Browser();
      const done = await other.submit(await other.follow(recovery.link ?? ""), "/recover/finish", {
        password: "twelve other otters at noon",
      });
      assert.match(done.text, /Your password is changed/);
      assert.equal((await mailless.store.users.findByEmail(email))?.emailVerified, false);
      assert.match((await signInAt(mailless, email, "twelve other otters at noon")).text, /<h1>Your account<\/h1>/);
    } finally {
      await mailless.close();
    }
  });

  test("P20 a role, an id or another address in the form changes nothing", async () => {
    for (const role of ["admin", " owner", "ADMIN"]) {
      const { email, link } = await invite({ role: "member" });
      const browser = new Browser();
      const page = await browser.follow(link);
      const more = { role, id: "1", email: freeAddress(), emailVerified: "1", invitationId: "1" };
      await browser.submit(page, "/invitation", { ...TYPED, ...more });
      const person = await server.store.users.findByEmail(email);
      assert.equal(person?.role, "member", role);
      assert.equal(await server.store.users.findByEmail(more.email), null);
    }
  });

  test("U14 every rule of the form is told at once, and the link is good afterwards", async () => {
    const { link } = await invite();
    const browser = new Browser();
    const refused = await browser.submit(await browser.follow(link), "/invitation", { name: "", password: "short" });
    assert.equal(refused.response.status, 400);
    for (const words of [/Your name must not be empty/, /at least 15 characters/, /invites you to/])
      assert.match(refused.text, words);
    assert.doesNotMatch(refused.text, /value="short"/);
    const account = await browser.submit(refused, "/invitation", TYPED);
    assert.match(account.text, /<h1>Your account<\/h1>/);
  });

  test("U02 P01 whoever opens it and presses its button as it stands spends nothing", async () => {
    const { email, link } = await invite();
    for (let i = 0; i < 3; i++) {
      const scanner = new Browser();
      const page = await scanner.follow(link);
      assert.equal((await scanner.submit(page, "/invitation")).response.status, 400);
      assert.equal((await scanner.fetch(link, { method: "HEAD" })).status, 200);
      assert.equal(scanner.cookie("content-api-session"), undefined);
    }
    assert.equal(await server.store.users.findByEmail(email), null);
    const browser = new Browser();
    const account = await browser.submit(await browser.follow(link), "/invitation", TYPED);
    assert.match(account.text, /<h1>Your account<\/h1>/);
  });

  test("P08 U75 of fifty forms at the same time on two nodes one makes the account", async () => {
    const { email, link } = await invite();
    const node = await server.openNode();
    const browser = new Browser();
    const page = await browser.follow(link);
    const [action, init] = postOf(page, "/invitation", TYPED);
    const urls = [action, new URL(`${node.url}/invitation`)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const response = await browser.fetch(urls[i % 2] as URL, init);
        return [response.status, response.headers.get("location")] as const;
      }),
    );
    const count = (wanted: number) => answers.filter(([status]) => status === wanted).length;
    assert.equal(count(303), 1);
    assert.equal(count(303) + count(410) + count(503), 50, JSON.stringify(answers));
    assert.notEqual(await server.store.users.findByEmail(email), null);
  });

  test("P21 P44 the token is in no page, no address that follows, no log and no audit; nothing in a request leads elsewhere", async () => {
    const { link } = await invite();
    const token = new URL(link).searchParams.get("token") ?? "";
    assert.equal(token.length, 43);
    const browser = new Browser();
    const page = await browser.follow(`${link}&next=https://evil.example&redirect=//evil.example&return_to=/%5Cevil`, {
      headers: { "x-forwarded-host": "evil.example", forwarded: "host=evil.example" },
    });
    assert.equal(page.response.headers.get("referrer-policy"), "no-referrer");
    assert.match(page.response.headers.get("cache-control") ?? "", /no-store/);
    assert.ok(!page.text.includes(token));
    assert.doesNotMatch(page.text, /evil/);
    assert.equal(formOf(page, "/invitation").action.href, `${server.issuer}/invitation`);
    const done = await browser.fetch(...postOf(page, "/invitation", { ...TYPED, next: "https://evil.example" }));
    assert.deepEqual([done.status, done.headers.get("location")], [303, "/account"]);
    await browser.follow(link); // which was used
    await listUntil(server.store.audit, { event: "invitation" }, (events) =>
      events.some(({ detail }) => detail === "link: used"),
    );
    assert.ok(!(await server.readAll()).includes(token));
    assert.ok(!server.lines.join("\n").includes(token));
  });

  test("A12 P29 a form is good in the browser that got it, and for its link alone", async () => {
    const [one, two] = [await invite(), await invite()];
    const [owner, stranger] = [new Browser(), new Browser()];
    const page = await owner.follow(one.link);
    await stranger.follow(two.link);
    const foreign = await stranger.fetch(...postOf(page, "/invitation", TYPED));
    assert.equal(foreign.status, 400);
    assert.match(await foreign.text(), /This page is out of date/);
    const { ticket = "" } = formOf(await owner.follow(two.link), "/invitation").hidden;
    const mixed = await owner.fetch(...postOf(page, "/invitation", { ...TYPED, ticket }));
    assert.equal(mixed.status, 400);
    assert.equal(await server.store.users.findByEmail(one.email), null);
    assert.equal(await server.store.users.findByEmail(two.email), null);
  });
});

describe("links that are not good", () => {
  async function open(link: string) {
    const { response, text } = await new Browser().follow(link);
    return [response.status, /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1], text] as const;
  }

  test("P20 U19 a page that was open before the withdrawal, or before the end of its inviter, makes no account", async () => {
    const WITHDRAWN = [410, "This invitation was withdrawn"] as const;
    const inviter = await somebody(server, { role: "admin" });
    const administration = administrationOf(server, server.ada);
    const ends: ((invitationId: Parameters<typeof withdrawInvitation>[1]) => Promise<unknown>)[] = [
      (id) => withdrawInvitation(administration, id),
      () => disablePerson(administration, inviter.id),
      () => changeRole(administration, inviter.id, "editor"),
      // As when the invitation was made while that ended, and so was not withdrawn.
      () => server.store.users.update(inviter.id, { role: "member" }),
    ];
    for (const end of ends) {
      await server.store.users.update(inviter.id, { role: "admin" });
      await enablePerson(administration, inviter.id);
      const { email, link, invitation } = await invite({ by: inviter, role: "admin" });
      const browser = new Browser();
      const page = await browser.follow(link);
      assert.equal(page.response.status, 200);
      await end(invitation.id);
      const late = await browser.submit(page, "/invitation", TYPED);
      assert.equal(late.response.status, 410);
      assert.match(late.text, /This invitation was withdrawn/);
      assert.match(late.text, /Ask the person who invited you for a new one\./);
      assert.deepEqual((await open(link)).slice(0, 2), WITHDRAWN);
      assert.equal(await server.store.users.findByEmail(email), null);
    }
  });

  test("U15 P20 after seven days it has run out, and says whom to ask", async () => {
    const { email, link } = await invite();
    const browser = new Browser();
    const page = await browser.follow(link);
    await later(WEEK + 60, async () => {
      const [status, title, text] = await open(link);
      assert.deepEqual([status, title], [410, "This link ran out"]);
      assert.match(text, /Ask the person who invited you for a new one\./);
      assert.doesNotMatch(text, /Send a new one/);
      assert.equal((await browser.submit(page, "/invitation", TYPED)).response.status, 410);
    });
    assert.equal(await server.store.users.findByEmail(email), null);
  });

  test("U15 U16 a used link, and another link of the same invitation, lead to the sign-in", async () => {
    const { link, email, invitation } = await invite();
    await server.store.mails.add({
      ...{ kind: "invitation", userId: null, address: email, language: "en", params: { invitationId: invitation.id } },
      expiresAt: invitation.expiresAt,
    });
    const second = linkIn(await letterTo(server, email));
    const browser = new Browser();
    const page = await browser.follow(link);
    assert.equal((await open(second))[0], 200, "the first stays good, and so does the second");
    await browser.submit(page, "/invitation", TYPED);
    for (const [each, title] of [
      [link, "This link was used"],
      [second, "Another link was used"],
    ] as const) {
      const [status, shown, text] = await open(each);
      assert.deepEqual([status, shown], [410, title]);
      assert.match(text, /href="\/account">Sign in</);
    }
  });

  test("P07 a link to an invitation opens nothing elsewhere, and no other link opens an invitation", async () => {
    const { link } = await invite();
    const token = new URL(link).searchParams.get("token");
    assert.equal((await open(`${server.issuer}/recover/finish?token=${token}`))[0], 404);
    const person = await somebody(server);
    const secrets = openMailedSecrets(server.store.accountTokens, server.secret, Date.now);
    for (const purpose of ["sign-up", "recovery", "email-change", "email-undo"] as const) {
      const about = { purpose, email: person.email, userId: person.id, credentialVersion: 0 };
      const { secret } = await secrets.issue(about);
      const [status, title] = await open(`${server.issuer}/invitation?token=${secret}`);
      assert.deepEqual([status, title], [404, "This link is not complete"], purpose);
    }
    for (const broken of ["", "?token=", `?token=${token?.slice(1)}`, `?token=${token}&token=${token}`])
      assert.equal((await open(`${server.issuer}/invitation${broken}`))[0], 404, broken);
  });

  test("an account that came about meanwhile is said to whoever has the link; nothing is spent", async () => {
    const { email, link } = await invite();
    const browser = new Browser();
    const page = await browser.follow(link);
    await somebody(server, { email: email.toUpperCase() });
    const taken = await browser.submit(page, "/invitation", TYPED);
    assert.equal(taken.response.status, 409);
    assert.match(taken.text, /You have an account already/);
    assert.equal(browser.cookie("content-api-session"), undefined);
  });
});
