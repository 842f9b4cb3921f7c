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
  readonly load: (() => Promise<ComponentType<PageProps>>) | null;
}

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
  {
    path: /^\/people$/,
    door: "administration",
    load: async () => (await loadPart("people/people-page", () => import("../people/people-page.tsx"))).PeoplePage,
  },
  {
    path: /^\/people\/new$/,
    door: "administration",
    load: async () =>
      (await loadPart("people/new-person-page", () => import("../people/new-person-page.tsx"))).NewPersonPage,
  },
  {
    path: /^\/people\/([^/]+)$/,
    door: "administration",
    load: async () =>
      (await loadPart("people/person/person-page", () => import("../people/person/person-page.tsx"))).PersonPage,
  },
  {
    path: /^\/agents$/,
    door: "administration",
    load: async () =>
      (await loadPart("operation/agents/agents-page", () => import("../operation/agents/agents-page.tsx"))).AgentsPage,
  },
  {
    path: /^\/health$/,
    door: "administration",
    load: async () =>
      (await loadPart("operation/health/health-page", () => import("../operation/health/health-page.tsx"))).HealthPage,
  },
  {
    path: /^\/mails$/,
    door: "administration",
    load: async () =>
      (await loadPart("operation/mails/mails-page", () => import("../operation/mails/mails-page.tsx"))).MailsPage,
  },
  {
    path: /^\/settings$/,
    door: "administration",
    load: async () =>
      (await loadPart("operation/settings/settings-page", () => import("../operation/settings/settings-page.tsx")))
        .SettingsPage,
  },
  {
    path: /^\/webhooks$/,
    door: "administration",
    load: async () =>
      (await loadPart("webhooks/webhooks-page", () => import("../webhooks/webhooks-page.tsx"))).WebhooksPage,
  },
  {
    path: /^\/webhooks\/new$/,
    door: "administration",
    load: async () =>
      (await loadPart("webhooks/new-webhook-page", () => import("../webhooks/new-webhook-page.tsx"))).NewWebhookPage,
  },
  {
    path: /^\/webhooks\/([^/]+)$/,
    door: "administration",
    load: async () =>
      (await loadPart("webhooks/webhook-page", () => import("../webhooks/webhook-page.tsx"))).WebhookPage,
  },
  {
    path: /^\/webhooks\/([^/]+)\/test$/,
    door: "administration",
    load: async () => (await loadPart("webhooks/test-page", () => import("../webhooks/test-page.tsx"))).TestPage,
  },
  {
    path: /^\/webhooks\/([^/]+)\/settings$/,
    door: "administration",
    load: async () =>
      (await loadPart("webhooks/settings-page", () => import("../webhooks/settings-page.tsx"))).SettingsPage,
  },
  {
    path: /^\/webhooks\/([^/]+\/deliveries\/[^/]+)$/,
    door: "administration",
    load: async () =>
      (await loadPart("webhooks/deliveries/delivery-page", () => import("../webhooks/deliveries/delivery-page.tsx")))
        .DeliveryPage,
  },
  {
    path: /^\/audit$/,
    door: "administration",
    load: async () => (await loadPart("audit/audit-page", () => import("../audit/audit-page.tsx"))).AuditPage,
  },
  {
    path: /^\/clients$/,
    door: "administration",
    load: async () => (await loadPart("clients/clients-page", () => import("../clients/clients-page.tsx"))).ClientsPage,
  },
  {
    path: /^\/clients\/new$/,
    door: "administration",
    load: async () =>
      (await loadPart("clients/new-client-page", () => import("../clients/new-client-page.tsx"))).NewClientPage,
  },
  {
    path: /^\/clients\/([^/]+)$/,
    door: "administration",
    load: async () => (await loadPart("clients/client-page", () => import("../clients/client-page.tsx"))).ClientPage,
  },
  {
    path: /^\/developers$/,
    door: "developers",
    load: async () =>
      (await loadPart("developers/clients-page", () => import("../developers/clients-page.tsx"))).ClientsPage,
  },
  {
    path: /^\/developers\/new$/,
    door: "developers",
    load: async () =>
      (await loadPart("developers/wizard/wizard-page", () => import("../developers/wizard/wizard-page.tsx")))
        .WizardPage,
  },
  {
    path: /^\/developers\/([^/]+)$/,
    door: "developers",
    load: async () =>
      (await loadPart("developers/client-page", () => import("../developers/client-page.tsx"))).ClientPage,
  },
  {
    path: /^\/developers\/([^/]+)\/try$/,
    door: "developers",
    load: async () =>
      (await loadPart("developers/trial/trial-page", () => import("../developers/trial/trial-page.tsx"))).TrialPage,
  },
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
