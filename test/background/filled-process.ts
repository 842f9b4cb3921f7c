import { collectGarbage } from "../../src/background/rest.ts";

/** Fills the heap, lets go of it, and prints the megabytes that the process has before and after a collection. */
const megabytes = () => Math.round(process.memoryUsage.rss() / 1_048_576);

const fill = () => Array.from({ length: 500_000 }, (_, number) => ({ number, text: `text ${number}` }));
let kept: readonly { text: string }[] | null = fill();
const memory = { last: kept.at(-1)?.text, filled: megabytes() };
kept = null;
collectGarbage();
console.log(JSON.stringify({ ...memory, rested: megabytes() }));
