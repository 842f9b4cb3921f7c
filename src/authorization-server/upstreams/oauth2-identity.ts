import { emailOf, nameOf } from "./openid-identity.ts";
import { UpstreamRefusal } from "./refusal.ts";
import type { Identity, Upstream } from "./upstream.ts";
import type { UpstreamFetch } from "./upstream-fetch.ts";

/**
 * Asks a service in the shape of GitHub's who the token is for: a user with a number that never changes, and a list of addresses.
 *
 * @throws UpstreamRefusal, UpstreamDown
 */
export async function readOAuth2Identity(upstream: Upstream, fetch: UpstreamFetch, token: string): Promise<Identity> {
  const { user = "", emails = "" } = upstream.oauth2 ?? {};
  const ask = (url: string) =>
    fetch(url, {
      // GitHub rejects requests without a user agent.
      headers: { accept: "application/json", authorization: `Bearer ${token}`, "user-agent": "content-api" },
    });
  const found = await ask(user);
  if (found.status !== 200) throw new UpstreamRefusal(`the user endpoint answers ${found.status}`);
  const { id, name, login } = ((await found.json().catch(() => null)) ?? {}) as Readonly<Record<string, unknown>>;
  // A larger number would have lost its last digits by now, and might be somebody else's.
  if (!Number.isSafeInteger(id) || Number(id) < 1) throw new UpstreamRefusal("the user has no number");
  const list = await ask(emails);
  const email = list.status === 200 ? primaryOf(await list.json().catch(() => null)) : null;
  return {
    provider: upstream.id,
    subject: String(id),
    email,
    emailVerified: email !== null,
    name: nameOf(name) ?? nameOf(login),
    acr: null,
    amr: [],
    sid: null,
    signedInAtSeconds: null,
  };
}

/** The primary address, if it was verified. Others may be anybody's. */
function primaryOf(list: unknown): string | null {
  const entries = Array.isArray(list) ? (list as unknown[]) : [];
  for (const entry of entries) {
    const { email, primary, verified } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (primary === true && verified === true) return emailOf(email);
  }
  return null;
}
