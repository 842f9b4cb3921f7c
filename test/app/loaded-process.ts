import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** Runs the program from its sources, and tells its parent of every file of it that is loaded. */
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) process.send?.(fileURLToPath(url));
    return next(url, context);
  },
});
process.channel?.unref();
const { run } = await import("../../src/main.ts");
await run(process.argv.slice(2));
