import type { Writing } from "../ports.ts";
import { othersEditing } from "./sending/state-words.ts";

/** Says who else writes the post. It informs, and stops nobody (S38). */
export function OthersLine({ writing }: { readonly writing: Writing }) {
  const words = othersEditing(writing.others.value);
  return (
    <p class="others-line" role="status" title={words}>
      {words}
    </p>
  );
}
