import type { LocalDraft } from "./device/local-draft.ts";
import { isSame } from "./device/texts.ts";
import type { Engine } from "./sending/engine.ts";
import type { TabMessage } from "./tabs.ts";

/** Other tabs are shown the text this often at most. */
const SHOW_EVERY = 200;

/** Shows the text that this tab writes in the other tabs. */
export class Showing {
  readonly #engine: Engine;
  readonly #post: (message: TabMessage) => void;
  #isOn = false;
  #shown: LocalDraft | null = null;
  #cancel: (() => void) | null = null;

  constructor(engine: Engine, post: (message: TabMessage) => void) {
    this.#engine = engine;
    this.#post = post;
  }

  /** Shows the text as it is, and its changes from now on. */
  start(): void {
    this.#isOn = true;
    this.#shown = null;
    this.show();
  }

  stop(): void {
    this.#isOn = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Shows what changed, now or in a moment. */
  show(): void {
    if (!this.#isOn || this.#cancel !== null) return;
    const draft = this.#engine.draft();
    const { texts, base, resolution } = draft;
    const shown = this.#shown;
    if (shown?.texts === texts && shown.base === base && shown.resolution === resolution) return;
    this.#cancel = this.#engine.ports.clock.after(SHOW_EVERY, () => {
      this.#cancel = null;
      this.show();
    });
    this.#shown = draft;
    this.#post({ kind: "shown", draft });
  }
}

/** Takes over the text that another tab shows or hands over, and all that has to go with it. */
export function mirror(engine: Engine, draft: LocalDraft): void {
  const { situation } = engine;
  const { texts, base, facts, postId, unanswered, resolution, changedAt } = draft;
  Object.assign(situation, { base, unanswered: [...unanswered], resolution, changedAt });
  situation.facts = facts ?? situation.facts;
  situation.id = postId ?? situation.id;
  if (!isSame(texts, situation.texts)) {
    situation.texts = texts;
    engine.tell("elsewhere");
  }
  engine.step();
}
