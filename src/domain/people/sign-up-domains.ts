import { emailKey } from "./email.ts";

/**
 * Whether people with this address may sign up, by its domain in ASCII.
 *
 * @param domains `example.com` is that domain alone, `.example.com` every one below it; empty allows any
 */
export function isSignUpDomain(email: string, domains: readonly string[]): boolean {
  const key = emailKey(email);
  const domain = key.slice(key.lastIndexOf("@") + 1);
  return domains.length === 0 || domains.some((one) => (one.startsWith(".") ? domain.endsWith(one) : domain === one));
}

/** The domains for people: "example.com, example.org and every domain below example.net". */
export function nameDomains(domains: readonly string[]): string {
  const names = domains.map((one) => (one.startsWith(".") ? `every domain below ${one.slice(1)}` : one));
  return new Intl.ListFormat("en-GB", { type: "conjunction" }).format(names);
}
