import { useState } from "preact/hooks";

interface CopyButtonProps {
  readonly text: string;
  /** The element that is selected where the browser does not let the page copy. */
  readonly fieldId: string;
}

/** Copies a text, and says so. */
export function CopyButton({ text, fieldId }: CopyButtonProps) {
  const [words, setWords] = useState("Copy");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setWords("Copied");
    } catch {
      const field = document.getElementById(fieldId);
      if (field instanceof HTMLInputElement) field.select();
      setWords("Selected. Press Ctrl+C");
    }
  }
  return (
    <button type="button" onClick={() => void copy()}>
      <span aria-live="polite">{words}</span>
    </button>
  );
}
