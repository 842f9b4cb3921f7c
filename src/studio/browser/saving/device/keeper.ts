import { asideOf, type Device, isUnsent, type LocalDraft } from "./local-draft.ts";

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** @returns how to cancel it */
  after(milliseconds: number, run: () => void): () => void;
}

/** Waits until some work has ended, for a time in milliseconds at most. */
export function atMost(milliseconds: number, clock: Clock, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, resolve);
    const end = () => {
      cancel();
      resolve();
    };
    work.then(end, end);
  });
}

/** A change is kept this long after the last one (S30), */
const PAUSE = 300;
/** and while somebody types without a pause, this long after the first one that is not kept. */
const LIMIT = 1_000;
/** A browser that refused is asked again after this long. */
const RETRY = 10_000;

/** Keeps the text of one writing on the device: one write at a time, the newest text next. */
export class Keeper {
  readonly #device: Device;
  readonly #clock: Clock;
  readonly #draft: () => LocalDraft | null;
  readonly #settled: () => void;
  #cancel: (() => void) | null = null;
  #changedAt: number | null = null;
  #running: Promise<void> | null = null;
  #isStale = false;
  #oldKey: string | undefined;
  /** The draft that was kept last. */
  kept: LocalDraft | null = null;
  /** Keys under which the device may have a text that was not read: it must not be written over. */
  readonly unread = new Set<string>();
  /** Reason why the browser refused the last write. */
  error: unknown = null;

  constructor(device: Device, clock: Clock, draft: () => LocalDraft | null, settled: () => void) {
    this.#device = device;
    this.#clock = clock;
    this.#draft = draft;
    this.#settled = settled;
  }

  /** Tells of a change; it will be kept in time. */
  touch(): void {
    const now = this.#clock.now();
    this.#changedAt ??= now;
    this.#cancel?.();
    const wait = Math.max(0, Math.min(PAUSE, this.#changedAt + LIMIT - now));
    this.#cancel = this.#clock.after(wait, () => void this.flush());
  }

  /** Reads what the device has. A text that it does not read is not written over. */
  async read(personId: string, key: string): Promise<LocalDraft | null> {
    try {
      return await this.#device.read(personId, key);
    } catch {
      this.unread.add(key);
      return null;
    }
  }

  /** Removes what the device has of a text that the server has. */
  async remove(personId: string, key: string): Promise<void> {
    await this.#device.remove(personId, key).catch(() => undefined);
  }

  /** The next write removes the draft of this key. */
  replace(key: string): void {
    this.#oldKey = key;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Keeps what there is now. Resolves when it was tried. */
  flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    this.#changedAt = null;
    this.#isStale = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  /** Keeps what there is now in this turn, beside a write that is under way: the page may have no other. */
  leave(): void {
    if (this.#running === null) void this.flush();
    else void this.#write();
  }

  async #run(): Promise<void> {
    try {
      while (this.#isStale) {
        this.#isStale = false;
        await this.#write();
      }
    } finally {
      this.#running = null;
    }
    this.#settled();
  }

  async #look(personId: string, key: string): Promise<void> {
    const found = await this.#device.read(personId, key);
    if (found !== null && isUnsent(found)) await this.#device.write(asideOf(found, `${key}:${found.changedAt}`));
  }

  async #write(): Promise<void> {
    const draft = this.#draft();
    if (draft === null) return;
    const oldKey = this.#oldKey;
    try {
      for (const key of this.unread) {
        await this.#look(draft.personId, key);
        this.unread.delete(key);
      }
      await this.#device.write(draft, oldKey);
      if (this.#oldKey === oldKey) this.#oldKey = undefined;
      this.kept = draft;
      this.error = null;
    } catch (error) {
      this.error = error ?? new Error("The browser did not keep the text");
      this.#cancel ??= this.#clock.after(RETRY, () => void this.flush());
    }
  }
}
