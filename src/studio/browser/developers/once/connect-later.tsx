import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import type { OwnClientFacts } from "../../documents/developers.ts";
import { loadPart } from "../../frame/document/parts.ts";

type Connect = ComponentType<{ readonly client: OwnClientFacts }>;

/** Code and URLs for the client. They come after the rest of the page, which does not wait for them. */
export function ConnectLater({ client }: { readonly client: OwnClientFacts }) {
  const part = useSignal<{ readonly Connect: Connect } | "failed" | null>(null);
  const load = () =>
    loadPart("developers/once/connect", () => import("./connect.tsx")).then(
      (loaded) => {
        part.value = loaded;
      },
      () => {
        part.value = "failed";
      },
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void load(), []);
  if (part.value === null) return null;
  if (part.value !== "failed") return <part.value.Connect client={client} />;
  return (
    <section class="section stack" aria-label="Code">
      <p class="field-error" role="alert">
        The code could not be loaded.
      </p>
      <div class="actions">
        <button type="button" onClick={() => void load()}>
          Try again
        </button>
      </div>
    </section>
  );
}
