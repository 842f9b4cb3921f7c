import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { openStore } from "../../src/storage/open.ts";
import { runJson } from "../command.ts";
import { type MailServer, openMailServer } from "../mail/mail-server.ts";
import { freePort } from "../port.ts";
import { openPostgres } from "../postgres.ts";
import { Browser } from "../security/client.ts";
import { type Installation, install } from "./installation.ts";

/** Milliseconds: the claim of a killed process lasts for 60 seconds; the rest is for a slow machine. */
const PATIENCE = 180_000;
const EMAIL = "grace@example.com";

const postgres = await openPostgres();

describe("the program is killed while it sends mails", { concurrency: true }, () => {
  test("P54 SQLite: killed before the answer to DATA, it sends the mail once more after its start, and each link works", (t) =>
    killWhileSending(t, 1));

  test("P54 PostgreSQL: killed before the answer to DATA, the other node sends the mail once more, and each link works", async (t) =>
    killWhileSending(t, 2, await postgres.createDatabase()));

  test("P54 U75 PostgreSQL: two nodes that claim at the same time send each mail once", async (t) => {
    // Slow enough that no node sends them all.
    const server = await openMails(t, () => pause(50));
    const url = await postgres.createDatabase();
    const installation = await install(t, { url }, settingsFor(server));
    for (const MAIL_FROM of ["one@example.com", "two@example.com"])
      await installation.start({ MAIL_FROM, PORT: String(await freePort()) });
    const store = await openStore(url);
    t.after(() => store.close());
    const expiresAt = new Date(Date.now() + PATIENCE).toISOString();
    const about = { kind: "sign-up", userId: null, language: "en", params: {}, expiresAt } as const;
    const addresses = Array.from({ length: 60 }, (_, i) => `p${i}@example.com`);
    await Promise.all(addresses.map((address) => store.mails.add({ ...about, address })));
    await until(async () => (await store.mails.list({ state: "SENT", limit: 100 })).length === addresses.length);
    assert.deepEqual(server.mails.flatMap(({ to }) => to).sort(), addresses.toSorted());
    assert.deepEqual([...new Set(server.mails.map(({ from }) => from))].sort(), ["one@example.com", "two@example.com"]);
  });
});

/** @param url of an empty PostgreSQL database; SQLite without */
async function killWhileSending(t: TestContext, nodes: 1 | 2, url?: string): Promise<void> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const server = await openMails(t, () => (server.mails.length === 1 ? isOver : undefined));
  t.after(() => end());
  const place = url === undefined ? {} : { url };
  const installation = await install(t, place, settingsFor(server));
  // Links lead to the node that stays.
  const AUTH_URL = installation.url;
  const port = nodes === 1 ? installation.environment.PORT : String(await freePort());
  const dying = await installation.start({ AUTH_URL, PORT: String(port) });
  const browser = new Browser();
  await browser.submit(await browser.follow(`${dying.baseUrl}/sign-up`), "/sign-up", { email: EMAIL });
  await until(async () => server.mails.length === 1);
  if (nodes === 2) await installation.start({ AUTH_URL });
  assert.equal(await dying.stop("SIGKILL"), null);
  if (nodes === 1) await installation.start({ AUTH_URL });

  await until(async () => server.mails.length === 2);
  await until(async () => (await stateOf(installation)) === "SENT");
  const links = server.mails.map(({ email }) => /https?:\S+\?token=[\w-]{43}/.exec(email.text ?? "")?.[0] ?? "");
  assert.equal(new Set(links).size, 2, "each has a secret of its own");
  assert.deepEqual(new Set(server.mails.flatMap(({ to }) => to)), new Set([EMAIL]));
  const pages = [];
  for (const link of links) pages.push({ link, page: await browser.follow(link) });
  for (const { page } of pages) assert.equal(page.response.status, 200);
  // The first of them, which no process remembers to have sent.
  const [first, second] = pages;
  assert.ok(first !== undefined && second !== undefined);
  const values = { name: "Grace", password: "eleven slow otters at noon" };
  const answers = await Promise.all([
    browser.submit(first.page, "/sign-up/finish", values),
    browser.submit(second.page, "/sign-up/finish", values),
  ]);
  assert.deepEqual(answers.map(({ response }) => response.status).sort(), [200, 410]);
  const people = await runJson<{ email: string }[]>(["user", "list"], installation.environment);
  assert.equal(people.filter(({ email }) => email === EMAIL).length, 1);
}

async function openMails(t: TestContext, hold: Parameters<typeof openMailServer>[1]): Promise<MailServer> {
  const server = await openMailServer({ disabledCommands: ["STARTTLS"] }, hold);
  t.after(() => server.close());
  return server;
}

function settingsFor({ port }: MailServer): Record<string, string> {
  return { SIGN_UP: "open", SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "accounts@example.com" };
}

async function stateOf({ environment }: Installation): Promise<string | undefined> {
  return (await runJson<{ state: string }[]>(["mail", "list"], environment))[0]?.state;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + PATIENCE; !(await isSo()); await pause(100))
    assert.ok(Date.now() < deadline, "it has not happened");
}
