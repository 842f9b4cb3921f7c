import type { Conflict, Failure, PostFacts, SaveState, ServerInfo, Texts } from "../../ports.ts";
import { type Base, type Creation, type LocalDraft, type Resolution, SCHEMA } from "../device/local-draft.ts";
import { changedParts, isBlank, isSame, length, PARTS, requestBytes } from "../device/texts.ts";
import type { Snapshot } from "./server.ts";

/** Texts go to the server this long after the last key (S32), */
const PAUSE = 2_000;
/** and while somebody types without a pause, this long after the first change that was not sent. */
const LIMIT = 10_000;

export type RequestKind = "create" | "save" | "fetch" | "resolve";

/** A text or part that the server refuses, or would refuse. It is not sent again until it changes. */
export interface Refusal {
  readonly message: string;
  readonly help: string;
  /** Parts that are left out of requests, with the values refused; null where the whole text cannot be sent. */
  readonly parts: Partial<Texts> | null;
  readonly texts: Texts;
}

/** Everything that decides what happens next to one writing. Plain data: decisions are functions of it. */
export interface Situation {
  id: string | null;
  key: string;
  facts: PostFacts | null;
  /** Text of the post itself, as pages show it. */
  shownApplied: Texts | null;
  base: Base | null;
  texts: Texts;
  unanswered: Texts[];
  creation: Creation | null;
  resolution: Resolution | null;
  /** The text being saved as another post. */
  asNew: Creation | null;
  changedAt: number;
  lastKeyAt: number;
  unsentSince: number;
  inFlight: RequestKind | null;
  /** The server may have another text than the base. */
  mustFetch: boolean;
  /** The copy was written on an older text of the post than the one it was merged with. */
  mustRebase: boolean;
  retryAt: number;
  failures: number;
  trouble: Failure | null;
  isOnline: boolean;
  isSignedIn: boolean;
  isComposing: boolean;
  isWriter: boolean;
  isClosed: boolean;
  /** Somebody waits for everything to be sent. */
  isHurried: boolean;
  /** A publication is on its way, so the working version must not move for a moment. */
  heldUntil: number;
  lost: "deleted" | "forbidden" | null;
  conflict: { readonly shown: Conflict; readonly server: Snapshot; readonly theirsIn: "copy" | "post" } | null;
  refusal: Refusal | null;
}

/** The record of a situation for the device. */
export function draftOf(situation: Situation, person: { readonly id: string; readonly name: string }): LocalDraft {
  const { id, key, facts, base, texts, unanswered, creation, resolution, asNew, changedAt } = situation;
  return {
    ...{ schema: SCHEMA, personId: person.id, personName: person.name, isAside: false },
    ...{ key, postId: id, facts, base, texts, unanswered: [...unanswered] },
    ...{ creation, resolution, asNew, changedAt },
  };
}

export interface Reach {
  readonly isOnline: boolean;
  readonly isSignedIn: boolean;
}

/** Notes whether the server can be asked. A new connection or sign-in ends the wait after a failure. */
export function noteReach(situation: Situation, { isOnline, isSignedIn }: Reach): void {
  const isBack = (isOnline && !situation.isOnline) || (isSignedIn && !situation.isSignedIn);
  situation.isOnline = isOnline;
  situation.isSignedIn = isSignedIn;
  if (!isBack || situation.trouble?.kind === "busy") return;
  situation.retryAt = 0;
  situation.trouble = null;
}

/** The text without the parts that the server refused. */
export function sendable({ texts, base, refusal }: Situation): Texts {
  if (refusal?.parts == null || base === null) return texts;
  const kept = { ...texts };
  for (const part of PARTS)
    if (part in refusal.parts && refusal.parts[part] === texts[part]) Object.assign(kept, { [part]: base.texts[part] });
  return kept;
}

export function needsSave(situation: Situation): boolean {
  const { base, texts, mustRebase } = situation;
  if (base === null) return situation.creation !== null || !isBlank(texts);
  // A request without an answer may still arrive. Another save settles it: the server takes only one of the two.
  return mustRebase || situation.unanswered.length > 0 || !isSame(base.texts, sendable(situation));
}

/** Whether the server has exactly what stands in the editor, as far as can be known. */
export function isSaved(situation: Situation): boolean {
  const { base, facts, texts, unanswered, resolution, creation, mustRebase } = situation;
  if (resolution !== null || creation !== null || unanswered.length > 0 || mustRebase) return false;
  if (base === null) return isBlank(texts);
  // Parts that were left out of a save are those of a post that changed meanwhile.
  const isRead = facts === null || facts.version === base.version;
  return isRead && isSame(base.texts, texts);
}

/** The request to make next, and when; null while there is nothing to ask or no way to. */
export function nextRequest(situation: Situation, now: number): { kind: RequestKind; at: number } | null {
  const { id, inFlight, refusal, texts, retryAt } = situation;
  if (!situation.isWriter || situation.isClosed || situation.isComposing || inFlight !== null) return null;
  if (situation.lost !== null || !situation.isOnline || !situation.isSignedIn) return null;
  if (situation.mustFetch && id !== null) return { kind: "fetch", at: retryAt };
  if (situation.conflict !== null) return null;
  if (situation.resolution !== null && id !== null) return { kind: "resolve", at: retryAt };
  if (!needsSave(situation)) return null;
  if (refusal !== null && refusal.parts === null && isSame(refusal.texts, texts)) return null;
  const pause = Math.min(situation.lastKeyAt + PAUSE, situation.unsentSince + LIMIT);
  const wanted = situation.isHurried ? now : Math.max(pause, situation.heldUntil);
  return { kind: id === null ? "create" : "save", at: Math.max(retryAt, wanted) };
}

/** A reason why the server would refuse the text, found before it is sent (S35). */
export function findRefusal(situation: Situation, limits: ServerInfo): Refusal | null {
  const { texts, base } = situation;
  const parts = base === null ? { title: texts.title, body: texts.body } : changedParts(base.texts, texts);
  const refuse = (message: string, help: string): Refusal => ({ message, help, parts: null, texts });
  const title = parts.title === undefined ? 0 : length(parts.title) - limits.maxTitleLength;
  if (title > 0)
    return refuse(
      `The title is ${characters(title)} too long.`,
      `Shorten it to ${number(limits.maxTitleLength)} characters.`,
    );
  const body = parts.body === undefined ? 0 : length(parts.body) - limits.maxBodyLength;
  if (body > 0)
    return refuse(`The text is ${characters(body)} too long.`, "Shorten it, or move a part into another post.");
  const bytes = requestBytes(parts) - limits.maxRequestBytes;
  if (bytes > 0)
    return refuse(`The text is ${number(bytes)} bytes too long.`, "Shorten it, or move a part into another post.");
  return null;
}

function characters(count: number): string {
  return count === 1 ? "1 character" : `${number(count)} characters`;
}

function number(value: number): string {
  return value.toLocaleString("en");
}

/** Words of the state line. They never claim more than is true (S34). */
export function stateOf(situation: Situation, isOnDevice: boolean, deviceError: unknown): SaveState {
  const { lost, conflict, refusal, texts, trouble } = situation;
  const where = deviceError !== null && !isOnDevice ? { isOnlyHere: true as const } : {};
  if (lost !== null) return { kind: "lost", reason: lost, ...where };
  if (!situation.isWriter) return { kind: "elsewhere" };
  if (conflict !== null) return { kind: "conflict", conflict: { ...conflict.shown, mine: texts }, ...where };
  if (refusal !== null && isRefused(situation))
    return { kind: "failed", message: refusal.message, help: refusal.help, isOnDevice };
  if (isSaved(situation)) return { kind: "saved" };
  const reason = reasonOf(situation);
  if (!isOnDevice && deviceError !== null && reason !== "waiting") return notKept(reason);
  if (trouble?.kind === "failed")
    return { kind: "failed", message: trouble.message, help: "The studio tries again on its own.", isOnDevice };
  if (situation.inFlight !== null && reason === "waiting") return { kind: "saving" };
  return isOnDevice ? { kind: "on-device", reason } : { kind: "saving" };
}

function isRefused({ refusal, texts }: Situation): boolean {
  if (refusal === null) return false;
  const { parts } = refusal;
  if (parts === null) return true;
  return PARTS.some((part) => part in parts && parts[part] === texts[part]);
}

type Reason = "offline" | "signed-out" | "busy" | "waiting";

function reasonOf({ isOnline, isSignedIn, trouble }: Situation): Reason {
  if (!isSignedIn || trouble?.kind === "signed-out") return "signed-out";
  if (!isOnline || trouble?.kind === "offline") return "offline";
  return trouble?.kind === "busy" ? "busy" : "waiting";
}

const NOT_SENT: Record<Reason, string> = {
  offline: "You are offline",
  "signed-out": "You are signed out",
  busy: "The server is busy",
  waiting: "The text is not sent yet",
};

function notKept(reason: Reason): SaveState {
  return {
    kind: "failed",
    message: `${NOT_SENT[reason]}, and this browser does not keep texts.`,
    help: "Keep this page open, or copy the text.",
    isOnDevice: false,
  };
}
