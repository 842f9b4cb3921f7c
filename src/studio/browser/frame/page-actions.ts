import { signal } from "@preact/signals";

/** Something that the page that is open can do, for the palette. */
export interface PageAction {
  readonly name: string;
  run(): void;
}

const offered = signal<readonly PageAction[]>([]);

/** @returns how to take them away */
export function offerActions(actions: readonly PageAction[]): () => void {
  offered.value = [...offered.peek(), ...actions];
  return () => {
    offered.value = offered.peek().filter((action) => !actions.includes(action));
  };
}

/** Actions of the page as it is now. */
export function pageActions(): readonly PageAction[] {
  return offered.value;
}
