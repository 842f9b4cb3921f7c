import assert from "node:assert/strict";
import type { JWTPayload } from "jose";
import type { Upstream } from "../../src/authorization-server/upstreams/upstream.ts";
import type { User } from "../../src/domain/people/user.ts";
import { anUpstream } from "../authorization-server/upstreams/party.ts";
import { openStandIn, type StandIn } from "../authorization-server/upstreams/stand-in.ts";
import { openTestServer, SPA_CALLBACK, type TestServer, type TestServerOptions } from "./authorization-server.ts";
import { authorizationRequest, type Browser, type Stop, unescapeHtml } from "./client.ts";
import { openAccount } from "./people.ts";

/** A server of ours with the stand-in as its upstream "ACME". */
export interface Federation extends TestServer {
  readonly acme: StandIn;
}

/** @param entry changes of the entry in UPSTREAMS @param more other entries */
export async function openFederation(
  entry: Partial<Upstream> = {},
  { more = () => [], ...options }: TestServerOptions & { more?: (issuer: string) => Upstream[] } = {},
): Promise<Federation> {
  const acme = await openStandIn();
  const upstreams = [anUpstream(acme.issuer, entry), ...more(acme.issuer)];
  const server = await openTestServer({ ...options, privateHosts: ["localhost"], upstreams });
  return Object.assign(Object.create(server) as TestServer, {
    acme,
    async close() {
      await server.close();
      await acme.close();
    },
  });
}

/** Has the stand-in answer for this person, until the next call. */
export function playing({ acme }: Federation, change: JWTPayload = {}): void {
  acme.idToken = (claims) => acme.sign({ ...claims, ...change });
}

/** The address of the upstream that a page leads to. */
export function wayOut(page: Stop): string {
  const refresh = page.response.headers.get("refresh") ?? assert.fail(`no way out: ${page.text.slice(-1_500)}`);
  const url = refresh.replace(/^0;url=/, "");
  const link = /<a class="button primary full" href="([^"]*)"/.exec(page.text)?.[1] ?? "";
  assert.equal(unescapeHtml(link), url, "the link leads there too");
  return url;
}

/** The address of the callback, after the person has agreed at the upstream. */
export function wayBack({ acme, issuer }: Federation, page: Stop, id = "acme"): URL {
  return new URL(`${issuer}/upstream/${id}/callback?${acme.authorize(wayOut(page))}`);
}

/** Presses "Continue with ACME" on a sign-in page, and comes back. */
export async function continueWith(
  server: Federation,
  browser: Browser,
  page: Stop,
  {
    provider = "acme",
    form = "/upstream/start",
    values = {},
  }: { provider?: string; form?: string; values?: Record<string, string> } = {},
): Promise<Stop> {
  const out = await browser.submit(page, form, { provider, ...values });
  return browser.follow(wayBack(server, out, provider));
}

/** The sign-in page at a client's request. */
export function atClient({ issuer }: TestServer, browser: Browser, params: Record<string, string> = {}): Promise<Stop> {
  const { url } = authorizationRequest({ issuer, clientId: "spa", redirectUri: SPA_CALLBACK, params });
  return browser.follow(url);
}

/** Links the identity to the person, as if it had been linked a while ago. */
export async function linked(server: TestServer, user: User, subject: string, provider = "acme"): Promise<void> {
  const present = (await server.store.users.find(user.id)) ?? assert.fail("no such person");
  const identity = { provider, subject, userId: user.id, emailAtLink: null, linkedAt: "2026-01-01T00:00:00.000Z" };
  assert.ok(await server.store.upstreamIdentities.link(identity, present.credentialVersion));
}

let subjects = 0;

/** A subject that nobody has. */
export function freeSubject(): string {
  return `Subject-${++subjects}`;
}

/** Begins a sign-in at each place where people sign in. */
export const PLACES: Readonly<Record<string, (server: TestServer, browser: Browser) => Promise<Stop>>> = {
  "the account page": (server, browser) => openAccount(server, browser),
  "a client's request": atClient,
};
