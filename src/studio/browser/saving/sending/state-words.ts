import type { SaveState } from "../../ports.ts";
import { isSame } from "../device/texts.ts";

/** Classes of states: a reader hears of a change from one to another, and not of each save (S26). */
export type StateClass = "good" | "device" | "bad" | "conflict" | "elsewhere";

export interface StateWords {
  readonly kind: StateClass;
  readonly words: string;
  /** Advice; null where there is nothing to do. */
  readonly help: string | null;
}

const REASONS = {
  offline: "You are offline. Your text is sent when you are online again.",
  "signed-out": "You are signed out. Sign in, and your text is sent.",
  busy: "The server is busy. Your text is sent as soon as possible.",
} as const;

const KEPT = "Your text is kept on this device.";
const NOT_KEPT = "This browser does not keep texts. Copy or download yours before you leave.";

/** @param isBlank nothing was written yet */
export function wordsOf(state: SaveState, isBlank: boolean): StateWords {
  switch (state.kind) {
    case "saved":
      return { kind: "good", words: isBlank ? "Nothing written yet" : "Saved", help: null };
    case "saving":
      return { kind: "good", words: "Saving", help: null };
    case "on-device":
      // On its way: the next pause sends it.
      if (state.reason === "waiting") return { kind: "good", words: "Saving", help: null };
      return { kind: "device", words: "Saved on this device", help: REASONS[state.reason] };
    case "failed":
      return {
        kind: "bad",
        words: state.isOnDevice ? "Saved on this device only" : "Not saved",
        help: `${state.message} ${state.help}`,
      };
    case "conflict":
      return {
        kind: "conflict",
        words: `${state.conflict.by ?? "Somebody else"} changed this post`,
        help: state.isOnlyHere === true ? NOT_KEPT : KEPT,
      };
    case "elsewhere":
      return { kind: "elsewhere", words: "Open in another tab", help: "This tab shows what is written there." };
    case "lost":
      return {
        kind: "bad",
        words: state.reason === "deleted" ? "This post was deleted" : "You may no longer change this post",
        help: state.isOnlyHere === true ? NOT_KEPT : KEPT,
      };
  }
}

export function isSameState(one: SaveState, other: SaveState): boolean {
  if (one.kind === "conflict" && other.kind === "conflict")
    return (
      one.isOnlyHere === other.isOnlyHere &&
      isSame(one.conflict.mine, other.conflict.mine) &&
      isSame(one.conflict.theirs, other.conflict.theirs)
    );
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Changes by their person: the subject of a sentence. */
export function changesOf(by: string | null, own: string): string {
  if (by === null) return "Changes from elsewhere";
  return by === own ? "Your changes from another device" : `${by}'s changes`;
}

/** Names that are told one by one. */
const MOST_NAMES = 3;

/** @returns an empty text for nobody */
export function othersEditing(names: readonly string[]): string {
  if (names.length === 0) return "";
  const told = names.length > MOST_NAMES ? names.slice(0, MOST_NAMES - 1) : names;
  const more = names.length - told.length;
  const all = new Intl.ListFormat("en").format(more === 0 ? told : [...told, `${more} others`]);
  return `${all} ${names.length === 1 ? "is" : "are"} editing`;
}
