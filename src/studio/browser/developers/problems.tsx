import { useSignal } from "@preact/signals";
import type { OwnClientPageData } from "../documents/developers.ts";
import { Icon } from "../frame/icon.tsx";
import { Time } from "../frame/text/time.tsx";

interface ProblemsProps {
  readonly problems: OwnClientPageData["ownClientProblems"];
  readonly onReload: () => Promise<void>;
}

/** Problems that are shown before somebody asks for all. */
const FIRST = 3;

/** Requests of the client that the server refused, and the corrections. */
export function Problems({ problems, onReload }: ProblemsProps) {
  const isAll = useSignal(false);
  const isBusy = useSignal(false);
  const shown = isAll.value ? problems : problems.slice(0, FIRST);
  return (
    <section class="section" aria-label="Problems">
      <div class="code-head">
        <h2>Problems</h2>
        <button
          type="button"
          class="quiet"
          aria-disabled={isBusy.value}
          onClick={async () => {
            isBusy.value = true;
            await onReload();
            isBusy.value = false;
          }}
        >
          Look again
        </button>
      </div>
      {problems.length === 0 ? (
        <p class="muted good-line">
          <Icon name="check" /> The server rejected no request of this client.
        </p>
      ) : (
        <ul class="problems">
          {shown.map(({ id, at, message, requestId }) => (
            <li key={id}>
              <p>{message}</p>
              <p class="hint">
                <Time value={at} />
                {requestId !== null && (
                  <>
                    {" "}
                    · request <code>{requestId}</code>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
      {!isAll.value && problems.length > FIRST && (
        <button
          type="button"
          onClick={() => {
            isAll.value = true;
          }}
        >
          Show all {problems.length}
        </button>
      )}
    </section>
  );
}
