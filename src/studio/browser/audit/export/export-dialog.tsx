import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { readFailureWords } from "../../api/failure-words.ts";
import { AuditRows } from "../../documents/audit.ts";
import type { AuditFilter } from "../../documents/inputs.ts";
import { Dialog } from "../../frame/dialog.tsx";
import { saveFile } from "../../frame/save-file.ts";
import type { Studio } from "../../ports.ts";
import { FORMATS } from "./formats.ts";
import { MOST_ENTRIES, walkEntries } from "./walk.ts";

interface ExportDialogProps {
  readonly studio: Studio;
  readonly filter: AuditFilter;
  /** The command that lists the entries before a time (RFC 3339) at the terminal. */
  readonly commandUntil: (until: string) => string;
  readonly onClose: () => void;
}

const COUNTS = new Intl.NumberFormat("en");

/** Saves the entries that the filters select as a file. Closing it cancels. */
export function ExportDialog({ studio, filter, commandUntil, onClose }: ExportDialogProps) {
  const choice = useSignal<keyof typeof FORMATS>("csv");
  const count = useSignal<number | null>(null);
  const failure = useSignal<string | null>(null);
  const oldest = useSignal<string | null>(null);
  const work = useRef<AbortController | null>(null);
  useEffect(() => () => work.current?.abort(), []);

  async function save(): Promise<void> {
    if (count.peek() !== null) return;
    const format = FORMATS[choice.peek()];
    work.current = new AbortController();
    const { signal } = work.current;
    count.value = 0;
    failure.value = null;
    try {
      const walked = await walkEntries({
        format,
        signal,
        async load(first, after) {
          const { auditEntries } = await studio.api.run(AuditRows, { first, after, filter }, { signal });
          return { rows: auditEntries.nodes, pageInfo: auditEntries.pageInfo };
        },
        wait: (seconds) => waitFor(seconds, signal),
        onProgress(done) {
          count.value = done;
        },
      });
      const name = `audit-${new Date().toISOString().slice(0, 10)}.${format.ending}`;
      saveFile(name, new Blob([...walked.parts]), format.type);
      studio.notify(`${entries(walked.count)} saved as ${name}.`);
      if (walked.oldest === null) onClose();
      else oldest.value = walked.oldest;
    } catch (error) {
      if (!signal.aborted) failure.value = readFailureWords(error);
    } finally {
      count.value = null;
    }
  }

  if (oldest.value !== null)
    return (
      <Dialog title="The file is full" onClose={onClose}>
        <div class="stack">
          <p>
            The file has the newest {COUNTS.format(MOST_ENTRIES)} entries. For older ones, choose a time under “Until”,
            or run this at the server's terminal:
          </p>
          <pre class="wrap">{commandUntil(oldest.value)}</pre>
          <div class="actions">
            <button type="button" onClick={onClose}>
              Close
            </button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Export the audit" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="muted">
          The file has the entries that the filters select, newest first, {COUNTS.format(MOST_ENTRIES)} at most.
        </p>
        <fieldset disabled={count.value !== null}>
          <legend>Format</legend>
          {Object.entries(FORMATS).map(([name, { words }]) => (
            <div key={name} class="choice">
              <input
                id={`format-${name}`}
                type="radio"
                name="format"
                checked={choice.value === name}
                onChange={() => {
                  choice.value = name as keyof typeof FORMATS;
                }}
              />
              <label for={`format-${name}`}>{words}</label>
            </div>
          ))}
        </fieldset>
        <p role="status" class="muted">
          {count.value === null ? "" : `${entries(count.value)} so far`}
        </p>
        {failure.value !== null && (
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={count.value !== null}>
            Save file
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function entries(count: number): string {
  return `${COUNTS.format(count)} ${count === 1 ? "entry" : "entries"}`;
}

function waitFor(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, seconds * 1_000);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        fail(signal.reason);
      },
      { once: true },
    );
  });
}
