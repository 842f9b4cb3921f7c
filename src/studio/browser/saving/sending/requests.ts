import type { Failure, Texts } from "../../ports.ts";
import type { Base } from "../device/local-draft.ts";
import { changedParts, isSame, PARTS } from "../device/texts.ts";
import type { Server, Snapshot } from "./server.ts";
import { needsSave, type RequestKind, type Situation, sendable } from "./situation.ts";

/** How long to wait after the first, second … failure in a row, in milliseconds. */
const WAITS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000];

/** Limit: texts without an answer that are remembered. After that, the last one is repeated until it is answered. */
const MOST_UNANSWERED = 8;

export interface RequestPorts {
  readonly server: Server;
  now(): number;
  newKey(): string;
  /** Keeps the situation on the device, or gives up after a moment. */
  keep(): Promise<void>;
  /** Whether the situation was taken over by something else since this count, such as an adopted answer. */
  turn(): number;
  arrive(server: Snapshot | null): void;
  forgetAside(key: string): Promise<void>;
}

/** Makes one request, and notes in the situation what it brought. */
export async function perform(
  kind: RequestKind,
  situation: Situation,
  ports: RequestPorts,
  keepalive = false,
): Promise<void> {
  const turn = ports.turn();
  try {
    await REQUESTS[kind](situation, ports, keepalive);
    if (turn !== ports.turn()) return;
    situation.failures = 0;
    situation.trouble = null;
  } catch (error) {
    if (turn === ports.turn()) fail(situation, kind, error, ports.now());
  }
}

const REQUESTS: Record<RequestKind, (situation: Situation, ports: RequestPorts, keepalive: boolean) => Promise<void>> =
  {
    async fetch(situation, ports) {
      if (situation.id === null) return;
      const turn = ports.turn();
      const snapshot = await ports.server.find(situation.id);
      if (turn === ports.turn()) ports.arrive(snapshot);
    },

    async create(situation, ports) {
      const turn = ports.turn();
      situation.creation ??= { key: ports.newKey(), texts: situation.texts };
      const { key, texts } = situation.creation;
      await ports.keep();
      if (turn !== ports.turn()) return;
      const { facts, applied, excerpt } = await ports.server.create(texts, key);
      if (turn !== ports.turn()) return;
      situation.id = facts.id;
      situation.facts = facts;
      situation.shownApplied = { ...applied, slug: facts.slug, excerpt };
      situation.base = {
        version: facts.version,
        workingVersion: 0,
        baseVersion: facts.version,
        texts: applied,
        applied,
      };
      situation.creation = null;
      situation.unsentSince = ports.now();
    },

    async save(situation, ports, keepalive) {
      const { id, base } = situation;
      if (id === null || base === null) return;
      const [last] = situation.unanswered.slice(-1);
      const texts = last !== undefined && situation.unanswered.length >= MOST_UNANSWERED ? last : sendable(situation);
      situation.unsentSince = ports.now();
      if (await send(situation, ports, id, base, texts, keepalive)) situation.mustRebase = false;
    },

    async resolve(situation, ports) {
      const { id, base, resolution } = situation;
      if (id === null || base === null || resolution === null) return;
      const turn = ports.turn();
      if (resolution.setAside && base.workingVersion > 0) {
        situation.unanswered.push(base.applied);
        await ports.keep();
        if (turn !== ports.turn()) return;
        const facts = await ports.server.setAside(id, base.workingVersion);
        if (turn !== ports.turn()) return;
        noteFacts(situation, facts);
        situation.unanswered = [];
        situation.base = { ...base, workingVersion: 0, baseVersion: base.version, texts: base.applied };
        situation.resolution = { ...resolution, setAside: false };
      } else if (resolution.losers[0] !== undefined) {
        const isSaved = await send(situation, ports, id, base, resolution.losers[0], false);
        if (isSaved) situation.resolution = { ...resolution, setAside: true, losers: resolution.losers.slice(1) };
      } else {
        for (const key of resolution.asideKeys) await ports.forgetAside(key).catch(() => undefined);
        if (turn === ports.turn()) situation.resolution = null;
      }
    },
  };

/** @returns whether the server has the text now */
async function send(
  situation: Situation,
  ports: RequestPorts,
  id: string,
  base: Base,
  texts: Texts,
  keepalive: boolean,
): Promise<boolean> {
  const turn = ports.turn();
  if (!situation.unanswered.some((sent) => isSame(sent, texts))) situation.unanswered.push(texts);
  await ports.keep();
  if (turn !== ports.turn()) return false;
  const { facts, copy } = await ports.server.save({
    id,
    parts: changedParts(base.texts, texts),
    workingVersion: base.workingVersion,
    baseVersion: base.version,
    ...(keepalive && { keepalive }),
  });
  if (turn !== ports.turn()) return false;
  const saved = { ...texts, slug: copy.slug, excerpt: copy.excerpt };
  const mine = { ...situation.texts };
  for (const part of PARTS) if (mine[part] === texts[part]) Object.assign(mine, { [part]: saved[part] });
  if (!isSame(mine, situation.texts)) situation.texts = mine;
  situation.base = { ...base, texts: saved, workingVersion: copy.version, baseVersion: copy.baseVersion };
  situation.unanswered = [];
  noteFacts(situation, facts);
  if (!needsSave(situation)) situation.unsentSince = ports.now();
  return true;
}

/** A version that this writing has not read yet is fetched before it counts: its text may be another. */
function noteFacts(situation: Situation, facts: NonNullable<Situation["facts"]>): void {
  situation.facts = facts;
  if (situation.base !== null && facts.version !== situation.base.version) situation.mustFetch = true;
}

function fail(situation: Situation, kind: RequestKind, error: unknown, now: number): void {
  const failure = error as Failure;
  situation.failures += 1;
  situation.trouble = failure;
  situation.retryAt = now + (WAITS[Math.min(situation.failures, WAITS.length) - 1] ?? 0);
  const isMutation = kind === "save" || kind === "resolve";
  switch (failure.kind) {
    case "conflict":
      if (kind === "create") return;
      situation.trouble = null;
      situation.mustFetch = true;
      // The first conflict is looked into immediately; a row of them waits, so that two writers let each other through.
      if (situation.failures === 1) situation.retryAt = now;
      return;
    case "offline":
      if (isMutation) situation.mustFetch = true;
      return;
    case "signed-out":
      // Signing in goes on with it immediately.
      situation.retryAt = now + 30_000;
      return;
    case "busy":
      situation.retryAt = now + (failure.retryAfter ?? 5) * 1_000;
      return;
    case "forbidden":
      situation.lost = "forbidden";
      return;
    case "not-found":
      situation.lost = "deleted";
      return;
    case "bad-input":
      refuse(situation, kind, failure, now);
      return;
    default:
      if (isMutation) situation.mustFetch = true;
      situation.trouble = { ...describe(failure), kind: "failed" };
  }
}

function describe(failure: Failure): Failure {
  return {
    kind: failure.kind ?? "failed",
    message: failure.message,
    code: failure.code ?? null,
    field: failure.field ?? null,
    extensions: failure.extensions ?? {},
    requestId: failure.requestId ?? null,
    retryAfter: failure.retryAfter ?? null,
  };
}

function refuse(situation: Situation, kind: RequestKind, failure: Failure, now: number): void {
  situation.trouble = null;
  situation.retryAt = now;
  if (kind === "resolve") {
    // The text that lost stays on the device.
    situation.resolution = situation.resolution && { ...situation.resolution, losers: [], asideKeys: [] };
    return;
  }
  if (kind === "create") situation.creation = null;
  const part = failure.field?.replace(/^input\./, "");
  const parts = part === "slug" || part === "excerpt" ? { [part]: situation.texts[part] } : null;
  situation.refusal = {
    message: failure.message,
    help: "Change it, and the studio saves it.",
    parts: parts === null ? null : { ...situation.refusal?.parts, ...parts },
    texts: situation.texts,
  };
}
