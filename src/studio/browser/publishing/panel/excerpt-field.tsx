import { useComputed } from "@preact/signals";
import { useCallback, useEffect, useId, useState } from "preact/hooks";
import { Rendered } from "../../documents/publishing.ts";
import type { Studio, Writing } from "../../ports.ts";
import { length } from "../../saving/device/texts.ts";

interface ExcerptFieldProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Code points, as the server counts them. */
const LONGEST = 300;

/** The excerpt that lists show: written by the person, or the beginning of the text. */
export function ExcerptField({ studio, writing }: ExcerptFieldProps) {
  const id = useId();
  const [derived, setDerived] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useComputed(() => writing.texts.value.excerpt).value;
  const excerpt = typed ?? chosen ?? "";
  const isEmpty = excerpt === "";
  const isTooLong = length(excerpt) > LONGEST;

  // The derived one is shown as the server makes it, asked for when the field is looked at.
  const derive = useCallback(async (): Promise<void> => {
    try {
      const { renderMarkdown } = await studio.api.run(Rendered, { markdown: writing.texts.value.body });
      setDerived(renderMarkdown.excerpt);
    } catch {
      setDerived("");
    }
  }, [studio, writing]);
  useEffect(() => {
    if (writing.texts.value.body !== "") void derive();
  }, [writing, derive]);

  function type(value: string): void {
    const line = value.replaceAll(/\s+/g, " ");
    setTyped(line);
    if (length(line) <= LONGEST) writing.change({ excerpt: line.trim() === "" ? null : line.trim() });
  }

  return (
    <section>
      <h2>
        <label for={id}>Excerpt</label>
      </h2>
      <textarea
        id={id}
        rows={4}
        value={excerpt}
        placeholder={derived}
        readOnly={writing.isReadOnly.value}
        aria-invalid={isTooLong}
        aria-describedby={`${id}-hint`}
        onFocus={() => void derive()}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => !isTooLong && setTyped(null)}
      />
      <p id={`${id}-hint`} class={isTooLong ? "field-error" : "hint"} aria-live="polite">
        {isTooLong
          ? `Shorten it by ${length(excerpt) - LONGEST} characters. An excerpt has up to ${LONGEST}.`
          : isEmpty
            ? "Empty: lists show the beginning of the text."
            : `${length(excerpt)} of ${LONGEST} characters.`}
      </p>
    </section>
  );
}
