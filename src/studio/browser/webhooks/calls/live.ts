import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/**
 * Runs work again and again while somebody looks at the element, and immediately when they come back to the tab. Failures
 * are left to the next round.
 *
 * @param interval milliseconds; null for no work
 */
export function useLive(
  element: RefObject<HTMLElement | null>,
  work: () => Promise<unknown>,
  interval: number | null,
): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (interval === null) return undefined;
    let isBusy = false;
    async function look(): Promise<void> {
      if (isBusy || document.visibilityState !== "visible" || element.current?.checkVisibility() !== true) return;
      isBusy = true;
      await latest.current().catch(() => undefined);
      isBusy = false;
    }
    const timer = setInterval(() => void look(), interval);
    const come = () => void look();
    document.addEventListener("visibilitychange", come);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", come);
    };
  }, [element, interval]);
}
