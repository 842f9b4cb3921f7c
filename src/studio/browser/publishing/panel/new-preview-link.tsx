import { useEffect, useId, useRef, useState } from "preact/hooks";
import { postFailureWords } from "../../api/failure-words.ts";
import { History, type HistoryEntry } from "../../documents/history.ts";
import { CreatePreviewLink } from "../../documents/preview-links.ts";
import { CopyButton } from "../../frame/copy-button.tsx";
import { Dialog } from "../../frame/dialog.tsx";
import type { Studio, Writing } from "../../ports.ts";
import { revisionName } from "../history/revision-words.ts";

interface NewPreviewLinkProps {
  readonly studio: Studio;
  readonly writing: Writing;
  readonly onClose: () => void;
}

const DAY = 86_400_000;
const EXPIRIES = [1, 7, 30];

/** Makes a link, and shows its address this once: the server keeps a hash of it only. */
export function NewPreviewLink({ studio, writing, onClose }: NewPreviewLinkProps) {
  const id = useId();
  const [days, setDays] = useState(7);
  const [revision, setRevision] = useState("");
  const [entries, setEntries] = useState<readonly HistoryEntry[]>([]);
  const [url, setUrl] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const link = useRef<HTMLInputElement>(null);

  const { api } = studio;
  const postId = writing.id.value;
  useEffect(() => {
    if (postId === null) return;
    api.run(History, { id: postId }).then(
      ({ post }) =>
        setEntries(post?.revisions.edges.map(({ node }) => node).filter(({ title }) => title !== null) ?? []),
      () => undefined, // a link that follows the text can be made without the list
    );
  }, [api, postId]);

  // The button that made it is gone: the focus is on what it made, ready to be copied.
  useEffect(() => {
    if (url !== null) link.current?.focus();
  }, [url]);

  async function make(): Promise<void> {
    if (isSending) return;
    setSending(true);
    setFailure(null);
    try {
      const settled = await writing.settle();
      const expiresAt = new Date(Date.now() + days * DAY).toISOString();
      const { createPreviewLink } = await api.run(
        CreatePreviewLink,
        { id: settled.id, expiresAt, ...(revision !== "" && { revision }) },
        { key: crypto.randomUUID() },
      );
      setUrl(createPreviewLink?.url ?? null);
    } catch (error) {
      setFailure(postFailureWords(error));
    }
    setSending(false);
  }

  return (
    <Dialog title="New preview link" onClose={onClose}>
      <form
        class="publish"
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {failure !== null && (
          <div class="note danger" role="alert">
            <p>{failure}</p>
          </div>
        )}
        {url === null ? (
          <>
            <p>Anybody with the link may read this draft, without signing in, until the link expires.</p>
            <div class="field">
              <label for={`${id}-days`}>Expires</label>
              <select
                id={`${id}-days`}
                value={days}
                onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
              >
                {EXPIRIES.map((count) => (
                  <option key={count} value={count}>
                    {count === 1 ? "In 1 day" : `In ${count} days`}
                  </option>
                ))}
              </select>
            </div>
            <div class="field">
              <label for={`${id}-shows`}>Shows</label>
              <select
                id={`${id}-shows`}
                value={revision}
                onChange={({ currentTarget }) => setRevision(currentTarget.value)}
              >
                <option value="">The text as it is being written</option>
                {entries.map((entry) => (
                  <option key={entry.id} value={entry.id}>
                    {revisionName(entry)}
                  </option>
                ))}
              </select>
            </div>
            <div class="dialog-actions">
              <button type="button" onClick={onClose}>
                Cancel
              </button>
              <button type="submit" class="primary" aria-disabled={isSending}>
                Make the link
              </button>
            </div>
          </>
        ) : (
          <>
            <p role="status">Copy the link now. It is shown only once.</p>
            <div class="field">
              <label for={id}>Link</label>
              <div class="copy-row">
                <input
                  ref={link}
                  id={id}
                  readOnly
                  value={url}
                  onFocus={({ currentTarget }) => currentTarget.select()}
                />
                <CopyButton text={url} fieldId={id} />
              </div>
            </div>
            <div class="dialog-actions">
              <button type="button" class="primary" onClick={onClose}>
                Done
              </button>
            </div>
          </>
        )}
      </form>
    </Dialog>
  );
}
