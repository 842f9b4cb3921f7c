import { useEffect, useRef } from "preact/hooks";
import type { Writing } from "../ports.ts";
import { fitHeight } from "./fit-height.ts";

interface TitleProps {
  readonly writing: Writing;
  readonly language: string;
  /** Called for Enter and the arrow down, which go on to the text. */
  readonly onLeave: () => void;
}

/** The title in a field of its own. It wraps like a heading, and has one line all the same. */
export function Title({ writing, language, onLeave }: TitleProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    if (element === null) return undefined;
    const show = () => {
      const { title } = writing.texts.peek();
      if (element.value !== title) element.value = title;
      fitHeight(element);
    };
    show();
    if (writing.id.peek() === null && !writing.isReadOnly.peek()) element.focus({ preventScroll: true });
    const stop = writing.onReplaced(show);
    const fit = () => fitHeight(element);
    addEventListener("resize", fit);
    return () => {
      stop();
      removeEventListener("resize", fit);
    };
  }, [writing]);
  return (
    <textarea
      ref={field}
      class="writing-title"
      rows={1}
      dir="auto"
      lang={language}
      placeholder="Title"
      aria-label="Title"
      spellcheck
      autocapitalize="sentences"
      readOnly={writing.isReadOnly.value}
      onCompositionStart={() => {
        writing.isComposing.value = true;
      }}
      onCompositionEnd={() => {
        writing.isComposing.value = false;
      }}
      onKeyDown={(event) => {
        if (event.isComposing || event.keyCode === 229) return;
        const { selectionStart, value } = event.currentTarget;
        const isDown = event.key === "ArrowDown" && !event.shiftKey && selectionStart === value.length;
        if ((event.key !== "Enter" || event.ctrlKey || event.metaKey) && !isDown) return;
        event.preventDefault();
        onLeave();
      }}
      onInput={(event) => {
        const element = event.currentTarget;
        // Lines of a pasted text become one.
        if (element.value.includes("\n")) {
          const at = element.selectionEnd;
          element.value = element.value.replaceAll("\n", " ");
          element.setSelectionRange(at, at);
        }
        fitHeight(element);
        writing.change({ title: element.value });
      }}
    />
  );
}
