import type { Log } from "../observe/log.ts";

/** Milliseconds that items under way have to end when the program ends. */
const LAST_WAIT = 2_000;

export interface WorkerOptions<Item> {
  /** Claims items that are due, and begins them. @returns whether more may wait */
  readonly run: () => Promise<boolean>;
  /** Works on one item and keeps the outcome. */
  readonly perform: (item: Item) => Promise<void>;
  /** Breaks off items that are still under way when the program ends, so that `perform` settles. */
  readonly breakOff: () => void;
  /** Milliseconds between two looks, and while something waits or is under way. */
  readonly every: { readonly idle: number; readonly busy: number };
  /** Names an item in the log. */
  readonly factsOf: (item: Item) => object;
  /** Consequences for the log: of a failed look, logged once until a look works again, and of an outcome that is lost. */
  readonly words: { readonly failing: string; readonly lost: string };
  readonly log: Pick<Log, "warn">;
}

export interface Worker<Item> {
  /** Looks for items that are due now. One look runs at a time, and a call during it causes one more. Resolves when they have begun. */
  look(): Promise<void>;
  begin(item: Item): void;
  /** Items of this process that are not done. */
  underWay(): readonly Item[];
  /** Whether the program ends. */
  isClosed(): boolean;
  /** Resolves when no item is under way. */
  idle(): Promise<void>;
  /** Gives items under way two seconds to end, then breaks them off. */
  close(): Promise<void>;
}

/**
 * Works on rows that the database claims for one process at a time. A process that is killed loses its claims when their time is
 * over, and another tries again. The first look is the caller's.
 */
export function openWorker<Item>({
  run,
  perform,
  breakOff,
  every,
  factsOf,
  words,
  log,
}: WorkerOptions<Item>): Worker<Item> {
  const underWay = new Map<Promise<void>, Item>();
  let isClosed = false;
  let isFailing = false;
  let isAskedAgain = false;
  let looking: Promise<void> | null = null;
  let closing: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  function look(): Promise<void> {
    if (isClosed) return Promise.resolve();
    isAskedAgain = true;
    looking ??= lookUntilDone().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookUntilDone(): Promise<void> {
    clearTimeout(timer);
    let isBusy = false;
    try {
      while (isAskedAgain && !isClosed) {
        isAskedAgain = false;
        isBusy = (await run()) || underWay.size > 0;
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, words.failing);
      isFailing = true;
    }
    if (!isClosed) timer = setTimeout(look, isBusy ? every.busy : every.idle).unref();
  }

  function begin(item: Item): void {
    const done = perform(item)
      .catch((error: unknown) => {
        if (!isClosed) log.warn({ err: error, ...factsOf(item) }, words.lost);
      })
      .finally(() => {
        underWay.delete(done);
        void look(); // there may be more
      });
    underWay.set(done, item);
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay.keys());
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    await looking;
    const late = setTimeout(breakOff, LAST_WAIT);
    await idle();
    clearTimeout(late);
  }

  return {
    look,
    begin,
    underWay: () => [...underWay.values()],
    isClosed: () => isClosed,
    idle,
    close: () => (closing ??= close()),
  };
}
