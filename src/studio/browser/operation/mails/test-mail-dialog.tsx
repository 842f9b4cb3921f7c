import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Dialog } from "../../frame/dialog.tsx";
import { TextField } from "../../frame/form/field.tsx";
import { ApiFailure } from "../../ports.ts";
import { changeWords } from "../change-words.ts";

interface TestMailDialogProps {
  /** @throws ApiFailure */
  readonly send: (to: string, key: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks where to send a mail that says that mail works. */
export function TestMailDialog({ send, onClose }: TestMailDialogProps) {
  const to = useSignal("");
  const error = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const key = useRef({ to: "", id: "" });

  async function submit(): Promise<void> {
    const address = to.peek().trim();
    if (isBusy.peek()) return;
    if (address === "") {
      error.value = "Enter an e-mail address.";
      return;
    }
    // The same key for the same address, so that trying again sends one mail.
    if (key.current.to !== address) key.current = { to: address, id: crypto.randomUUID() };
    isBusy.value = true;
    error.value = null;
    try {
      await send(address, key.current.id);
      onClose();
    } catch (failure) {
      const isWrong = failure instanceof ApiFailure && failure.field !== null;
      error.value = isWrong ? "This is not a valid e-mail address." : changeWords(failure);
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <Dialog title="Send a test mail" onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField
          label="E-mail address"
          type="email"
          value={to.value}
          error={error.value}
          hint="A short mail says that mail works. The list then says whether the mail server accepted it."
          onInput={(value) => {
            to.value = value;
          }}
        />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            Send
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
