import { useEffect, useId, useRef, useState } from "preact/hooks";
import { CopyButton } from "../frame/copy-button.tsx";
import type { PostFacts } from "../ports.ts";

interface PublishedViewProps {
  readonly post: PostFacts | null;
  readonly detail: string;
  /** null where there is nothing to take back. */
  readonly undo: (() => Promise<void>) | null;
  readonly onClose: () => void;
}

/** Milliseconds for which Undo is offered. Unpublish stays in the side panel. */
const UNDO = 10_000;

/** The view after publishing: the address, and a button that takes the post back. */
export function PublishedView({ post, detail, undo, onClose }: PublishedViewProps) {
  const field = useId();
  const close = useRef<HTMLButtonElement>(null);
  const [canUndo, setCanUndo] = useState(undo !== null);
  const address = post?.status === "PUBLISHED" ? post.url : null;
  useEffect(() => {
    close.current?.focus();
    const timer = setTimeout(() => setCanUndo(false), UNDO);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="publish">
      <p role="status">{detail}</p>
      {address !== null && (
        <div class="field">
          <label for={field}>Address</label>
          <div class="copy-row">
            <input id={field} readOnly value={address} onFocus={({ currentTarget }) => currentTarget.select()} />
            <CopyButton text={address} fieldId={field} />
          </div>
        </div>
      )}
      <div class="dialog-actions">
        <button ref={close} type="button" class="primary" onClick={onClose}>
          Done
        </button>
        {address !== null && (
          <a class="button" href={address} target="_blank" rel="noreferrer">
            View
          </a>
        )}
        {undo !== null && canUndo && (
          <button type="button" onClick={() => void undo()}>
            Undo
          </button>
        )}
      </div>
    </div>
  );
}
