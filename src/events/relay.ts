import { setTimeout as pause } from "node:timers/promises";
import type { ContentEvent } from "../domain/events/event.ts";
import type { Id } from "../domain/id.ts";
import type { Store } from "../domain/store/store.ts";
import type { Log } from "../observe/log.ts";

/** Events in one read. */
export const PAGE = 100;
/** Milliseconds after which the outbox is tried again when it could not be read. */
const RETRY = 250;

export interface RelayOptions {
  readonly store: Pick<Store, "outbox" | "watch">;
  readonly log: Log;
  /** Is given each event, one after the other. Must not reject. */
  readonly take: (event: ContentEvent) => Promise<void>;
  /** Told of each event when it has been taken. */
  readonly taken?: (event: ContentEvent) => void;
}

/** Reads events of every process as they are committed, from the moment of its start on, whatever becomes of the database. */
export class Relay {
  readonly #options: RelayOptions;
  #position: Id | null = null;
  #isAsked = false;
  #isReading = false;
  #isFailing = false;
  #isOver = false;
  #unwatch = () => {};

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** @returns the event after which it begins; null: the first one there will be @throws AppError UNAVAILABLE */
  async start(): Promise<Id | null> {
    const { outbox, watch } = this.#options.store;
    this.#position = await outbox.last();
    if (!this.#isOver) this.#unwatch = watch(["event"], () => this.ask());
    return this.#position;
  }

  stop(): void {
    this.#isOver = true;
    this.#unwatch();
  }

  /** Has it look for events now. */
  ask(): void {
    this.#isAsked = true;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#isAsked && !this.#isOver) {
      this.#isAsked = false;
      try {
        await this.#readPage();
        this.#isFailing = false;
      } catch (error) {
        if (!this.#isFailing) this.#options.log.warn({ err: error }, "events cannot be read for now");
        this.#isFailing = true;
        this.#isAsked = true;
        await pause(RETRY, undefined, { ref: false });
      }
    }
    this.#isReading = false;
  }

  async #readPage(): Promise<void> {
    const events = await this.#options.store.outbox.list(this.#position, PAGE);
    if (events.length === PAGE) this.#isAsked = true;
    for (const event of events) {
      if (this.#isOver) return;
      this.#position = event.id;
      await this.#options.take(event);
      this.#options.taken?.(event);
    }
  }
}
