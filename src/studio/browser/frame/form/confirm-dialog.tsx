import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Dialog } from "../dialog.tsx";
import { TextField } from "./field.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** Says what will happen, and what will stay. */
  readonly children: ComponentChildren;
  /** A verb with its object, such as "Delete client". */
  readonly action: string;
  /** Must be typed first, such as the name of what is deleted. */
  readonly typed?: string;
  /** Makes the change. @throws Error whose message is for the person, see `words` */
  readonly run: () => Promise<void>;
  readonly words: (error: unknown) => string;
  readonly onClose: () => void;
}

/** Asks before a change that cannot be undone. It closes by itself when the change is made, and says why it was not. */
export function ConfirmDialog({ title, children, action, typed, run, words, onClose }: ConfirmDialogProps) {
  const text = useSignal("");
  const isBusy = useSignal(false);
  const failure = useSignal<string | null>(null);
  async function confirm(): Promise<void> {
    if (isBusy.peek()) return;
    if (typed !== undefined && text.peek().trim() !== typed) {
      failure.value = `Type “${typed}” first.`;
      return;
    }
    isBusy.value = true;
    failure.value = null;
    try {
      await run();
      onClose();
    } catch (error) {
      failure.value = words(error);
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void confirm();
        }}
      >
        {children}
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to go on`}
            value={text.value}
            onInput={(value) => {
              text.value = value;
            }}
          />
        )}
        {failure.value !== null && (
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="danger" aria-disabled={isBusy.value}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
