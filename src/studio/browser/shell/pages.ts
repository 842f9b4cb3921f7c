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
