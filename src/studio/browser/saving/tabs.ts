import type { LocalDraft } from "./device/local-draft.ts";

/** Locks and messages between the tabs of one browser. */
export interface Tabs {
  /**
   * Holds the right to write.
   *
   * @param lost called when another tab took it
   * @returns how to give it back; null if another tab has it and `how` does not wait
   */
  lock(
    name: string,
    how: "if-free" | "wait" | "steal",
    lost: () => void,
    signal?: AbortSignal,
  ): Promise<(() => void) | null>;
  channel(name: string, listen: (message: TabMessage) => void): Channel;
}

export interface Channel {
  post(message: TabMessage): void;
  close(): void;
}

export type TabMessage =
  /** A tab that shows the text asks the one that writes. */
  | { readonly kind: "hello" }
  | { readonly kind: "shown"; readonly draft: LocalDraft }
  /** A tab that will show the text has sent another to the server. */
  | { readonly kind: "sent" }
  /** A tab wants to write. */
  | { readonly kind: "give" }
  | { readonly kind: "given"; readonly draft: LocalDraft };

export function lockName(personId: string, key: string): string {
  return `studio-writing:${personId}:${key}`;
}

/** Web Locks and BroadcastChannel. Without them (an old browser), every tab may write, and versions still guard the text. */
export function browserTabs(): Tabs {
  return {
    lock: "locks" in navigator ? webLock : async () => () => undefined,
    channel(name, listen) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = (event: MessageEvent<TabMessage>) => listen(event.data);
      return { post: (message) => channel.postMessage(message), close: () => channel.close() };
    },
  };
}

const webLock: Tabs["lock"] = (name, how, lost, signal) =>
  new Promise((resolve, reject) => {
    let isHeld = false;
    const options: LockOptions =
      how === "if-free"
        ? { ifAvailable: true }
        : how === "steal"
          ? { steal: true }
          : signal === undefined
            ? {}
            : { signal };
    navigator.locks
      .request(name, options, async (lock) => {
        if (lock === null) return resolve(null);
        isHeld = true;
        await new Promise<void>((release) => resolve(release));
        isHeld = false;
      })
      .catch((error: unknown) => {
        if (isHeld) lost();
        else if (signal?.aborted === true) resolve(null);
        else reject(error);
      });
  });
