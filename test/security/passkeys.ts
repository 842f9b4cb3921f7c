import type { Authenticator, Knobs } from "./authenticator.ts";
import type { TestServer } from "./authorization-server.ts";
import { type Browser, type Stop, unescapeHtml } from "./client.ts";
import { openAccount } from "./people.ts";

/** The options that a page gives its script for the form whose action ends as given. */
export function optionsOf(page: Stop, actionEnd: string): string {
  for (const [, action = "", inner = ""] of page.text.matchAll(
    /<form\b[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g,
  )) {
    const options = /data-options="([^"]*)"/.exec(inner)?.[1];
    if (unescapeHtml(action).endsWith(actionEnd) && options !== undefined) return unescapeHtml(options);
  }
  throw new Error(`no passkey for ${actionEnd} at ${page.url} (${page.response.status})`);
}

/** Adds a passkey on the page for them, which a person has open who signed in a short time ago. */
export async function addPasskey(
  server: Pick<TestServer, "issuer">,
  browser: Browser,
  device: Authenticator,
  knobs?: Knobs,
): Promise<Stop> {
  const page = await openAccount(server, browser, "/passkeys");
  const answer = device.create(optionsOf(page, "/account/passkeys"), knobs);
  return browser.submit(page, "/account/passkeys", { answer });
}

/** Uses a passkey on a page that asks for one. */
export function answerWith(
  browser: Browser,
  page: Stop,
  device: Authenticator,
  { actionEnd = "/passkey", knobs }: { readonly actionEnd?: string; readonly knobs?: Knobs } = {},
): Promise<Stop> {
  return browser.submit(page, actionEnd, { answer: device.get(optionsOf(page, actionEnd), knobs) });
}
