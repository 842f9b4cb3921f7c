import type { RenderMarkdown } from "../domain/posts/rendering.ts";
import { RenderingQueue } from "./rendering-queue.ts";
import { RenderingThread } from "./rendering-thread.ts";

/** Code units up to which rendering takes so little time that nobody has to wait for it. */
const SHORT = 4_000;
/** Milliseconds that a long text may take. A megabyte of prose takes half a second, one of nothing but links ten. */
const PATIENCE = 5_000;
/** Threads: two, so that one text which takes all of its time leaves room for others. */
const THREADS = 2;

/**
 * Renders short texts immediately, and long ones in threads, fairly by owner. The libraries are loaded with the first text.
 *
 * @param options `patience`: milliseconds that a long text may take
 */
export function openMarkdown({ patience = PATIENCE } = {}): RenderMarkdown {
  const threads = Array.from({ length: THREADS }, () => new RenderingThread(patience));
  const queue = new RenderingQueue(threads, () => performance.now());
  let loading: Promise<typeof import("./html.ts")> | null = null; // asked for by itself, Node finds it anew each time
  return async (markdown, job = {}) => {
    if (markdown.length > SHORT) return queue.render(markdown, job);
    loading ??= import("./html.ts");
    const { renderMarkdown } = await loading;
    return renderMarkdown(markdown);
  };
}
