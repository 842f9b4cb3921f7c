/** Runs the program, and answers each message of its parent with the bytes that it needs after a collection of garbage. */
process.on("message", () => {
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
