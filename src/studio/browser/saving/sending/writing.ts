import { ApiFailure, type Conflict, type SaveState, type Texts, type Writing } from "../../ports.ts";
import { asideOf } from "../device/local-draft.ts";
import { isSame } from "../device/texts.ts";
import type { Engine } from "./engine.ts";
import { meetPost } from "./reconcile.ts";
import { resolutionOf } from "./resolution.ts";
import { needsSave } from "./situation.ts";

/** How long a working version stands still after `settle`, for the request that publishes it, in milliseconds. */
const HOLD = 3_000;

/** The part of `Writing` that pages use besides typing, over one engine. */
export function writingOf(engine: Engine): Omit<Writing, "editHere" | "close"> {
  const { situation } = engine;
  return {
    id: engine.id,
    post: engine.post,
    applied: engine.applied,
    texts: engine.texts,
    state: engine.state,
    isReadOnly: engine.isReadOnly,
    others: engine.others,
    merged: engine.merges.shown,
    versions: engine.versions,
    change: (part) => engine.change(part),
    isComposing: {
      get value() {
        return situation.isComposing;
      },
      set value(isComposing: boolean) {
        situation.isComposing = isComposing;
        engine.step();
      },
    },
    onReplaced(listener) {
      engine.listeners.add(listener);
      return () => engine.listeners.delete(listener);
    },
    settle: () => settle(engine),
    adopt: (answer) => adopt(engine, answer),
    resolve: (conflict, choice) => resolve(engine, conflict, choice),
    saveAsNewDraft: () => saveAsNewDraft(engine),
  };
}

/** Sends without waiting for a pause, until the server has everything or something stands in the way. */
async function settle(engine: Engine): ReturnType<Writing["settle"]> {
  const { situation, ports } = engine;
  if (situation.id === null && !needsSave(situation))
    throw new ApiFailure({ kind: "bad-input", message: "Write something first." });
  situation.isHurried = true;
  situation.heldUntil = 0;
  if (situation.trouble?.kind !== "busy" || situation.retryAt <= ports.clock.now()) {
    situation.trouble = null;
    situation.retryAt = 0;
  }
  try {
    await until(engine, () => isSettled(engine));
    situation.heldUntil = ports.clock.now() + HOLD;
  } finally {
    situation.isHurried = false;
    engine.step();
  }
  const { id, base } = situation;
  if (id === null || base === null) throw new ApiFailure({ kind: "failed", message: "The post is not saved." });
  return { id, version: base.version, workingVersion: base.workingVersion };
}

/** Whether the server has the whole text, and nothing is asked of it. */
export function isAllSent({ situation, state }: Engine): boolean {
  const { id, inFlight, mustFetch } = situation;
  return state.value.kind === "saved" && inFlight === null && !mustFetch && id !== null;
}

function isSettled(engine: Engine): boolean {
  if (isAllSent(engine)) return true;
  const { situation, state } = engine;
  const { value } = state;
  if (situation.inFlight !== null || situation.isComposing) return false;
  const isOnItsWay = value.kind === "saved" || value.kind === "saving";
  if (isOnItsWay || (value.kind === "on-device" && value.reason === "waiting")) return false;
  throw failureOf(value);
}

/** Waits until a condition holds, which is looked at after each change. */
function until(engine: Engine, isMet: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const watch = () => {
      try {
        if (!isMet()) return;
        resolve();
      } catch (error) {
        reject(error);
      }
      engine.watchers.delete(watch);
    };
    engine.watchers.add(watch);
    engine.step();
  });
}

function failureOf(state: SaveState): ApiFailure {
  switch (state.kind) {
    case "conflict":
      return new ApiFailure({ kind: "conflict", message: "Somebody else changed this post. Compare the texts first." });
    case "elsewhere":
      return new ApiFailure({ kind: "failed", message: "Another tab writes this post." });
    case "lost":
      return state.reason === "deleted"
        ? new ApiFailure({ kind: "not-found", message: "This post was deleted." })
        : new ApiFailure({ kind: "forbidden", message: "You may no longer change this post." });
    case "failed":
      return new ApiFailure({ kind: "failed", message: `${state.message} ${state.help}` });
    case "on-device":
      if (state.reason === "offline")
        return new ApiFailure({ kind: "offline", message: "You are offline. Your text is kept on this device." });
      if (state.reason === "signed-out")
        return new ApiFailure({ kind: "signed-out", message: "You are signed out. Your text is kept on this device." });
      return new ApiFailure({ kind: "busy", message: "The server is busy. Your text is kept on this device." });
    default:
      return new ApiFailure({ kind: "failed", message: "The post is not saved." });
  }
}

function adopt(engine: Engine, { post, applied, copy }: Parameters<Writing["adopt"]>[0]): void {
  const { situation, ports } = engine;
  const plain: Texts = { ...applied, slug: null, excerpt: null };
  engine.turn();
  situation.heldUntil = 0;
  situation.lost = null;
  const texts = copy && { title: copy.title, body: copy.body, slug: copy.slug, excerpt: copy.excerpt };
  engine.meet(
    {
      facts: post,
      applied: plain,
      excerpt: applied.excerpt ?? "",
      copy: copy && texts && { texts, version: copy.version, baseVersion: copy.baseVersion, by: ports.person.name },
      origin: plain,
      canUpdate: true,
    },
    "restored",
  );
  situation.shownApplied = applied;
  // The text from which an older copy was written on is not in the answer.
  if (copy !== null && copy.baseVersion !== post.version) situation.mustFetch = true;
  engine.step();
}

/** Goes on with the chosen text. Each text that lost is brought into the history, and kept on the device until then. */
function resolve(engine: Engine, _conflict: Conflict, choice: "mine" | "theirs" | Texts): void {
  const { situation, ports } = engine;
  if (situation.conflict === null) return;
  const { server, theirsIn, shown } = situation.conflict;
  const mine = situation.texts;
  const chosen = choice === "mine" ? mine : choice === "theirs" ? shown.theirs : choice;
  const aside = isSame(chosen, mine) ? null : asideOf(engine.draft(), ports.newKey());
  if (aside !== null)
    ports.device.write(aside).catch((error: unknown) => {
      engine.keeper.error = error;
    });
  engine.turn();
  situation.conflict = null;
  engine.rebase(server);
  situation.resolution = resolutionOf(
    { mine, chosen, asideKey: aside?.key ?? null },
    server,
    theirsIn,
    situation.resolution,
  );
  // The post itself may have another text than the one from which the copy was written on.
  const meeting = theirsIn === "copy" ? meetPost(chosen, server, false) : null;
  if (meeting?.kind === "overlap") situation.conflict = { shown: meeting.conflict, server, theirsIn: meeting.theirsIn };
  engine.replace(meeting?.texts ?? chosen, "taken");
  engine.step();
}

async function saveAsNewDraft(engine: Engine): Promise<string> {
  const { situation, ports } = engine;
  const texts = situation.texts;
  // One key for one text: asking again after a lost answer makes no second post.
  if (situation.asNew === null || !isSame(situation.asNew.texts, texts))
    situation.asNew = { key: ports.newKey(), texts };
  await engine.keep();
  const { facts, applied } = await ports.server.create(texts, situation.asNew.key);
  // The slug stays with the post that has it.
  const parts = { title: texts.title, excerpt: texts.excerpt };
  if (texts.excerpt !== null || texts.title !== applied.title)
    await ports.server
      .save({ id: facts.id, parts, workingVersion: 0, baseVersion: facts.version })
      .catch((error: unknown) => {
        // An earlier attempt has done it.
        if (!(error instanceof ApiFailure) || error.kind !== "conflict") throw error;
      });
  situation.asNew = null;
  engine.turn();
  if (situation.conflict !== null && isSame(situation.texts, texts)) {
    const { server } = situation.conflict;
    const { theirs } = situation.conflict.shown;
    situation.conflict = null;
    engine.rebase(server);
    engine.replace(theirs, "taken");
  } else if (situation.lost !== null && isSame(situation.texts, texts)) {
    await ports.device.remove(ports.person.id, situation.key).catch(() => undefined);
  }
  engine.step();
  return facts.id;
}
