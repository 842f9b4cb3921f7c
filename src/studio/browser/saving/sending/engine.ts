import { type Signal, signal } from "@preact/signals";
import type { PostFacts, SaveState, Texts } from "../../ports.ts";
import { atMost, Keeper } from "../device/keeper.ts";
import type { LocalDraft } from "../device/local-draft.ts";
import { isSame } from "../device/texts.ts";
import { Merges } from "./merges.ts";
import type { Ports, ReplacedListener, Why } from "./ports.ts";
import { baseOf, isPostUnchanged, meet } from "./reconcile.ts";
import { perform } from "./requests.ts";
import type { Snapshot } from "./server.ts";
import {
  draftOf,
  findRefusal,
  needsSave,
  nextRequest,
  noteReach,
  type Reach,
  type RequestKind,
  type Situation,
  stateOf,
} from "./situation.ts";
import { isSameState } from "./state-words.ts";

/** A request never waits longer than this for the device, in milliseconds. */
const DEVICE_WAIT = 1_000;

/**
 * Saves one post being written (S30 to S36): keeps its text on the device, sends it, and brings it together with
 * the server's. After each event, `step` decides from the situation alone what to do next.
 */
export class Engine {
  readonly situation: Situation;
  readonly ports: Ports;
  readonly keeper: Keeper;
  readonly merges: Merges;
  readonly id: Signal<string | null>;
  readonly post: Signal<PostFacts | null>;
  readonly applied: Signal<Texts | null>;
  readonly texts: Signal<Texts>;
  readonly state: Signal<SaveState>;
  readonly isReadOnly: Signal<boolean>;
  readonly others = signal<readonly string[]>([]);
  readonly versions: Signal<{ readonly version: number; readonly workingVersion: number }>;
  /** Called after each change. */
  readonly watchers = new Set<() => void>();
  readonly listeners = new Set<ReplacedListener>();
  #turn = 0;
  #cancel: (() => void) | null = null;
  #arrived: { readonly snapshot: Snapshot | null } | null = null;

  constructor(ports: Ports, situation: Situation) {
    this.ports = ports;
    this.situation = situation;
    this.merges = new Merges(ports);
    this.keeper = new Keeper(
      ports.device,
      ports.clock,
      () => (situation.isWriter && !situation.isClosed ? this.draft() : null),
      () => this.step(),
    );
    this.id = signal(situation.id);
    this.post = signal(situation.facts);
    this.applied = signal(situation.shownApplied);
    this.texts = signal(situation.texts);
    this.state = signal<SaveState>({ kind: "saved" });
    this.isReadOnly = signal(!situation.isWriter);
    this.versions = signal({ version: 0, workingVersion: 0 });
  }

  change(part: Partial<Texts>): void {
    const { situation } = this;
    if (!situation.isWriter || situation.isClosed) return;
    const texts = { ...situation.texts, ...part };
    if (isSame(texts, situation.texts)) return;
    this.#setTexts(texts);
    situation.lastKeyAt = this.ports.clock.now();
    this.step();
  }

  /** Puts another text in place of the one in the editor. */
  replace(texts: Texts, why: Why): void {
    if (isSame(texts, this.situation.texts)) return;
    this.#setTexts(texts);
    this.tell(why);
  }

  /** Tells the editor that the text became another. It finds that text in the signal too. */
  tell(why: Why): void {
    const { texts } = this.situation;
    this.texts.value = texts;
    for (const listener of this.listeners) listener(texts, why);
  }

  #setTexts(texts: Texts): void {
    const now = this.ports.clock.now();
    if (!needsSave(this.situation)) this.situation.unsentSince = now;
    this.situation.texts = texts;
    // A text that is only shown here is as old as it is where it is written.
    if (!this.situation.isWriter) return;
    // Two changes never have one time, so that tabs know which text is the newer one.
    this.situation.changedAt = Math.max(now, this.situation.changedAt + 1);
    this.keeper.touch();
  }

  /** Does what is due, plans what comes later, and shows how things stand. */
  step(): void {
    this.#cancel?.();
    this.#cancel = null;
    const { situation, ports } = this;
    if (this.#arrived !== null && !situation.isComposing) {
      const { snapshot } = this.#arrived;
      this.#arrived = null;
      this.meet(snapshot, "merged");
    }
    const now = ports.clock.now();
    const next = nextRequest(situation, now);
    if (next !== null && next.at <= now) this.#request(next.kind);
    else if (next !== null) this.#cancel = ports.clock.after(next.at - now, () => this.step());
    this.#show();
  }

  #request(kind: RequestKind): void {
    if ((kind === "save" || kind === "create") && this.isRefused()) return;
    void this.request(kind, false);
  }

  /** Whether the server would refuse the text. */
  isRefused(): boolean {
    const { situation } = this;
    const refusal = findRefusal(situation, this.ports.limits());
    if (refusal !== null || situation.refusal?.parts === null) situation.refusal = refusal;
    return refusal !== null;
  }

  /** Makes a request, while no other is in flight. */
  async request(kind: RequestKind, keepalive: boolean): Promise<void> {
    const { situation, ports } = this;
    situation.inFlight = kind;
    await perform(
      kind,
      situation,
      {
        server: ports.server,
        now: () => ports.clock.now(),
        newKey: () => ports.newKey(),
        keep: () => this.keep(),
        turn: () => this.#turn,
        arrive: (snapshot) => {
          this.#arrived = { snapshot };
          situation.mustFetch = false;
        },
        forgetAside: (key) => ports.device.remove(ports.person.id, key),
      },
      keepalive,
    );
    situation.inFlight = null;
    if (situation.isWriter) this.keeper.touch();
    this.step();
  }

  /** Keeps the situation on the device; a device that takes too long is not waited for. */
  keep(): Promise<void> {
    return atMost(DEVICE_WAIT, this.ports.clock, this.keeper.flush());
  }

  /** Whether the device has the text. */
  get isKept(): boolean {
    const { kept } = this.keeper;
    return kept !== null && isSame(kept.texts, this.situation.texts);
  }

  /** Something else became the truth: an answer that is still on its way no longer counts. */
  turn(): void {
    this.#turn += 1;
    this.#arrived = null;
  }

  /** Says whether the server can be asked now. What waited goes on immediately. */
  setReach(reach: Reach): void {
    noteReach(this.situation, reach);
    this.step();
  }

  /** Looks for changes that others made. */
  refresh(): void {
    this.situation.mustFetch = this.situation.id !== null;
    this.step();
  }

  /** Brings the text together with what the server has. */
  meet(server: Snapshot | null, why: Why): void {
    const { situation } = this;
    if (server === null || !server.canUpdate) {
      situation.lost = server === null ? "deleted" : "forbidden";
      return;
    }
    situation.facts = server.facts;
    situation.shownApplied = { ...server.applied, slug: server.facts.slug, excerpt: server.excerpt };
    const mine = situation.texts;
    const meeting = meet(situation.base?.texts ?? null, mine, situation.unanswered, server);
    if (meeting.kind === "overlap") {
      situation.conflict = { shown: meeting.conflict, server, theirsIn: meeting.theirsIn };
      this.replace(meeting.texts, why);
      return;
    }
    situation.conflict = null;
    this.rebase(server);
    this.replace(meeting.texts, why);
    if (meeting.isMerged && why === "merged") this.merges.note(mine, meeting.texts, server.copy?.by ?? null);
  }

  /** Takes the server's state as the one that the text is written on. */
  rebase(server: Snapshot): void {
    const { situation } = this;
    const base = baseOf(server);
    const old = situation.base;
    // A request that named an older version can do nothing any more.
    if (old?.version !== base.version || old.workingVersion !== base.workingVersion) situation.unanswered = [];
    situation.base = base;
    situation.mustRebase = !isPostUnchanged(server);
    this.keeper.touch();
  }

  draft(): LocalDraft {
    return draftOf(this.situation, this.ports.person);
  }

  #show(): void {
    const { situation } = this;
    this.id.value = situation.id;
    this.post.value = situation.facts;
    this.applied.value = situation.shownApplied;
    this.texts.value = situation.texts;
    this.isReadOnly.value = !situation.isWriter;
    const { version, workingVersion } = situation.base ?? { version: 0, workingVersion: 0 };
    const shown = this.versions.value;
    if (shown.version !== version || shown.workingVersion !== workingVersion)
      this.versions.value = { version, workingVersion };
    const state = stateOf(situation, this.isKept, this.keeper.error);
    if (!isSameState(state, this.state.value)) this.state.value = state;
    for (const watch of [...this.watchers]) watch();
  }
}
