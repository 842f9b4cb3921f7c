import { Secret, TOTP } from "otpauth";
import type { TestServer } from "./authorization-server.ts";
import { type Browser, type Stop, unescapeHtml } from "./client.ts";
import { openAccount } from "./people.ts";

/** An authenticator app that has read a page of set-up. */
export interface App {
  /** Base32, without blanks. */
  readonly secret: string;
  /** @param steps of 30 seconds from now */
  digits(steps?: number): string;
}

/** Reads the link that the page has for an app on the same device. */
export function readApp(page: Stop): App {
  const uri = unescapeHtml(/href="(otpauth:[^"]+)"/.exec(page.text)?.[1] ?? "");
  if (uri === "") throw new Error(`no authenticator app at ${page.url} (${page.response.status})`);
  return openApp(new URL(uri).searchParams.get("secret") ?? "");
}

/** @param secret Base32, without blanks */
export function openApp(secret: string): App {
  const digits = (steps = 0) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000, digits: 6, period: 30 });
  return { secret, digits };
}

/** Sets up an app on its page. @returns the page that follows: for the first app that of recovery codes */
export async function setUpApp(server: TestServer, browser: Browser): Promise<{ page: Stop; app: App }> {
  const shown = await openAccount(server, browser, "/authenticator");
  const app = readApp(shown);
  return { page: await browser.submit(shown, "/account/authenticator", { digits: app.digits() }), app };
}

/** The recovery codes on their page. */
export function codesOn({ text }: Stop): string[] {
  return [...text.matchAll(/<li><code>([^<]+)<\/code><\/li>/g)].map(([, code = ""]) => code);
}

/** Sets up an app, keeps the codes, and turns the second step on. */
export async function turnOnSecondStep(
  server: TestServer,
  browser: Browser,
): Promise<{ page: Stop; app: App; codes: string[] }> {
  const { page: codesPage, app } = await setUpApp(server, browser);
  const page = await browser.submit(codesPage, "/second-step/on");
  return { page, app, codes: codesOn(codesPage) };
}
