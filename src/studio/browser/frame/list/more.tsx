import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

interface MoreProps {
  readonly list: {
    readonly rows: ReadonlySignal<unknown>;
    readonly failure: ReadonlySignal<unknown>;
    readonly isLoading: ReadonlySignal<boolean>;
    more(): Promise<void>;
  };
}

/** Loads the next page when it comes into view, or by its button. */
export function More({ list }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the button
  useEffect(() => {
    if (button.current === null) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true && list.failure.peek() === null) void list.more();
      },
      { rootMargin: "600px" },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [list, list.rows.value]);
  return (
    <button
      ref={button}
      type="button"
      class="more"
      aria-disabled={list.isLoading.value}
      onClick={() => void list.more()}
    >
      Load more
    </button>
  );
}
