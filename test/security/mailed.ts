import assert from "node:assert/strict";
import { createUser, type User } from "../../src/domain/people/user.ts";
import type { Letter } from "../../src/mail/letter.ts";
import { hashPassword } from "../../src/secrets/passwords.ts";
import { linkIn, PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, type Stop } from "./client.ts";

export const NEW_PASSWORD = "eleven slow otters at noon";

let people = 0;

/** Somebody new, so that no test sees what another did. */
export async function somebody(server: TestServer, change: Partial<User> = {}): Promise<User> {
  people++;
  return createUser(server.store.users, {
    ...{ name: "Grace", email: `grace-${people}@example.com`, role: "member", emailVerified: true },
    passwordHash: await hashPassword(PASSWORD),
    ...change,
  });
}

/** An address that nobody has. */
export function freeAddress(): string {
  return `new-${++people}@example.com`;
}

/** All browsers of a test share one network, which may ask for a few mails only. */
export async function forgetNetwork(server: TestServer): Promise<void> {
  await server.store.attempts.clear("mails from 127.0.0.1");
}

/** Asks for a mail. @returns the page that says so */
export async function askFor(
  server: TestServer,
  path: "/sign-up" | "/recover",
  email: string,
  browser = new Browser(),
): Promise<Stop> {
  await forgetNetwork(server);
  return browser.submit(await browser.follow(`${server.issuer}${path}`), path, { email });
}

/** Asks for a mail, and gets its letter. */
export async function letterFor(
  server: TestServer,
  path: "/sign-up" | "/recover",
  email: string,
  browser = new Browser(),
): Promise<Letter> {
  await server.letters(); // notices of what was done before
  await askFor(server, path, email, browser);
  // Of sign-ins in other tests, notices may come at any time.
  const letters = (await server.letters()).filter(({ subject }) => subject !== "New sign-in to your account");
  assert.equal(letters.length, 1, "one letter");
  return letters[0] as Letter;
}

/** The letter to this address among those that wait: notices of sign-ins in other tests may come at any time. */
export async function letterTo(server: TestServer, email: string): Promise<Letter | undefined> {
  return (await server.letters()).find(({ to }) => to === email);
}

export async function linkFor(
  server: TestServer,
  path: "/sign-up" | "/recover",
  email: string,
  browser = new Browser(),
): Promise<string> {
  return linkIn(await letterFor(server, path, email, browser));
}

export function codeIn(letter: Letter): string {
  for (const part of letter.parts) if ("code" in part) return part.code;
  throw new Error("this letter has no code");
}

/** Signs up in this browser, by the link. */
export async function signUp(
  server: TestServer,
  email: string,
  browser = new Browser(),
  values: Record<string, string> = {},
): Promise<Stop> {
  const page = await browser.follow(await linkFor(server, "/sign-up", email, browser));
  return browser.submit(page, "/sign-up/finish", { name: "Grace", password: NEW_PASSWORD, ...values });
}

/** The account page of somebody who signs in there, or the page that refuses. */
export async function signInAt(
  server: TestServer,
  email: string,
  password: string,
  browser = new Browser(),
): Promise<Stop> {
  return browser.submit(await browser.follow(`${server.issuer}/account`), "/account/sign-in", { email, password });
}

/** A form as it stands on a page, to be sent by anybody. */
export function postOf(page: Stop, actionEnd: string, values: Record<string, string> = {}): [URL, RequestInit] {
  const { action, hidden } = formOf(page, actionEnd);
  return [action, { method: "POST", body: new URLSearchParams({ ...hidden, ...values }) }];
}

/** The answer without what differs from one request to the next: sealed fields, proofs, cookies' values, dates. */
export async function comparable(response: Response, email: string): Promise<unknown> {
  const headers = [...response.headers].filter(([name]) => !["date", "x-request-id", "keep-alive"].includes(name));
  const hide = (text: string) =>
    text
      .replaceAll(email, "EMAIL")
      .replaceAll(/(?<=name="(?:csrf|about|ticket)" value=")[^"]*/g, (value) => `${value.length} letters`)
      .replaceAll(/(?<=about=)[\w-]+/g, (value) => `${value.length} letters`)
      .replaceAll(/(?<=content-api-account=)[\w-]+/g, "COOKIE");
  return {
    status: response.status,
    headers: headers.map(([name, value]) => `${name}: ${hide(value)}`),
    text: hide(await response.text()),
  };
}
