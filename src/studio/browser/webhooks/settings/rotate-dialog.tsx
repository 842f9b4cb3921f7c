import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { ConfirmDialog } from "../../frame/form/confirm-dialog.tsx";
import { webhookFailureWords } from "../calls/call-words.ts";

interface RotateDialogProps {
  /** @param isLeaked whether the old secret ends immediately @throws ApiFailure */
  readonly run: (isLeaked: boolean) => Promise<void>;
  readonly onClose: () => void;
}

/** Asks how the old secret ends, before a new one is made. */
export function RotateDialog({ run, onClose }: RotateDialogProps) {
  const isLeaked = useSignal(false);
  const id = useId();
  const choices = [
    [false, "Both secrets sign for one day", "Change the receiver at any time within that day. It misses no call."],
    [true, "The old secret has leaked", "It ends immediately. The receiver rejects calls until it has the new one."],
  ] as const;
  return (
    <ConfirmDialog
      title="Make a new secret?"
      action="Make a new secret"
      words={webhookFailureWords}
      onClose={onClose}
      run={() => run(isLeaked.peek())}
    >
      <fieldset>
        <legend class="visually-hidden">The old secret</legend>
        {choices.map(([value, title, help]) => (
          <div key={title} class="choice">
            <input
              type="radio"
              name={id}
              id={`${id}-${value}`}
              aria-describedby={`${id}-${value}-help`}
              checked={isLeaked.value === value}
              onChange={() => {
                isLeaked.value = value;
              }}
            />
            <div class="choice-words">
              <label for={`${id}-${value}`}>{title}</label>
              <p id={`${id}-${value}-help`} class="hint">
                {help}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
    </ConfirmDialog>
  );
}
