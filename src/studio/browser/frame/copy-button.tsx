import { useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  /** The element that is selected where the browser does not let the page copy. */
  readonly fieldId: string;
  /** What is copied, for screen readers, where a page has several such buttons. */
  readonly of?: string;
}

/** Copies a text, and says so. */
export function CopyButton({ text, fieldId, of }: CopyButtonProps) {
  const [words, setWords] = useState("Copy");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setWords("Copied");
    } catch {
      const field = document.getElementById(fieldId);
      if (field instanceof HTMLInputElement) field.select();
      else if (field !== null) getSelection()?.selectAllChildren(field);
      setWords("Selected. Press Ctrl+C");
    }
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{words}</span>
      {of !== undefined && <span class="visually-hidden">{of}</span>}
    </button>
  );
}
