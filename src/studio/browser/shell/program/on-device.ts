import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { loadPart } from "../../frame/document/parts.ts";
import { notify } from "../../frame/notices.tsx";
import type { Studio } from "../../ports.ts";
import { othersWithTexts, unsent } from "../../saving/device/unsent.ts";

/** Texts that this device has and the server lacks, for lists and counts. */
export interface OnDevice {
  readonly count: ReadonlySignal<number>;
  /** Ids of posts. */
  readonly posts: ReadonlySignal<ReadonlySet<string>>;
  look(): Promise<void>;
}

export function openOnDevice(personId: string): OnDevice {
  const count = signal(0);
  const posts = signal<ReadonlySet<string>>(new Set());
  const look = async () => {
    const drafts = await unsent(personId).catch(() => null);
    if (drafts === null) return; // at the next look
    count.value = drafts.length;
    posts.value = new Set(drafts.flatMap(({ postId }) => postId ?? []));
  };
  return { count, posts, look };
}

/** Loads what sends texts without their page. @throws Error when it cannot be loaded */
export const loadSending = () => loadPart("saving/send-unsent", () => import("../../saving/send-unsent.ts"));

/** Milliseconds before the first look, which nothing waits for. */
const LATER = 1_500;

/** Sends texts of pages that were closed before the server had them, as soon as somebody is signed in and online. */
export function sendWhenPossible(studio: Studio & { readonly onDevice: OnDevice }): void {
  const { onDevice, isSignedIn, isOnline, person } = studio;
  setTimeout(() => {
    void othersWithTexts(person.peek().id).then((names) => {
      for (const name of names) notify(`This device holds texts of ${name}. They are sent when ${name} signs in here.`);
    });
    effect(() => {
      if (isSignedIn.value && isOnline.value) void send();
    });
  }, LATER);

  async function send(): Promise<void> {
    await onDevice.look();
    if (onDevice.count.peek() === 0) return;
    const sending = await loadSending().catch(() => null);
    if (sending === null) return; // The page is left, or offline again. The texts wait for the next time.
    await sending.sendUnsent(studio).catch(() => undefined);
    await onDevice.look();
  }
}
