import { effect } from "@preact/signals";
import type { Studio, Writing } from "../ports.ts";
import { browserDevice } from "./device/browser-device.ts";
import type { Clock } from "./device/keeper.ts";
import { type Device, isUnsent, type LocalDraft } from "./device/local-draft.ts";
import { followOthers } from "./others.ts";
import { graphqlServer } from "./sending/graphql-server.ts";
import { watchLeaving } from "./sending/leaving.ts";
import { openEngine } from "./sending/open.ts";
import type { Ports } from "./sending/ports.ts";
import { SharedWriting } from "./shared-writing.ts";
import { browserTabs, lockName, type Tabs } from "./tabs.ts";

/** Pages of this tab that are being left, by the key of their text. Opening it again waits for them. */
const closing = new Map<string, Promise<void>>();

const clock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * Opens a post for writing, or a new text for a null id.
 *
 * @throws ApiFailure where there is nothing to show: the post is not there, or not to be had while offline
 */
export async function openWriting(studio: Studio, id: string | null): Promise<Writing> {
  await closing.get(id ?? "");
  const place = placeOf(studio);
  const { key, release } = id === null ? await begin(place) : { key: id, release: await place.hold(id) };
  const { writing, engine } = await open(studio, place, { id, key, release });
  const stops = [watchLeaving(engine), followOthers(engine, studio)];
  void navigator.storage?.persist?.().catch(() => false);
  return { ...writing, close: () => close(writing, stops) };
}

/** Opens a text that the device kept, without a page. @returns null while a tab has it open */
export async function openStored(studio: Studio, { postId, key }: LocalDraft): Promise<Writing | null> {
  const quiet = { ...placeOf(studio), notify: () => undefined };
  const release = await quiet.hold(key);
  return release && (await open(studio, quiet, { id: postId, key, release })).writing;
}

interface Place {
  readonly personId: string;
  readonly device: Device;
  readonly tabs: Tabs;
  readonly notify: Ports["notify"];
  /** @returns how to give the lock back; null while another tab has it */
  hold(key: string): Promise<(() => void) | null>;
  lost: (key: string) => void;
}

function placeOf(studio: Studio): Place {
  const { id: personId } = studio.person.value;
  const tabs = browserTabs();
  const place: Place = {
    personId,
    device: browserDevice(),
    tabs,
    notify: (message, undo) => studio.notify(message, undo),
    hold: (key) => tabs.lock(lockName(personId, key), "if-free", () => place.lost(key)),
    lost: () => undefined,
  };
  return place;
}

interface Opening {
  readonly id: string | null;
  readonly key: string;
  readonly release: (() => void) | null;
}

async function open(studio: Studio, place: Place, { id, key, release }: Opening) {
  const { personId, device, tabs, notify } = place;
  const isHere = () => studio.isSignedIn.value && studio.person.value.id === personId;
  const ports: Ports = {
    ...{ clock, device, notify },
    server: graphqlServer(studio.api),
    person: { id: personId, name: studio.person.value.name },
    limits: () => studio.server.value,
    newKey: () => crypto.randomUUID(),
  };
  const start = { id, key, isWriter: release !== null, isOnline: studio.isOnline.value, isSignedIn: isHere() };
  const engine = await openEngine(ports, start).catch((error: unknown) => {
    release?.();
    throw error;
  });
  const shared = new SharedWriting(engine, tabs, release);
  place.lost = (lostKey) => shared.lost(lostKey);
  const stops = [
    effect(() => engine.setReach({ isOnline: studio.isOnline.value, isSignedIn: isHere() })),
    studio.onPostEvent(({ postId, version }) => {
      const { situation } = engine;
      if (postId === situation.id && (version === null || version !== situation.base?.version)) engine.refresh();
    }),
  ];
  const { writing } = shared;
  return {
    engine,
    writing: {
      ...writing,
      close() {
        for (const stop of stops) stop();
        return writing.close();
      },
    },
  };
}

function close(writing: Writing, stops: readonly (() => void)[]): Promise<void> {
  for (const stop of stops) stop();
  const key = writing.id.peek() ?? "";
  const closed = writing.close().finally(() => {
    if (closing.get(key) === closed) closing.delete(key);
  });
  closing.set(key, closed);
  return closed;
}

/** The newest text that never became a post and that no tab has open, as after a reload; else a text that begins. */
async function begin({ device, personId, hold }: Place): Promise<Omit<Opening, "id">> {
  const drafts = await device.list().catch(() => []);
  const begun = drafts
    .filter((draft) => draft.personId === personId && draft.postId === null && !draft.isAside && isUnsent(draft))
    .sort((one, other) => other.changedAt - one.changedAt);
  for (const { key } of begun) {
    const release = await hold(key);
    if (release !== null) return { key, release };
  }
  const key = `new:${crypto.randomUUID()}`;
  return { key, release: await hold(key) };
}
