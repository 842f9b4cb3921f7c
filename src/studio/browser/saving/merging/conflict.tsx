import { useState } from "preact/hooks";
import { href } from "../../frame/href.ts";
import { Icon } from "../../frame/icon.tsx";
import type { Writing } from "../../ports.ts";
import { download } from "../device/download.ts";
import { Compare } from "./compare.tsx";
import "./merging.css";

interface BannerProps {
  readonly writing: Writing;
  /** Goes to a page of the studio, for a text that was saved as a post of its own. Loads that page unless given. */
  readonly go?: (path: string) => void;
}

/** Ways out for a text that cannot be saved to its post: changed by somebody else, deleted, or no longer one's own (S33). */
export function ConflictBanner({ writing, go = load }: BannerProps) {
  const [isComparing, compare] = useState(false);
  const [failure, fail] = useState<string | null>(null);
  const [isBusy, work] = useState(false);
  const state = writing.state.value;
  if (state.kind !== "conflict" && state.kind !== "lost") return null;
  const saveAsNew = async () => {
    work(true);
    try {
      const id = await writing.saveAsNewDraft();
      fail(null);
      go(`/posts/${id}`);
    } catch (error) {
      fail((error as Error).message);
    } finally {
      work(false);
    }
  };
  const rescue = (
    <>
      <button type="button" disabled={isBusy} onClick={() => void saveAsNew()}>
        Save mine as a new draft
      </button>
      <button type="button" class="quiet" onClick={() => void copy(writing, fail)}>
        Copy
      </button>
      <button type="button" class="quiet" onClick={() => download(writing.texts.value)}>
        Download .md
      </button>
    </>
  );
  return (
    <section class="decision" aria-label="This post needs a decision">
      <Icon name="warning" />
      <div>
        {state.kind === "conflict" ? (
          <>
            <p>
              <strong>{state.conflict.by ?? "Somebody else"} changed the same passage of this post.</strong> You can go
              on writing:{" "}
              {state.isOnlyHere === true
                ? "your text is sent after you choose. This browser does not keep it, so keep this page open until then."
                : "your text is kept on this device, and sent after you choose."}
            </p>
            <div class="actions">
              <button type="button" class="primary" onClick={() => compare(true)}>
                Compare
              </button>
              <button type="button" onClick={() => writing.resolve(state.conflict, "mine")}>
                Keep mine
              </button>
              <button type="button" onClick={() => writing.resolve(state.conflict, "theirs")}>
                Take theirs
              </button>
              {rescue}
            </div>
            <p class="hint">The text that you do not choose stays in the history.</p>
          </>
        ) : (
          <>
            <p>
              <strong>
                {state.reason === "deleted" ? "This post was deleted." : "You may no longer change this post."}
              </strong>{" "}
              {state.isOnlyHere === true
                ? "This browser does not keep your text. Save it before you leave this page."
                : "Your text is kept on this device."}
            </p>
            <div class="actions">{rescue}</div>
          </>
        )}
        {failure !== null && (
          <p class="field-error" role="alert">
            {failure}
          </p>
        )}
      </div>
      {isComparing && state.kind === "conflict" && (
        <Compare
          conflict={state.conflict}
          onClose={() => compare(false)}
          onChoose={(choice) => {
            compare(false);
            writing.resolve(state.conflict, choice);
          }}
        />
      )}
    </section>
  );
}

function load(path: string): void {
  location.assign(href(path));
}

async function copy(writing: Writing, fail: (message: string | null) => void): Promise<void> {
  const { title, body } = writing.texts.value;
  try {
    await navigator.clipboard.writeText(title === "" ? body : `# ${title}\n\n${body}`);
    fail(null);
  } catch {
    fail("The browser did not allow copying. Select the text and press Ctrl+C.");
  }
}
