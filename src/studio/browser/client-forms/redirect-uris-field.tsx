import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TextField } from "../frame/form/field.tsx";
import { judgeUris } from "./redirect-uris.ts";
import "./client-forms.css";

/** Milliseconds after the last key before a line is judged: nobody wants to read about half a URI. */
const TYPING = 400;

interface RedirectUrisFieldProps {
  readonly label: string;
  /** URIs, one in each line. */
  readonly text: string;
  readonly onInput: (text: string) => void;
  readonly hint?: string;
  /** Sentence of the server or the form about a mistake; null where nothing is wrong. */
  readonly error?: string | null;
  readonly isRequired?: boolean;
}

/** A field for redirect URIs. Below it, each line that has a mistake, or that people often get wrong, is explained. */
export function RedirectUrisField({
  label,
  text,
  onInput,
  hint,
  error = null,
  isRequired = false,
}: RedirectUrisFieldProps) {
  const judged = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      judged.value = text;
    }, TYPING);
    return () => clearTimeout(timer);
  }, [text, judged]);
  const noted = judgeUris(judged.value).filter((line) => line.error !== null || line.advice !== null);
  const lines = text.split("\n").length;
  return (
    <div>
      <TextField
        {...{ label, error, isRequired, onInput }}
        value={text}
        rows={Math.min(8, Math.max(3, lines + 1))}
        placeholder="https://app.example.com/callback"
        hint={hint ?? "One in each line. The program must send one of them character by character."}
        onBlur={() => {
          judged.value = text;
        }}
      />
      <ul class="judged" aria-live="polite">
        {noted.map((line) => (
          <li key={line.uri} class={line.error === null ? "hint" : "field-error"}>
            <code>{line.uri}</code> {line.error ?? line.advice}
          </li>
        ))}
      </ul>
    </div>
  );
}
