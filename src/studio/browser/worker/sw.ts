/// <reference lib="webworker" />
/* The service worker of the studio. It keeps the page and its files, and never an answer of the API or an access token. */
import { sendForm } from "./refresh.ts";

declare const self: ServiceWorkerGlobalScope;
/** Names of all files of this version, those that the page needs first before the others; the build writes them here. */
declare const FILES: readonly string[];

const CACHE = "studio-files";
const SCOPE = new URL(self.registration.scope);
const SHELL = SCOPE.href;
const ASSETS = new URL("assets/", SCOPE).href;
/** Files of the page without a hash in their names. */
const PLAIN_FILES = ["appearance.js", "icon.svg"].map((name) => SHELL + name);
/** Longer than this, a page that is open does not go without its files. */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1_000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      await cache.addAll(PLAIN_FILES);
      // One after the other: the page that is open comes first.
      for (const name of FILES) await keepFile(cache, ASSETS + name);
      const page = await fetchPage(cache);
      if (!page.ok) throw new Error("The page could not be fetched."); // installed at another time
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), removeOldFiles()]));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const type = request.headers.get("content-type") ?? "";
  if (request.method === "POST" && type.startsWith("application/x-www-form-urlencoded")) sendForm(event);
  if (request.method !== "GET" || !request.url.startsWith(SCOPE.href)) return;
  if (request.mode === "navigate") event.respondWith(answerPage(event));
  else if (request.url.startsWith(ASSETS) || PLAIN_FILES.includes(request.url)) event.respondWith(answerFile(request));
});

/** Every address is the same page. The stored one is shown immediately; a new one is fetched for the next visit. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(SHELL);
  const fresh = fetchPage(cache);
  if (kept === undefined) return fresh;
  event.waitUntil(fresh.catch(() => undefined));
  return kept;
}

/** A file that another version has too is there already. */
async function keepFile(cache: Cache, url: string): Promise<void> {
  if ((await cache.match(url)) === undefined) await cache.add(new Request(url, { priority: "low" }));
}

/**
 * Fetches the page, and keeps it where it is one whose files are kept: it works without a network. The kept one preloads nothing: browsers do not use for a script what a page
 * with a worker has preloaded, and would ask for each file twice.
 */
async function fetchPage(cache: Cache): Promise<Response> {
  const answer = await fetch(SHELL, { cache: "no-cache" });
  if (answer.status === 404) await leave(); // the operator has turned the studio off
  if (!answer.ok || answer.redirected) return answer;
  const text = await answer.clone().text();
  for (const [, name] of text.matchAll(/"[^"]*\/assets\/([\w.-]+)"/g))
    if ((await cache.match(`${ASSETS}${name}`)) === undefined) return answer; // of a version that is not installed yet
  const html = text.replaceAll(/<link rel="modulepreload"[^>]*>\n?/g, "");
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name); // of the bytes that came
  await cache.put(SHELL, new Response(html, { headers }));
  return answer;
}

/** A file never changes under its name. */
async function answerFile(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

async function leave(): Promise<void> {
  await caches.delete(CACHE);
  await self.registration.unregister();
}

async function removeOldFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  const now = Date.now();
  for (const request of await cache.keys()) {
    const kept = await cache.match(request);
    const age = now - Date.parse(kept?.headers.get("date") ?? "");
    const isOwn = FILES.some((name) => request.url === ASSETS + name);
    if (request.url !== SHELL && !PLAIN_FILES.includes(request.url) && !isOwn && !(age < KEPT_FOR))
      await cache.delete(request);
  }
}
