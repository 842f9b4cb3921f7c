import { Worker } from "node:worker_threads";
import { AppError, badInput } from "../domain/errors.ts";
import type { RenderedMarkdown } from "../domain/posts/rendering.ts";

/** Milliseconds after which a thread without work ends. */
const IDLE = 60_000;
/** Milliseconds between two looks whether somebody still waits for the text that is being rendered. */
const LOOK_EVERY = 200;

/** Instead of a rendering that nobody waits for any more. */
export function abandoned(): AppError<"UNAVAILABLE"> {
  return new AppError("UNAVAILABLE", "The request ended before its text was rendered. Nothing was written.");
}

/** A thread that renders one text at a time. It starts with its first text. */
export class RenderingThread {
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  readonly #patience: number;

  /** @param patience milliseconds that one text may take */
  constructor(patience: number) {
    this.#patience = patience;
  }

  /** @throws AppError BAD_USER_INPUT for a text that takes too long, UNAVAILABLE for one that nobody waits for */
  render(markdown: string, isAbandoned: () => boolean): Promise<RenderedMarkdown> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    const worker = this.#worker ?? new Worker(new URL("./worker.ts", import.meta.url));
    this.#worker = worker;
    worker.ref();
    return new Promise<RenderedMarkdown>((resolve, reject) => {
      const breakOff = (error: Error) => {
        this.#end();
        settle();
        reject(error);
      };
      const patience = setTimeout(
        () =>
          breakOff(badInput("input.body", "input.body takes too long to be rendered as Markdown: make it simpler.")),
        this.#patience,
      );
      const look = setInterval(() => {
        if (isAbandoned()) breakOff(abandoned());
      }, LOOK_EVERY);
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
        clearTimeout(patience);
        clearInterval(look);
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
