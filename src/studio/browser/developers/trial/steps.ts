import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** A text that a step sent or got, such as the address of a request. */
interface StepPart {
  readonly label: string;
  readonly text: string;
}

/** A step of the flow. `open`: it has not begun. */
export interface Step {
  readonly name: string;
  readonly state: "open" | "running" | "done" | "failed";
  /** Why it failed; null where it did not. */
  readonly failure: string | null;
  readonly parts: readonly StepPart[];
}

/** The steps of a trial, in their order. */
export class Steps<Name extends string> {
  readonly #list: Signal<readonly Step[]>;
  readonly #words: (error: unknown) => string;

  /** @param words a sentence for a failure */
  constructor(names: readonly Name[], words: (error: unknown) => string) {
    this.#list = signal(names.map((name) => ({ name, state: "open", failure: null, parts: [] })));
    this.#words = words;
  }

  get list(): ReadonlySignal<readonly Step[]> {
    return this.#list;
  }

  /** Does the work of a step. @throws as the work */
  async run<Result>(
    name: Name,
    work: (show: (label: string, value: unknown) => void) => Promise<Result>,
  ): Promise<Result> {
    this.#change(name, { state: "running", failure: null, parts: [] });
    try {
      const result = await work((label, value) => this.#show(name, label, textOf(value)));
      this.#change(name, { state: "done" });
      return result;
    } catch (error) {
      this.#change(name, { state: "failed", failure: this.#words(error) });
      throw error;
    }
  }

  #show(name: Name, label: string, text: string): void {
    const parts = this.#list.peek().find((step) => step.name === name)?.parts ?? [];
    this.#change(name, { parts: [...parts, { label, text }] });
  }

  #change(name: Name, change: Partial<Step>): void {
    this.#list.value = this.#list.peek().map((step) => (step.name === name ? { ...step, ...change } : step));
  }
}

const TOKENS: ReadonlySet<string> = new Set(["access_token", "refresh_token", "id_token"]);

/** JSON with tokens cut short: nobody needs the whole of one that is about to end. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  const short = (name: string, one: unknown) =>
    TOKENS.has(name) && typeof one === "string" ? `${one.slice(0, 12)}…` : one;
  return JSON.stringify(value, short, 2);
}

/** An address with each of its parameters in a line of its own. */
export function linesOf(address: URL): string {
  const parameters = [...address.searchParams].map(([name, value]) => `  ${name}=${value}`);
  return [address.origin + address.pathname, ...parameters].join("\n");
}

/** The two readable parts of a JWT. */
export function decodeJwt(token: string): { readonly header: unknown; readonly claims: unknown } {
  const [header, claims] = token.split(".").map((part) => part.replaceAll("-", "+").replaceAll("_", "/"));
  const read = (part = "") => JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(part), (c) => c.charCodeAt(0))));
  return { header: read(header), claims: read(claims) };
}
