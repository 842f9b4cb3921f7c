import { useId, useState } from "preact/hooks";
import { postFailureWords } from "../../api/failure-words.ts";
import { type HistoryEntry, NameRevision } from "../../documents/history.ts";
import { Dialog } from "../../frame/dialog.tsx";
import type { Api } from "../../ports.ts";
import "../publishing.css";

interface NameDialogProps {
  readonly api: Api;
  readonly postId: string;
  readonly entry: HistoryEntry;
  /** Told the name that the server has now; null without one. */
  readonly onNamed: (name: string | null) => void;
  readonly onClose: () => void;
}

/** Length of the longest name, as the server has it. */
const LONGEST = 200;

/** Names a version of the post, for everybody who may change it. */
export function NameDialog({ api, postId, entry, onNamed, onClose }: NameDialogProps) {
  const field = useId();
  const [text, setText] = useState(entry.name ?? "");
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function save(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    const name = text.trim() === "" ? null : text.trim();
    try {
      await api.run(NameRevision, { id: postId, revision: entry.id, name }, { key: crypto.randomUUID() });
      onNamed(name);
      onClose();
    } catch (error) {
      setFailure(postFailureWords(error));
      setSending(false);
    }
  }

  return (
    <Dialog title={`Name of version ${entry.version}`} onClose={onClose}>
      <form
        class="publish"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {failure !== null && (
          <div class="note danger" role="alert">
            <p>{failure}</p>
          </div>
        )}
        <div class="field">
          <label for={field}>Name</label>
          <input
            id={field}
            dir="auto"
            maxLength={LONGEST}
            value={text}
            aria-describedby={`${field}-hint`}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          <p id={`${field}-hint`} class="hint">
            Everybody who may change the post sees the name. Leave it empty to have none.
          </p>
        </div>
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" aria-disabled={isSending}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  );
}
