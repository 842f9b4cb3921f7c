import type { HistoryEntry } from "../../documents/history.ts";
import { Time } from "../../frame/text/time.tsx";
import type { LoadedHistory } from "./history-texts.ts";
import { kindWords, makerWords } from "./revision-words.ts";

interface HistoryListProps {
  readonly history: LoadedHistory;
  readonly chosen: string;
  readonly onChoose: (entry: HistoryEntry) => void;
  readonly onMore: () => void;
}

/** Changes of a post, newest first. Those of a text can be chosen; those of a state are lines. */
export function HistoryList({ history, chosen, onChoose, onMore }: HistoryListProps) {
  return (
    <section class="history-list" aria-labelledby="history-versions">
      <h2 id="history-versions">Versions</h2>
      <ol>
        {history.entries.map((entry) => {
          const facts = (
            <>
              {entry.name !== null && (
                <span class="history-name" dir="auto">
                  {entry.name}
                </span>
              )}
              <span class="history-kind">
                {kindWords(entry.kind)} <span class="muted">version {entry.version}</span>
              </span>
              <span class="muted">
                {makerWords(entry)}, <Time value={entry.createdAt} />
              </span>
            </>
          );
          return (
            <li key={entry.id}>
              {entry.title === null ? (
                <div class="history-entry">{facts}</div>
              ) : (
                <button
                  type="button"
                  class="history-entry"
                  aria-pressed={entry.id === chosen}
                  onClick={() => onChoose(entry)}
                >
                  {facts}
                </button>
              )}
            </li>
          );
        })}
      </ol>
      {history.hasMore && (
        <button type="button" onClick={onMore}>
          Load more
        </button>
      )}
    </section>
  );
}
