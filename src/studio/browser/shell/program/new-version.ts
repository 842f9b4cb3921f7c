import { signal } from "@preact/signals";
import { trustedWorkerUrl } from "../../frame/document/trusted-html.ts";
import type { Settings } from "../../session/settings.ts";

/** Milliseconds between two looks. */
const EVERY = 5 * 60_000;
/** Milliseconds after which the worker is installed, however busy the page is. */
const LATEST = 5_000;

/** Whether the server has another studio than the one that runs here. */
export const hasNewVersion = signal(false);

/**
 * Installs the service worker, which keeps the page and its files. It differs with each build, so a new one tells of a new
 * version. Browsers without service workers notice when a file is missing.
 */
export function watchForNewVersion({ base }: Pick<Settings, "base">): void {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  const hadOne = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (hadOne) hasNewVersion.value = true;
  });
  const register = () => void registerWorker(base);
  // It fetches all parts of the studio, so the page goes first.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(register, { timeout: LATEST });
  else setTimeout(register, LATEST);
}

async function registerWorker(base: string): Promise<void> {
  const options = { scope: `${base}/`, updateViaCache: "none" } as const;
  const registration = await navigator.serviceWorker.register(trustedWorkerUrl(base), options).catch(() => null);
  if (registration === null) return; // private windows of some browsers have none
  let lookedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - lookedAt < EVERY) return;
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  });
}
