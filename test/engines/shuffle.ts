import { type Message, takeTexts } from "./messages.ts";

/** A statement that was executed, or the end of what is answered together. */
type Step = { readonly text: string } | "sync";

/**
 * Reverses the rows of one connection's answers to statements that name no order. An engine may give these in any order, and
 * PostgreSQL mostly gives them in that of their insertion.
 */
export class Shuffle {
  readonly #prepared = new Map<string, string>();
  readonly #portals = new Map<string, string>();
  readonly #steps: Step[] = [];
  #rows: Message[] = [];
  readonly #told: (text: string) => void;

  /** @param told gets each statement whose rows came in another order */
  constructor(told: (text: string) => void) {
    this.#told = told;
  }

  asked({ type, body }: Message): void {
    const [first = "", second = ""] =
      "PBE".includes(type) && type !== "" ? takeTexts(body, type === "E" ? 1 : 2).texts : [];
    if (type === "P") this.#prepared.set(first, second);
    if (type === "B") this.#portals.set(first, this.#prepared.get(second) ?? "");
    if (type === "E") this.#steps.push({ text: this.#portals.get(first) ?? "" });
    if (type === "S" || type === "Q") this.#steps.push("sync");
  }

  answered(message: Message): readonly Message[] {
    const { type } = message;
    const [step] = this.#steps;
    if (type === "Z") {
      this.#steps.splice(0, this.#steps.indexOf("sync") + 1); // after an error, statements before it have no answer
      return [message];
    }
    if (step === undefined || step === "sync") return [message];
    if (type === "D" && !/order by/i.test(step.text)) {
      this.#rows.push(message);
      return [];
    }
    if (!["C", "E", "I", "s"].includes(type)) return [message];
    const rows = this.#rows.reverse();
    this.#rows = [];
    this.#steps.shift();
    if (rows.length > 1) this.#told(step.text);
    return [...rows, message];
  }
}
