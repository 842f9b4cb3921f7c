import type { ComponentType } from "preact";
import { loadPart } from "../frame/document/parts.ts";
import type { PageProps } from "../page-props.ts";
import type { DoorName } from "./program/doors.ts";

export interface PageEntry {
  /** Matches the whole path below `/studio`; its first group is the id. */
  readonly path: RegExp;
  /** Whether the page stands alone, without the navigation. */
  readonly isBare?: true;
  /** Set for pages that need a second token. Their `studio.api` has it. */
  readonly door?: DoorName;
  /** null: the page is there from the start. */
  readonly load: LoadPage | null;
}

type LoadPage = () => Promise<ComponentType<PageProps>>;

/** @param part see `loadPart` */
const behind =
  (door: DoorName) =>
  (path: RegExp, part: string, load: LoadPage): PageEntry => ({ path, door, load: () => loadPart(part, load) });
const administration = behind("administration");
const developers = behind("developers");

/** Pages by URL path. The first match counts. */
const PAGES: readonly PageEntry[] = [
  { path: /^\/(?:posts\/?)?$/, load: null },
  // One entry, because a new post gets its address while it is written.
  {
    path: /^\/posts\/(?:new|([^/]+))$/,
    isBare: true,
    load: async () => (await loadPart("editor/page", () => import("../editor/page.tsx"))).default,
  },
  {
    path: /^\/posts\/([^/]+)\/history$/,
    load: async () =>
      (await loadPart("publishing/history/history-page", () => import("../publishing/history/history-page.tsx")))
        .HistoryPage,
  },
  {
    path: /^\/device$/,
    load: async () => (await loadPart("saving/device-page", () => import("../saving/device-page.tsx"))).DevicePage,
  },
  administration(
    /^\/people$/,
    "people/people-page",
    async () => (await import("../people/people-page.tsx")).PeoplePage,
  ),
  administration(
    /^\/people\/new$/,
    "people/new-person-page",
    async () => (await import("../people/new-person-page.tsx")).NewPersonPage,
  ),
  administration(
    /^\/people\/([^/]+)$/,
    "people/person/person-page",
    async () => (await import("../people/person/person-page.tsx")).PersonPage,
  ),
  administration(
    /^\/agents$/,
    "operation/agents/agents-page",
    async () => (await import("../operation/agents/agents-page.tsx")).AgentsPage,
  ),
  administration(
    /^\/health$/,
    "operation/health/health-page",
    async () => (await import("../operation/health/health-page.tsx")).HealthPage,
  ),
  administration(
    /^\/mails$/,
    "operation/mails/mails-page",
    async () => (await import("../operation/mails/mails-page.tsx")).MailsPage,
  ),
  administration(
    /^\/settings$/,
    "operation/settings/settings-page",
    async () => (await import("../operation/settings/settings-page.tsx")).SettingsPage,
  ),
  administration(
    /^\/webhooks$/,
    "webhooks/webhooks-page",
    async () => (await import("../webhooks/webhooks-page.tsx")).WebhooksPage,
  ),
  administration(
    /^\/webhooks\/new$/,
    "webhooks/new-webhook-page",
    async () => (await import("../webhooks/new-webhook-page.tsx")).NewWebhookPage,
  ),
  administration(
    /^\/webhooks\/([^/]+)$/,
    "webhooks/webhook-page",
    async () => (await import("../webhooks/webhook-page.tsx")).WebhookPage,
  ),
  administration(
    /^\/webhooks\/([^/]+)\/test$/,
    "webhooks/test-page",
    async () => (await import("../webhooks/test-page.tsx")).TestPage,
  ),
  administration(
    /^\/webhooks\/([^/]+)\/settings$/,
    "webhooks/settings-page",
    async () => (await import("../webhooks/settings-page.tsx")).SettingsPage,
  ),
  administration(
    /^\/webhooks\/([^/]+\/deliveries\/[^/]+)$/,
    "webhooks/deliveries/delivery-page",
    async () => (await import("../webhooks/deliveries/delivery-page.tsx")).DeliveryPage,
  ),
  administration(/^\/audit$/, "audit/audit-page", async () => (await import("../audit/audit-page.tsx")).AuditPage),
  administration(
    /^\/clients$/,
    "clients/clients-page",
    async () => (await import("../clients/clients-page.tsx")).ClientsPage,
  ),
  administration(
    /^\/clients\/new$/,
    "clients/new-client-page",
    async () => (await import("../clients/new-client-page.tsx")).NewClientPage,
  ),
  administration(
    /^\/clients\/([^/]+)$/,
    "clients/client-page",
    async () => (await import("../clients/client-page.tsx")).ClientPage,
  ),
  developers(
    /^\/developers$/,
    "developers/clients-page",
    async () => (await import("../developers/clients-page.tsx")).ClientsPage,
  ),
  developers(
    /^\/developers\/new$/,
    "developers/wizard/wizard-page",
    async () => (await import("../developers/wizard/wizard-page.tsx")).WizardPage,
  ),
  developers(
    /^\/developers\/([^/]+)$/,
    "developers/client-page",
    async () => (await import("../developers/client-page.tsx")).ClientPage,
  ),
  developers(
    /^\/developers\/([^/]+)\/try$/,
    "developers/trial/trial-page",
    async () => (await import("../developers/trial/trial-page.tsx")).TrialPage,
  ),
];

/** Fetches the editor while nothing else happens, so that it opens immediately. */
export function prefetchEditor(): void {
  const fetchIt = () => void PAGES[1]?.load?.().catch(() => undefined);
  if ("requestIdleCallback" in globalThis) requestIdleCallback(fetchIt, { timeout: 5_000 });
  else setTimeout(fetchIt, 2_000);
}

export interface FoundPage {
  readonly entry: PageEntry;
  readonly id: string | null;
}

/** @returns the page and the id in its path; null where there is no page */
export function findPage(path: string): FoundPage | null {
  for (const entry of PAGES) {
    const match = entry.path.exec(path);
    if (match !== null) return { entry, id: match[1] ?? null };
  }
  return null;
}
