import { useCallback, useEffect, useId, useState } from "preact/hooks";
import { postFailureWords, readFailureWords } from "../../api/failure-words.ts";
import type { HistoryEntry } from "../../documents/history.ts";
import { useTitle } from "../../frame/document/title.ts";
import { href } from "../../frame/href.ts";
import type { Studio, Texts, Writing } from "../../ports.ts";
import { openWriting } from "../../saving/open-writing.ts";
import { CompareView } from "../compare/compare-view.tsx";
import { HistoryList } from "./history-list.tsx";
import { type LoadedHistory, openHistory, TEXT } from "./history-texts.ts";
import { NameDialog } from "./name-dialog.tsx";
import { restoreVersion } from "./restore.ts";
import { revisionName } from "./revision-words.ts";
import "./history.css";

interface HistoryPageProps {
  readonly studio: Studio;
  /** null where the address names no post. */
  readonly id: string | null;
}

/** Versions of the post, with their people: compared, and restored as the text being written. */
export function HistoryPage({ studio, id }: HistoryPageProps) {
  return id === null ? null : <HistoryOfPost key={id} studio={studio} id={id} />;
}

function HistoryOfPost({ studio, id }: { readonly studio: Studio; readonly id: string }) {
  const field = useId();
  const [writing, setWriting] = useState<Writing | null>(null);
  const [history, setHistory] = useState<LoadedHistory | null>(null);
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string>(TEXT);
  const [texts, setTexts] = useState<{ readonly before: Texts; readonly after: Texts } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isRestoring, setRestoring] = useState(false);
  const [naming, setNaming] = useState<HistoryEntry | null>(null);

  const load = useCallback(async (): Promise<void> => {
    setFailure(null);
    try {
      const loaded = await openHistory(studio.api, id);
      setHistory(loaded);
      setFrom((known) => known ?? loaded.withText[0]?.id ?? null);
    } catch (error) {
      setFailure(readFailureWords(error, postFailureWords));
    }
  }, [studio, id]);

  useTitle("History");
  useEffect(() => {
    let opened: Writing | null = null;
    let isOpen = true;
    void load();
    openWriting(studio, id).then(
      (found) => {
        opened = found;
        if (isOpen) setWriting(found);
        else void found.close();
      },
      (error) => setFailure(readFailureWords(error, postFailureWords)),
    );
    return () => {
      isOpen = false;
      void opened?.close();
    };
  }, [studio, id, load]);

  const current = writing?.texts.value ?? null;
  const written = to === TEXT ? current : null;
  useEffect(() => {
    if (history === null || from === null || (to === TEXT && written === null)) return undefined;
    let isNewest = true;
    const textOf = async (which: string) => (which === TEXT && written !== null ? written : history.text(which));
    Promise.all([textOf(from), textOf(to)]).then(
      ([before, after]) => isNewest && setTexts({ before, after }),
      (error) => isNewest && setFailure(readFailureWords(error, postFailureWords)),
    );
    return () => {
      isNewest = false;
    };
  }, [history, from, to, written]);

  const nameOf = (which: string | null): string => {
    const entry = history?.withText.find((one) => one.id === which);
    return entry === undefined ? "The text being written" : revisionName(entry);
  };
  const restorable = history?.withText.find((entry) => entry.id === (to === TEXT ? from : to)) ?? null;

  async function restore(): Promise<void> {
    if (writing === null || restorable === null) return;
    setRestoring(true);
    setFailure(null);
    try {
      await restoreVersion(studio, writing, restorable);
      setFrom(restorable.id);
      setTo(TEXT);
      await load();
    } catch (error) {
      setFailure(postFailureWords(error));
    }
    setRestoring(false);
  }

  return (
    <div class="history">
      {naming !== null && (
        <NameDialog
          api={studio.api}
          postId={id}
          entry={naming}
          onNamed={(name) => setHistory((known) => known?.named(naming.id, name) ?? null)}
          onClose={() => setNaming(null)}
        />
      )}
      <header class="history-head">
        <h1 tabIndex={-1}>History</h1>
        <p class="history-title">{current?.title}</p>
        <a class="button" href={href(`/posts/${id}`)}>
          Back to the text
        </a>
      </header>
      {failure !== null && (
        <div class="note danger" role="alert">
          <p>{failure}</p>
          <button type="button" onClick={() => void load()}>
            Try again
          </button>
        </div>
      )}
      {history !== null && history.entries.length === 0 && (
        <p class="muted">
          This post has no earlier versions yet. A version is kept each time that the text is published, updated or
          restored.
        </p>
      )}
      {history !== null && history.entries.length > 0 && (
        <div class="history-columns">
          <HistoryList
            history={history}
            chosen={to === TEXT ? (from ?? "") : to}
            onChoose={(entry) => {
              const older = history.withText[history.withText.indexOf(entry) + 1];
              setFrom(older?.id ?? entry.id);
              setTo(older === undefined ? TEXT : entry.id);
            }}
            onMore={() =>
              void history.more().then(setHistory, (error) => setFailure(readFailureWords(error, postFailureWords)))
            }
          />
          <section class="history-compare" aria-label="Comparison">
            <div class="history-choose">
              <div class="field">
                <label for={`${field}-from`}>Compare</label>
                <select
                  id={`${field}-from`}
                  value={from ?? ""}
                  onChange={({ currentTarget }) => setFrom(currentTarget.value)}
                >
                  <Choices history={history} />
                </select>
              </div>
              <div class="field">
                <label for={`${field}-to`}>with</label>
                <select id={`${field}-to`} value={to} onChange={({ currentTarget }) => setTo(currentTarget.value)}>
                  <option value={TEXT}>The text being written</option>
                  <Choices history={history} />
                </select>
              </div>
              {restorable !== null && (
                <div class="history-actions">
                  {writing !== null && !writing.isReadOnly.value && (
                    <button type="button" disabled={isRestoring} onClick={() => void restore()}>
                      Restore version {restorable.version}
                    </button>
                  )}
                  <button type="button" onClick={() => setNaming(restorable)}>
                    {restorable.name === null ? "Name" : "Rename"} version {restorable.version}
                  </button>
                </div>
              )}
            </div>
            {texts !== null && (
              <CompareView
                key={`${from} ${to}`}
                before={texts.before}
                after={texts.after}
                beforeName={nameOf(from)}
                afterName={nameOf(to)}
              />
            )}
          </section>
        </div>
      )}
    </div>
  );
}

function Choices({ history }: { readonly history: LoadedHistory }) {
  return (
    <>
      {history.withText.map((entry) => (
        <option key={entry.id} value={entry.id}>
          {revisionName(entry)}
        </option>
      ))}
    </>
  );
}
