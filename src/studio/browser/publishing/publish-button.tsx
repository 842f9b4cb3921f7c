import { useEffect, useRef, useState } from "preact/hooks";
import type { Studio, Writing } from "../ports.ts";
import { EndingDialog } from "./ending-dialog.tsx";
import { followSchedule } from "./go-live.ts";
import { PublishDialog } from "./publish-dialog.tsx";
import { useHasChanges } from "./use-has-changes.ts";
import "./publishing.css";

interface PublishButtonProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** The one step from the text to its readers. Ctrl+Enter presses it. */
export function PublishButton({ studio, writing }: PublishButtonProps) {
  const [open, setOpen] = useState<"publish" | "unpublish" | null>(null);
  const post = writing.post.value;
  const hasChanges = useHasChanges(writing);
  const isDisabled =
    writing.isReadOnly.value || (post?.status === "PUBLISHED" && !hasChanges) || !studio.isOnline.value;
  const action = post?.status === "ARCHIVED" ? "unpublish" : "publish";
  // Keys are looked at by what holds when they are pressed, which may be before the next rendering.
  const press = useRef<(event: KeyboardEvent) => void>(() => undefined);
  press.current = (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    if (event.isComposing || writing.isComposing.value || isDisabled) return;
    if (document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    event.stopPropagation();
    setOpen(action);
  };

  useEffect(() => followSchedule(studio, writing), [studio, writing]);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press.current(event);
    // Before the editor, for which Ctrl+Enter is a key like others.
    document.addEventListener("keydown", listen, { capture: true });
    return () => document.removeEventListener("keydown", listen, { capture: true });
  }, []);

  return (
    <>
      <button
        type="button"
        class="primary publish-button"
        disabled={isDisabled}
        aria-keyshortcuts="Control+Enter"
        title="Ctrl+Enter"
        onClick={() => setOpen(action)}
      >
        {label(post?.status ?? "DRAFT", post?.publishAt ?? null, hasChanges)}
      </button>
      {open === "publish" && <PublishDialog studio={studio} writing={writing} onClose={() => setOpen(null)} />}
      {open === "unpublish" && (
        <EndingDialog ending="unpublish" studio={studio} writing={writing} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

function label(status: "DRAFT" | "PUBLISHED" | "ARCHIVED", publishAt: string | null, hasChanges: boolean): string {
  if (status === "ARCHIVED") return "Make it a draft";
  if (status === "PUBLISHED") return hasChanges ? "Update" : "Published";
  if (publishAt === null) return "Publish";
  return hasChanges ? "Include changes" : "Schedule";
}
