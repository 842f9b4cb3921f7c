import { signal } from "@preact/signals";

/** Whether the server lacks a file of this page, because it has another version of the studio. */
export const isPartGone = signal(false);

/** Downloads of files: those that are under way, and those that are done. */
const files = new Map<string, Promise<void>>();

/**
 * Imports a part of the program that is not there from the start. Browsers remember an `import()` that failed, and never ask
 * for its files again. So the files are downloaded first, and the import takes them from the browser's cache. A download that
 * failed is tried again when the part is next asked for.
 *
 * @param name path of the imported file below `src/studio/browser`, without its ending, as the build lists it
 * @throws Error when a file cannot be loaded
 */
export async function loadPart<Part>(name: string, load: () => Promise<Part>): Promise<Part> {
  await Promise.all(filesOf(name).map(fetchOnce));
  return load();
}

/** URL paths of the part's files; empty where the page names none, as in tests. */
function filesOf(name: string): readonly string[] {
  const { base = "", parts = "{}" } = globalThis.document?.documentElement.dataset ?? {};
  const names = (JSON.parse(parts) as Record<string, readonly string[]>)[name] ?? [];
  return names.map((file) => `${base}/assets/${file}`);
}

function fetchOnce(path: string): Promise<void> {
  const known = files.get(path) ?? fetchFile(path);
  files.set(path, known);
  known.catch(() => files.delete(path));
  return known;
}

async function fetchFile(path: string): Promise<void> {
  if (await isKept(path)) return;
  const answer = await fetch(path);
  if (answer.status === 404) isPartGone.value = true;
  if (!answer.ok) throw new Error(`The server answered ${answer.status} for ${path}.`);
  await answer.arrayBuffer(); // the cache has it when all of it is here
}

/** Whether the service worker answers for the file. */
async function isKept(path: string): Promise<boolean> {
  if (navigator.serviceWorker?.controller == null) return false;
  return (await caches.match(path).catch(() => undefined)) !== undefined;
}
