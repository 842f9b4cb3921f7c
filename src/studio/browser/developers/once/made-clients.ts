import { type ReadonlySignal, signal } from "@preact/signals";

/** Clients made in this tab whose secret nobody has said to have yet, with that secret; null for a client without one. */
const made = signal<ReadonlyMap<string, string | null>>(new Map());

/** They stay in memory alone, so that Back and another page lose nothing, and a reload everything. */
export function madeClients(): ReadonlySignal<ReadonlyMap<string, string | null>> {
  return made;
}

export function keepMade(id: string, secret: string | null): void {
  made.value = new Map([...made.peek(), [id, secret]]);
}

export function forgetMade(id: string): void {
  made.value = new Map([...made.peek()].filter(([other]) => other !== id));
}
