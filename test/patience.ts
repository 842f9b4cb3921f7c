/**
 * Imported first by each process of test/run.ts. A file that waits for what never comes would hold up all of them without a
 * word, because their results are printed in order.
 */
const MINUTES = 20;

setTimeout(() => {
  console.error(
    `Not done after ${MINUTES} minutes: ${process.argv[1]}. What is left:`,
    process.getActiveResourcesInfo(),
  );
  process.exit(1);
}, MINUTES * 60_000).unref();
