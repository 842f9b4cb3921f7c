// Runs the built program in this process. For bin/content-api and for the package's own start (bin/package.cjs).
import module from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

export { startAgainAsServer } from "./server-flags.js";

/** npm passes SIGTERM on to a shell that does not pass it on to us: when that shell is gone, so is whoever started us. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.kill(process.pid, "SIGTERM"), 250).unref();
}

/** Milliseconds after which what the start needed is done. */
const AFTER_START = 3_000;

export async function run(main, args) {
  // Keeps compiled code beside the build, with which it goes: halves the start. What was used until it is first written is
  // kept, so a server and a short command have theirs apart. Where nothing can be written, nothing is kept.
  const command = args[0] === "serve" ? "serve" : "others";
  if (main.endsWith(".js")) module.enableCompileCache(join(dirname(main), "compiled", command));
  const require = module.createRequire(import.meta.url); // see bin/setup.js
  const { setFlagsFromString } = require("node:v8");
  // Old objects are collected when there are half as many again as the last time, and not up to four times as many.
  if (command === "serve") setFlagsFromString("--heap-growing-percent=50");
  // Young objects get their room at once when it grows, and not by doubling: requests leave little else behind, and a
  // server under load spends 8 % less processor time on them (measured). Not for the start, which would fill that room and
  // keep it: an idle server would take 12 MB more. The most that they may get is in server-flags.js.
  setTimeout(() => setFlagsFromString("--semi-space-growth-factor=16"), AFTER_START).unref();
  const program = await import(pathToFileURL(main).href);
  await program.run(args);
  setTimeout(() => module.flushCompileCache(), AFTER_START).unref(); // a server may be killed before it ends by itself
}
