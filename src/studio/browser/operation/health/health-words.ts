import type { Health, HealthCheck } from "./health-watch.ts";

/** The name of a check as a title: `BASE_URL` stays as it is. */
export function checkTitle(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

export const STATE_WORDS: Readonly<Record<HealthCheck["state"], string>> = {
  FAILING: "Failing",
  WARNING: "Warning",
  OK: "In order",
};

/** Pages that show more of what a check looks at. */
const PAGES: Readonly<Record<string, { readonly path: string; readonly words: string }>> = {
  "scheduled posts": { path: "/posts?state=scheduled", words: "Scheduled posts" },
  events: { path: "/webhooks", words: "Webhooks" },
  webhooks: { path: "/webhooks", words: "Webhooks" },
  "mail outbox": { path: "/mails?state=FAILED", words: "Mails that failed" },
  keys: { path: "/settings", words: "Signing keys" },
  BASE_URL: { path: "/settings?find=BASE_URL", words: "The setting" },
  AUTH_URL: { path: "/settings?find=AUTH_URL", words: "The setting" },
};

export function pageOf({ name }: Pick<HealthCheck, "name">): { readonly path: string; readonly words: string } | null {
  return Object.hasOwn(PAGES, name) ? (PAGES[name] ?? null) : null;
}

/** The whole in one sentence. */
export function summaryOf({ checks }: Pick<Health, "checks">): string {
  const count = (wanted: HealthCheck["state"]) => checks.filter(({ state }) => state === wanted).length;
  const [failing, warnings] = [count("FAILING"), count("WARNING")];
  const parts = [
    ...(failing > 0 ? [failing === 1 ? "1 check fails" : `${failing} checks fail`] : []),
    ...(warnings > 0 ? [warnings === 1 ? "1 check warns" : `${warnings} checks warn`] : []),
  ];
  return parts.length === 0 ? "Everything is in order." : `${parts.join(" and ")}.`;
}
