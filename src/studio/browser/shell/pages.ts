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
