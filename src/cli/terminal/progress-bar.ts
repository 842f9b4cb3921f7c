const WIDTH = 30;
/** Milliseconds before which nothing is shown: what is over sooner needs no bar. */
const PATIENCE = 1_000;

/** Draws how far a task is on a terminal's standard error; nothing elsewhere. @returns what to call with 0 to 1 */
export function progressBar(task: string): (share: number) => void {
  if (!process.stderr.isTTY) return () => {};
  const startedAt = performance.now();
  let drawn = false;
  return (share) => {
    if (!drawn && performance.now() - startedAt < PATIENCE) return;
    drawn = true;
    const full = Math.round(share * WIDTH);
    const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
    process.stderr.write(`\r${task} ${bar} ${Math.round(share * 100)} %${share === 1 ? "\n" : ""}`);
  };
}
