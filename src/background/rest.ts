import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds between two looks at the processor time. */
const EVERY = 5_000;
/** Share of a processor that chores alone stay below. */
const RESTING = 0.03;
/** Looks in a row that must find a process at rest. */
const LOOKS = 4;

export interface RestOptions {
  /** Gives memory back to the system. It may take a tenth of a second. */
  readonly giveBack: () => void;
  /** Microseconds of processor time that the process has had. */
  readonly processorTime?: () => number;
  readonly every?: number;
}

/**
 * Gives memory back once after work, when a process has had next to nothing to do for 20 seconds: a collection of garbage would
 * delay requests. V8 collects when objects are made, so a process at rest keeps what it had under load.
 *
 * @returns ends it
 */
export function openRest({ giveBack, processorTime = ownProcessorTime, every = EVERY }: RestOptions): () => void {
  let last = processorTime();
  let quiet = 0;
  let hasWorked = true; // the start is work too
  const timer = setInterval(() => {
    const now = processorTime();
    const isResting = now - last < RESTING * every * 1_000;
    last = now;
    quiet = isResting ? quiet + 1 : 0;
    if (!isResting) hasWorked = true;
    if (!hasWorked || quiet < LOOKS) return;
    hasWorked = false;
    giveBack();
    last = processorTime(); // its own is no work
  }, every).unref();
  return () => clearInterval(timer);
}

function ownProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Has V8 collect everything, and return free pages to the system. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc"); // for contexts that are made from now on
  const collect: NodeJS.GCFunction = runInNewContext("gc");
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
