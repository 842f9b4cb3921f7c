import { useSignal } from "@preact/signals";
import { Dialog } from "../frame/dialog.tsx";
import { download } from "../saving/device/download.ts";
import type { LocalDraft } from "../saving/device/local-draft.ts";
import { signOut } from "./program/sign-out.ts";
import type { OpenStudio } from "./program/start.ts";

interface SignOutDialogProps {
  readonly studio: OpenStudio;
  readonly texts: readonly LocalDraft[];
}

/** Asks about texts that a sign-out would delete, because the server does not have them. */
export function SignOutDialog({ studio, texts }: SignOutDialogProps) {
  const failure = useSignal<string | null>(null);
  const close = () => {
    studio.leaving.value = null;
  };
  const title = texts.length === 1 ? "1 post is on this device only" : `${texts.length} posts are on this device only`;
  return (
    <Dialog title={title} onClose={close}>
      <p>
        The server does not have {texts.length === 1 ? "it" : "them"} yet. Signing out deletes what this device keeps.
      </p>
      <ul class="left-texts">
        {texts.map(({ key, texts: text }) => (
          <li key={key}>
            <span dir="auto">{text.title.trim() === "" ? "Untitled" : text.title}</span>
            <button type="button" onClick={() => download(text)}>
              Download
            </button>
          </li>
        ))}
      </ul>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      <div class="dialog-actions">
        <button type="button" onClick={close}>
          Keep writing
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            signOut(studio).catch((error: Error) => {
              failure.value = `You are still signed in: ${error.message}`;
            });
          }}
        >
          Delete and sign out
        </button>
      </div>
    </Dialog>
  );
}
