import type { Store } from "../domain/store/store.ts";

/** Milliseconds that the database may take. */
const PATIENCE = 2_000;

/** `degraded`: the node works, but slower, or only for reads. Such a check takes no node out of service. */
interface ReadinessCheck {
  readonly name: "store" | "migrations" | "keys" | "listen";
  readonly state: "ok" | "degraded" | "failing";
  /** One sentence. */
  readonly reason: string;
  /** For the log alone. */
  readonly error?: unknown;
}

/** Whether this process can do its work (O40). Callers at the same time share one examination. */
export interface Readiness {
  checks(): Promise<readonly ReadinessCheck[]>;
}

export interface ReadinessOptions {
  readonly store: Pick<Store, "check" | "facts" | "hears" | "readsAlone">;
  /** Whether the signing keys that this process has are known to be all there are. */
  readonly areKeysFresh: () => boolean;
}

export function openReadiness({ store, areKeysFresh }: ReadinessOptions): Readiness {
  let running: Promise<readonly ReadinessCheck[]> | null = null;

  async function examine(): Promise<readonly ReadinessCheck[]> {
    const [stored, migrations] = await Promise.all([checkStore(store), checkMigrations(store)]);
    const found = [stored, migrations, checkKeys(areKeysFresh()), ...checkListen(store.hears())];
    return stored.state === "failing" && store.readsAlone() ? found.map(readsOn) : found;
  }

  return {
    checks() {
      running ??= examine().finally(() => {
        running = null;
      });
      return running;
    },
  };
}

/** Without the database, a node that reads from a replica stays in service for these reads (READ_STALENESS). */
function readsOn(check: ReadinessCheck): ReadinessCheck {
  if (check.state !== "failing") return check;
  return { ...check, state: "degraded", reason: `${check.reason} Content is read from the replica.` };
}

async function checkStore(store: ReadinessOptions["store"]): Promise<ReadinessCheck> {
  const name = "store";
  try {
    await inTime(store.check());
    return { name, state: "ok", reason: "The database answers." };
  } catch (error) {
    return { name, state: "failing", reason: (error as Error).message, error };
  }
}

/**
 * A newer schema is that of an upgrade under way, which this version works with. An older one never is, but for what waits until
 * no older node serves.
 */
async function checkMigrations(store: ReadinessOptions["store"]): Promise<ReadinessCheck> {
  const name = "migrations";
  try {
    const { current, known, waiting } = (await inTime(store.facts())).schema;
    if (current < known && waiting.length === 0)
      return {
        name,
        state: "failing",
        reason: `The schema has version ${current}, and this program needs version ${known}.`,
      };
    return { name, state: "ok", reason: `The schema has version ${current}.` };
  } catch (error) {
    return { name, state: "failing", reason: "The version of the schema could not be read.", error };
  }
}

function checkKeys(areFresh: boolean): ReadinessCheck {
  const name = "keys";
  if (areFresh) return { name, state: "ok", reason: "The signing keys are known." };
  return { name, state: "failing", reason: "The signing keys were not read lately: others may have replaced them." };
}

function checkListen(hears: boolean | null): ReadinessCheck[] {
  const name = "listen";
  if (hears === null) return [];
  if (hears) return [{ name, state: "ok", reason: "Changes of other nodes are heard immediately." }];
  return [{ name, state: "degraded", reason: "LISTEN is not connected: changes of other nodes take half a second." }];
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${PATIENCE / 1_000} s.`)), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
