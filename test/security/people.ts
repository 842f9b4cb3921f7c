import { createUser, type User } from "../../src/domain/people/user.ts";
import { quickHash } from "../quick-hash.ts";
import { PASSWORD, type TestServer } from "./authorization-server.ts";
import { Browser, type Stop } from "./client.ts";

export const NEW_PASSWORD = "eleven slow otters at noon";

/** Seconds after which the default of STEP_UP_AGE has passed. */
export const STALE = 15 * 60 + 60;

let people = 0;

/** A new person, so that no test sees what another did. */
export async function somebody(server: TestServer, change: Partial<User> = {}): Promise<User> {
  people++;
  return createUser(server.store.users, {
    ...{ name: "Grace", email: `grace-${people}@example.com`, role: "member", emailVerified: true },
    passwordHash: quickHash(PASSWORD),
    ...change,
  });
}

/** An address that nobody has. */
export function freeAddress(): string {
  return `new-${++people}@example.com`;
}

/** Signs in at the account page. @returns that page, or the one that refuses */
export async function signInAt(
  server: Pick<TestServer, "issuer">,
  email: string,
  password: string,
  browser = new Browser(),
): Promise<Stop> {
  return browser.submit(await openAccount(server, browser), "/account/sign-in", { email, password });
}

/** A browser in which the person has signed in at the account page. */
export async function signedIn(
  server: Pick<TestServer, "issuer">,
  { email }: Pick<User, "email">,
  browser = new Browser(),
  password = PASSWORD,
): Promise<Browser> {
  await signInAt(server, email, password, browser);
  return browser;
}

/** @param path below the account page, with its slash */
export function openAccount(server: Pick<TestServer, "issuer">, browser: Browser, path = ""): Promise<Stop> {
  return browser.follow(`${server.issuer}/account${path}`);
}

export async function isSignedIn(server: TestServer, browser: Browser): Promise<boolean> {
  return (await openAccount(server, browser)).text.includes("<h1>Your account</h1>");
}
