import { Worker } from "node:worker_threads";
import { badInput } from "../domain/errors.ts";
import type { RenderedMarkdown, RenderMarkdown } from "../domain/posts/rendering.ts";

/** Code units up to which rendering takes so little time that nobody has to wait for it. */
const SHORT = 4_000;
/** Milliseconds that a long text may take. A megabyte of prose takes less than half a second, one of nothing but links two to four. */
const PATIENCE = 5_000;
/** Milliseconds after which a thread that nobody needed is ended. */
const IDLE = 60_000;

/**
 * Renders long texts in a thread of their own, one after the other, short ones at once. The libraries are loaded with the
 * first text.
 *
 * @param options `patience`: milliseconds that a long text may take
 */
export function openMarkdown({ patience = PATIENCE } = {}): RenderMarkdown {
  const thread = new RenderingThread(patience);
  let loading: Promise<typeof import("./html.ts")> | null = null; // asked for by itself, Node finds it anew each time
  return async (markdown) => {
    if (markdown.length > SHORT) return thread.render(markdown);
    loading ??= import("./html.ts");
    const { renderMarkdown } = await loading;
    return renderMarkdown(markdown);
  };
}

class RenderingThread {
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | null = null;
  readonly #patience: number;

  constructor(patience: number) {
    this.#patience = patience;
  }

  /** @throws AppError BAD_USER_INPUT for a text that takes too long */
  render(markdown: string): Promise<RenderedMarkdown> {
    const turn = this.#last.then(() => this.#renderNow(markdown));
    this.#last = turn.catch(() => {});
    return turn;
  }

  #renderNow(markdown: string): Promise<RenderedMarkdown> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker ?? new Worker(new URL("./worker.ts", import.meta.url));
    this.#worker = worker;
    worker.ref();
    return new Promise<RenderedMarkdown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#end();
        settle();
        reject(badInput("input.body", "input.body takes too long to be rendered as Markdown: make it simpler."));
      }, this.#patience);
      const onMessage = (rendered: RenderedMarkdown) => {
        this.#idle = setTimeout(() => this.#end(), IDLE).unref();
        settle();
        resolve(rendered);
      };
      const onError = (error: unknown) => {
        this.#worker = null;
        settle();
        reject(error instanceof Error ? error : new Error("The rendering thread failed.", { cause: error }));
      };
      const settle = () => {
        clearTimeout(timer);
        worker.off("message", onMessage);
        worker.off("error", onError);
        worker.unref();
      };
      worker.on("message", onMessage);
      worker.on("error", onError);
      worker.postMessage(markdown);
    });
  }

  #end(): void {
    void this.#worker?.terminate();
    this.#worker = null;
  }
}
