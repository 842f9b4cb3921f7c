import type { Studio } from "../ports.ts";
import { unsent } from "./device/unsent.ts";
import { openStored } from "./open-writing.ts";

let running: Promise<number> | null = null;

/**
 * Sends the texts of closed pages, one after another. Those that an open tab writes are left to it, and conflicts to
 * the person: their texts stay on the device.
 *
 * @returns how many texts this device has still more of than the server
 */
export function sendUnsent(studio: Studio): Promise<number> {
  running ??= send(studio).finally(() => {
    running = null;
  });
  return running;
}

async function send(studio: Studio): Promise<number> {
  const personId = studio.person.value.id;
  for (const draft of await unsent(personId)) {
    if (draft.isAside || !studio.isOnline.value || !studio.isSignedIn.value) continue;
    const writing = await openStored(studio, draft).catch(() => null);
    if (writing === null) continue;
    await writing.settle().catch(() => undefined);
    await writing.close();
  }
  return (await unsent(personId)).length;
}
