import { signal } from "@preact/signals";
import type { Merged, Texts } from "../../ports.ts";
import { isSame } from "../device/texts.ts";
import type { Ports } from "./ports.ts";
import { changesOf } from "./state-words.ts";

/** Milliseconds within which further changes of one person belong to the notice that was given. */
const GOES_ON = 60_000;

interface Record extends Merged {
  readonly by: string | null;
  readonly at: number;
}

/** Says what was merged into the text, and keeps it for people who want to see it (S33). */
export class Merges {
  readonly shown = signal<Merged | null>(null);
  readonly #ports: Pick<Ports, "notify" | "person" | "clock">;
  #last: { record: Record } | null = null;

  constructor(ports: Pick<Ports, "notify" | "person" | "clock">) {
    this.#ports = ports;
  }

  /**
   * Changes of somebody who goes on writing are told once, and shown together, as long as nothing was written here.
   *
   * @param by name of the other person; null if not known
   */
  note(before: Texts, after: Texts, by: string | null): void {
    const { notify, person, clock } = this.#ports;
    const at = clock.now();
    const last = this.#last?.record;
    if (last !== undefined && last.by === by && at - last.at < GOES_ON && isSame(last.after, before)) {
      if (this.#last !== null) this.#last.record = { ...last, after, at };
      return;
    }
    const told = { record: { before, after, by, at, title: changesOf(by, person.name) } };
    this.#last = told;
    notify(`${told.record.title} were merged.`, {
      label: "Show",
      run: () => {
        this.shown.value = told.record;
      },
    });
  }
}
