/** The clock and the page, as far as this file asks. */
interface SeenPorts {
  isSeen(): boolean;
  /** @returns how to end it */
  onSeen(listener: () => void): () => void;
  /** Calls once after milliseconds. @returns how to end it */
  later(run: () => void, time: number): () => void;
}

/**
 * Does work again and again while somebody looks at the page, and immediately when the page comes back to sight. Never twice at a
 * time.
 *
 * @param time milliseconds from the end of one to the next
 * @returns how to end it
 */
export function repeatWhileSeen(
  work: () => Promise<unknown>,
  time: () => number,
  ports: SeenPorts = BROWSER,
): () => void {
  let isRunning = false;
  let isEnded = false;
  let cancel = () => {};
  async function run(): Promise<void> {
    if (isRunning || isEnded) return;
    cancel();
    isRunning = true;
    try {
      await work();
    } finally {
      isRunning = false;
      wait();
    }
  }
  const next = () => {
    if (ports.isSeen()) void run();
  };
  function wait(): void {
    if (!isEnded) cancel = ports.later(next, time());
  }
  const forget = ports.onSeen(next);
  wait();
  return () => {
    isEnded = true;
    cancel();
    forget();
  };
}

const BROWSER: SeenPorts = {
  isSeen: () => document.visibilityState === "visible",
  onSeen(listener) {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
  later(run, time) {
    const timer = setTimeout(run, time);
    return () => clearTimeout(timer);
  },
};
