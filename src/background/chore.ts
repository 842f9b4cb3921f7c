import type { Log } from "../observe/log.ts";

export interface Chore {
  /** Milliseconds. */
  readonly every: number;
  /** Whether it is done now as well; otherwise it waits for the first time too. */
  readonly isDueNow?: boolean;
  /** Rows that one step takes at most. Without it, one step is the whole chore. */
  readonly atOnce?: number;
  /** Does a part. @returns how many rows it found */
  readonly step: (limit: number) => Promise<number>;
  /** The consequence of a failure. It is logged once, until the chore works again. */
  readonly failing: string;
  readonly log: Log;
}

/** Does a chore again and again, step by step until nothing is left. @returns ends it */
export function openChore({
  every,
  isDueNow = false,
  atOnce = Number.POSITIVE_INFINITY,
  step,
  failing,
  log,
}: Chore): () => Promise<void> {
  let isOver = false;
  let isFailing = false;
  let running: Promise<void> | null = null;
  const timer = setInterval(begin, every).unref();
  if (isDueNow) begin();

  function begin(): void {
    running ??= run().finally(() => {
      running = null;
    });
  }

  async function run(): Promise<void> {
    try {
      while (!isOver && (await step(atOnce)) === atOnce);
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
