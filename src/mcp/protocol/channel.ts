/** Way to one client for the several messages of one request. */
export interface Channel {
  send(message: string): void;
  /** Nothing is sent afterwards. */
  end(): void;
  /** Resolves when it was ended, or when the client is gone. */
  readonly ended: Promise<void>;
}

/** An answer that goes out piece by piece, as the host of the transport has opened it. */
export interface EventSink {
  write(text: string): void;
  end(): void;
  /** Calls once, when the answer has ended or the client is gone. */
  onClose(listener: () => void): void;
}

/** Milliseconds between two comments, which keep proxies from closing a quiet stream. */
const KEEP_ALIVE = 15_000;

/** Answers as Server-Sent Events: one event for each message. */
export class EventStreams {
  readonly #open = new Set<EventSink>();
  #timer: NodeJS.Timeout | undefined;

  open(sink: EventSink): Channel {
    const ended = new Promise<void>((resolve) => {
      sink.onClose(() => {
        this.#remove(sink);
        resolve();
      });
    });
    this.#open.add(sink);
    this.#timer ??= setInterval(() => this.#beat(), KEEP_ALIVE).unref();
    return {
      send: (message) => sink.write(`event: message\ndata: ${message}\n\n`),
      end: () => {
        this.#remove(sink);
        sink.end();
      },
      ended,
    };
  }

  #beat(): void {
    for (const sink of this.#open) sink.write(":\n\n");
  }

  #remove(sink: EventSink): void {
    this.#open.delete(sink);
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

export const EVENT_STREAM: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no", // for nginx, which would hold events back
};
