/**
 * Runs the program, and answers each message of its parent: "weigh" with the bytes that it needs after a collection of
 * garbage, "work" with the microseconds of processor time that it has had.
 */
process.on("message", (question) => {
  if (question === "work") {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
    return;
  }
  // Twice: the first one frees what finalizers held.
  globalThis.gc?.();
  setImmediate(() => {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    process.send?.(heapUsed + external);
  });
});
process.channel?.unref();
const { run } = await import("../../src/main.ts");
await run(process.argv.slice(2));
