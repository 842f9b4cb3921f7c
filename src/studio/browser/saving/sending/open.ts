import { ApiFailure } from "../../ports.ts";
import { asideOf, isUnsent, type LocalDraft } from "../device/local-draft.ts";
import { EMPTY, isSame } from "../device/texts.ts";
import { Engine } from "./engine.ts";
import type { Ports } from "./ports.ts";
import type { Snapshot } from "./server.ts";
import type { Situation } from "./situation.ts";

export interface Start {
  readonly id: string | null;
  readonly key: string;
  readonly isWriter: boolean;
  readonly isOnline: boolean;
  readonly isSignedIn: boolean;
}

/** The situation of a text that this device keeps, or of one that begins. */
export function situationOf(start: Start, draft: LocalDraft | null, now: number): Situation {
  return {
    id: start.id ?? draft?.postId ?? null,
    key: start.key,
    facts: draft?.facts ?? null,
    shownApplied:
      draft?.base == null ? null : { ...draft.base.applied, slug: draft.facts?.slug ?? null, excerpt: null },
    base: draft?.base ?? null,
    texts: draft?.texts ?? EMPTY,
    unanswered: [...(draft?.unanswered ?? [])],
    creation: draft?.creation ?? null,
    resolution: draft?.resolution ?? null,
    asNew: draft?.asNew ?? null,
    changedAt: draft?.changedAt ?? 0,
    lastKeyAt: now,
    unsentSince: now,
    inFlight: null,
    mustFetch: false,
    mustRebase: false,
    retryAt: 0,
    failures: 0,
    trouble: null,
    isOnline: start.isOnline,
    isSignedIn: start.isSignedIn,
    isComposing: false,
    isWriter: start.isWriter,
    isClosed: false,
    isHurried: false,
    heldUntil: 0,
    lost: null,
    conflict: null,
    refusal: null,
  };
}

/**
 * Opens a post, or a new text for a null id. A text of this device that the server lacks is merged with the server's,
 * and never laid over it (S36).
 *
 * @throws ApiFailure where there is nothing to show
 */
export async function openEngine(ports: Ports, start: Start): Promise<Engine> {
  let unread: unknown = null;
  const [draft, answer] = await Promise.all([
    ports.device.read(ports.person.id, start.key).catch((error: unknown) => {
      unread = error ?? new Error("The browser does not read what it keeps");
      return null;
    }),
    start.id === null ? null : look(ports, start.id),
  ]);
  const unsent = draft !== null && isUnsent(draft) ? draft : null;
  if (start.id !== null && (answer === null || answer instanceof Error) && draft === null)
    throw answer ?? new ApiFailure({ kind: "not-found", message: "There is no such post." });
  // Texts that nobody changed here are shown as the server has them, or as it had them last.
  const hasAnswer = answer !== null && !(answer instanceof Error);
  const engine = new Engine(ports, situationOf(start, hasAnswer ? unsent : draft, ports.clock.now()));
  if (unread !== null) engine.keeper.unread.add(start.key);
  engine.keeper.error = unread;
  engine.keeper.kept = draft;
  const { situation } = engine;
  if (answer instanceof Error) situation.mustFetch = true;
  else if (start.id !== null) begin(engine, unsent, answer);
  if (unsent !== null && start.isWriter) tellOf(engine, unsent, hasAnswer ? answer : null);
  engine.step();
  return engine;
}

function begin(engine: Engine, unsent: LocalDraft | null, answer: Snapshot | null): void {
  if (unsent === null && answer !== null) engine.situation.texts = textsOf(answer);
  // A tab that only shows the text does not merge: the one that writes does.
  if (engine.situation.isWriter || unsent === null) engine.meet(answer, "merged");
}

async function look(ports: Ports, id: string): Promise<Snapshot | null | Error> {
  try {
    return await ports.server.find(id);
  } catch (error) {
    return error as Error;
  }
}

function textsOf({ copy, applied }: Snapshot) {
  return copy?.texts ?? applied;
}

/** Says that the text is this device's, and offers the server's instead. */
function tellOf(engine: Engine, draft: LocalDraft, server: Snapshot | null): void {
  const other = server !== null ? textsOf(server) : draft.postId === null ? EMPTY : (draft.base?.texts ?? null);
  if (other === null || isSame(engine.situation.texts, other) || engine.situation.conflict !== null) return;
  const time = new Date(draft.changedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const aside = asideOf(draft, engine.ports.newKey());
  engine.ports.notify(`Kept on this device, ${time}.`, {
    label: "Undo",
    run() {
      engine.ports.device.write({ ...aside, texts: engine.situation.texts }).catch(() => undefined);
      engine.replace(other, "restored");
      engine.step();
    },
  });
}
