import type { Engine } from "./sending/engine.ts";
import { isAllSent } from "./sending/writing.ts";

/** Whether a text became a post whose lock this tab does not have: another tab may write that post. */
export function isGuest({ situation }: Engine): boolean {
  const { id, key, isWriter } = situation;
  return isWriter && id !== null && key !== id;
}

/** Whether the server has everything that a guest wrote. */
export function isDone(engine: Engine): boolean {
  const { isClosed, isComposing } = engine.situation;
  return isGuest(engine) && !isClosed && !isComposing && isAllSent(engine);
}
