import { setTimeout as pause } from "node:timers/promises";

/** Bytes that may wait for a reader before it is told of the next event. */
const ROOM = 64 * 1024;
/** Milliseconds that a reader has for taking them. */
const PATIENCE = 10_000;
const LOOK_EVERY = 50;

export interface RoomOptions {
  /** How many bytes wait. */
  readonly waiting: () => number;
  readonly isOver: () => boolean;
  /** Is to end it. */
  readonly tooSlow: () => void;
}

/** Keeps events from piling up in memory in front of a reader that does not take them. */
export class Room {
  readonly #options: RoomOptions;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  hasRoom(): boolean {
    return this.#options.waiting() < ROOM;
  }

  async untilRoom(): Promise<void> {
    const { isOver, tooSlow } = this.#options;
    const since = performance.now();
    while (!this.hasRoom() && !isOver()) {
      if (performance.now() - since > PATIENCE) return tooSlow();
      await pause(LOOK_EVERY, undefined, { ref: false });
    }
  }
}
