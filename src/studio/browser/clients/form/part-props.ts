import type { Signal } from "@preact/signals";
import type { ClientDraft, DraftError } from "./client-draft.ts";

/** Input of each part of the form. */
export interface PartProps {
  readonly draft: Signal<ClientDraft>;
  readonly error: DraftError | null;
  readonly isNew: boolean;
}
