import { parentPort } from "node:worker_threads";
import { renderMarkdown } from "./html.ts";

// One text in, one rendering out: see markdown.ts.
parentPort?.on("message", (markdown: string) => parentPort?.postMessage(renderMarkdown(markdown)));
