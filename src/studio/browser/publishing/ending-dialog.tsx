import { useState } from "preact/hooks";
import { postFailureWords } from "../api/failure-words.ts";
import { Dialog } from "../frame/dialog.tsx";
import type { Studio, Writing } from "../ports.ts";
import { changeState, deletePost, discardText, restorePost } from "./changes.ts";
import { putBack } from "./put-back.ts";
import { type Ending, endingWords } from "./sentences.ts";
import "./publishing.css";

interface EndingDialogProps {
  readonly ending: Ending;
  readonly studio: Studio;
  readonly writing: Writing;
  readonly onClose: () => void;
}

/** Asks before something disappears, and says for whom. */
export function EndingDialog({ ending, studio, writing, onClose }: EndingDialogProps) {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [post] = useState(writing.post.value);
  if (post === null) return null;
  const { id } = post;
  const { deletedDays } = studio.server.value;
  const words = endingWords(ending, post, deletedDays);

  async function run(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    const texts = writing.texts.value;
    try {
      if (ending === "delete") await deletePost(studio, writing);
      else if (ending === "discard") await discardText(studio.api, writing);
      else await changeState(studio.api, writing, ending);
      onClose();
      const undos: { readonly [Name in Ending]?: () => void | Promise<void> } = {
        discard: () => putBack(studio, writing, texts),
        ...(deletedDays > 0 && { delete: () => restorePost(studio, id) }),
      };
      const run = undos[ending];
      studio.notify(words.done, run && { label: "Undo", run });
      if (ending === "delete") studio.go("/posts");
    } catch (error) {
      setFailure(postFailureWords(error));
      setSending(false);
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="publish">
        {failure !== null && (
          <div class="note danger" role="alert">
            <p>{failure}</p>
          </div>
        )}
        <ul class="ending-sentences">
          {words.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            class={ending === "delete" ? "danger" : "primary"}
            aria-disabled={isSending}
            onClick={() => void run()}
          >
            {words.button}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
