import assert from "node:assert/strict";
import type { Letter } from "../../src/mail/letter.ts";
import { linkIn, type TestServer } from "./authorization-server.ts";
import { Browser, formOf, type Stop } from "./client.ts";
import { NEW_PASSWORD } from "./people.ts";

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

/** The letters to this address among those that wait: notices of sign-ins in other tests may come at any time. */
export async function lettersTo(server: TestServer, email: string): Promise<Letter[]> {
  return (await server.letters()).filter(({ to }) => to === email);
}

/** The first of `lettersTo`. */
export async function letterTo(server: TestServer, email: string): Promise<Letter | undefined> {
  return (await lettersTo(server, email))[0];
}

export async function linkFor(
  server: TestServer,
  path: "/sign-up" | "/recover",
  email: string,
  browser = new Browser(),
): Promise<string> {
  return linkIn(await letterFor(server, path, email, browser));
}

export function codeIn(letter: Letter | undefined): string {
  for (const part of letter?.parts ?? []) if ("code" in part) return part.code;
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
