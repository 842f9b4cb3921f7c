import type { Log } from "../observe/log.ts";

/** Rows that one step looks at, so that nobody waits behind it. */
export const AT_ONCE = 100;

/**
 * @param step does a part, and says how much it found
 * @param failing what follows from a failure; said once, until it works again
 * @returns how to end it
 */
export function openChore(every: number, step: () => Promise<number>, failing: string, log: Log): () => Promise<void> {
  let isOver = false;
  let isFailing = false;
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= run().finally(() => {
      running = null;
    });
  }, every).unref();

  async function run(): Promise<void> {
    try {
      while (!isOver && (await step()) === AT_ONCE);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, `${failing} for now`);
      isFailing = true;
    }
  }
  return async () => {
    isOver = true;
    clearInterval(timer);
    await running;
  };
}
