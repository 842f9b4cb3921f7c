import { useSignal } from "@preact/signals";
import { Dialog } from "../frame/dialog.tsx";
import { dayCount } from "../publishing/sentences.ts";
import type { BulkAction } from "./bulk.ts";
import type { Row } from "./post-list.ts";
import { titleOf } from "./row-words.ts";

interface BulkDialogProps {
  readonly action: BulkAction;
  /** The rows that the action concerns. */
  readonly rows: readonly Row[];
  /** Days for which deleted posts can be restored. */
  readonly deletedDays: number;
  readonly onClose: () => void;
  readonly onConfirm: (action: BulkAction, rows: readonly Row[]) => void;
}

const VERBS: Readonly<Record<BulkAction, string>> = {
  publish: "Publish",
  unpublish: "Unpublish",
  archive: "Archive",
  delete: "Delete",
};

function consequences(action: BulkAction, isOne: boolean, deletedDays: number): string {
  const them = isOne ? "it" : "them";
  switch (action) {
    case "publish":
      return `Everybody who may read posts sees ${them}, with the text as it is saved now. Webhooks are called.`;
    case "unpublish":
      return `Readers no longer see ${them}. ${isOne ? "It becomes a draft" : "They become drafts"}, and webhooks are called.`;
    case "archive":
      return `Readers no longer see ${them}. You find ${them} under Archived, and webhooks are called.`;
    case "delete":
      if (deletedDays === 0)
        return `${isOne ? "It is gone for everybody, with its history" : "They are gone for everybody, with their history"}. This cannot be undone. Webhooks are called.`;
      return `Readers and apps no longer find ${them}. For ${dayCount(deletedDays)} you can restore ${them}, under Deleted. Webhooks are called.`;
  }
}

/** Above this number, the person types it. */
const MANY = 10;
/** Titles that are named. */
const NAMED = 5;

/** Says what readers and webhooks will see before anything is changed. */
export function BulkDialog({ action, rows, deletedDays, onClose, onConfirm }: BulkDialogProps) {
  const typed = useSignal("");
  const count = rows.length;
  const isTyped = action === "delete" && count > MANY;
  const isReady = !isTyped || typed.value.trim() === String(count);
  const title = `${VERBS[action]} ${count === 1 ? "1 post" : `${count} posts`}?`;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) onConfirm(action, rows);
        }}
      >
        <ul class="named">
          {rows.slice(0, NAMED).map((row) => (
            <li key={row.id} dir="auto">
              {titleOf(row)}
            </li>
          ))}
          {count > NAMED && <li class="muted">and {count - NAMED} more</li>}
        </ul>
        <p>{consequences(action, count === 1, deletedDays)}</p>
        {isTyped && (
          <div class="field confirm-number">
            <label for="confirm-number">Type {count} to delete them</label>
            <input
              id="confirm-number"
              inputMode="numeric"
              autocomplete="off"
              value={typed.value}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value;
              }}
            />
          </div>
        )}
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={action === "delete" ? "danger" : "primary"} disabled={!isReady}>
            {VERBS[action]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
