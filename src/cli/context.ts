import { type Config, readConfig } from "../config.ts";
import type { Store } from "../domain/store.ts";

/** Runs a task with the configured store, which is closed afterwards. */
export async function withStore<T>(task: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(process.env);
  const { openStore } = await import("../storage/open.ts");
  const store = await openStore(config.DATABASE_URL);
  try {
    return await task(store, config);
  } finally {
    await store.close();
  }
}
