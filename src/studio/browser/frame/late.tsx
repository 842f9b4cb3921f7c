import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";

/** A component that is loaded when it is first shown. Made once, outside of components. */
export interface LatePart<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  /** Set once it is there. */
  component?: ComponentType<Props>;
}

interface LateProps<Props> {
  readonly part: LatePart<Props>;
  readonly props: Props;
}

/** Shows a part as soon as it is loaded. Where it cannot be loaded, it says so and tries again. */
export function Late<Props extends object>({ part, props }: LateProps<Props>) {
  const attempt = useSignal(0);
  const state = useSignal<"waiting" | "failed" | "ready">("waiting");
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads once
  useEffect(() => {
    if (part.component !== undefined) return;
    part.load().then(
      (component) => {
        part.component = component;
        state.value = "ready";
      },
      () => {
        state.value = "failed";
      },
    );
  }, [part, attempt.value]);
  const Component = part.component;
  if (Component !== undefined) return <Component {...props} />;
  if (state.value !== "failed") return null;
  return (
    <p class="note danger" role="alert">
      This part could not be loaded.
      <button
        type="button"
        onClick={() => {
          state.value = "waiting";
          attempt.value += 1;
        }}
      >
        Try again
      </button>
    </p>
  );
}
