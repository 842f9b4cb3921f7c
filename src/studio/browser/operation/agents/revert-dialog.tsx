import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { AgentFacts } from "../../documents/agents.ts";
import { Dialog } from "../../frame/dialog.tsx";
import { Field } from "../../frame/form/field.tsx";
import { href } from "../../frame/href.ts";
import { ApiFailure, type Studio } from "../../ports.ts";
import { changeWords } from "../change-words.ts";
import { agentName } from "./agent-list.ts";
import {
  doneWords,
  localTime,
  periodOf,
  type Reverted,
  type RevertWindow,
  revert,
  revertWords,
  tryRevert,
} from "./revert.ts";

const DAY = 86_400_000;

interface RevertDialogProps {
  readonly studio: Studio;
  readonly agent: AgentFacts;
  /** @param words what happened, in a sentence */
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}

/** Takes back what an agent changed: first it says what would happen, then it asks. */
export function RevertDialog({ studio, agent, onDone, onClose }: RevertDialogProps) {
  const id = useId();
  const fields = useSignal({ since: localTime(Date.now() - DAY), until: "", isOnePerson: agent.personId !== null });
  const mistake = useSignal<{ readonly field: string; readonly message: string } | null>(null);
  const failure = useSignal<string | null>(null);
  const found = useSignal<{ readonly window: RevertWindow; readonly result: Reverted } | null>(null);
  const isBusy = useSignal(false);
  const done = useSignal(0);
  const change = (part: Partial<typeof fields.value>) => {
    fields.value = { ...fields.peek(), ...part };
    found.value = null; // it was about something else
  };

  async function go(): Promise<void> {
    if (isBusy.peek()) return;
    const period = periodOf(fields.peek(), Date.now());
    mistake.value = "field" in period ? period : null;
    failure.value = null;
    if ("field" in period) return;
    const personId = fields.peek().isOnePerson ? agent.personId : null;
    const present = found.peek();
    isBusy.value = true;
    try {
      if (present === null) {
        const window = { clientId: agent.clientId, personId, ...period };
        found.value = { window, result: await tryRevert(studio.api, window) };
        return;
      }
      done.value = 0;
      const result = await revert(
        studio.api,
        present.window,
        (count) => {
          done.value = count;
        },
        () => crypto.randomUUID(),
      );
      onClose();
      onDone(doneWords(result));
    } catch (error) {
      const isInput = error instanceof ApiFailure && error.field !== null;
      if (isInput) mistake.value = { field: error.field?.replace("input.", "") ?? "", message: error.message };
      else failure.value = changeWords(error);
    } finally {
      isBusy.value = false;
    }
  }

  const errorOf = (field: string) => (mistake.value?.field === field ? mistake.value.message : null);
  const present = found.value;
  const isNothing = present !== null && present.result.reverted.length === 0;
  return (
    <Dialog title={`Take back changes of “${agentName(agent)}”`} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isNothing) void go();
        }}
      >
        {!agent.isStopped && <p class="muted">The agent may go on while you do this. Stop it first to be safe.</p>}
        {agent.personId !== null && (
          <fieldset>
            <legend>Changes for</legend>
            {[true, false].map((isOne) => (
              <p key={String(isOne)} class="choice">
                <input
                  id={`${id}-${isOne}`}
                  type="radio"
                  name={id}
                  checked={fields.value.isOnePerson === isOne}
                  onChange={() => change({ isOnePerson: isOne })}
                />
                <label for={`${id}-${isOne}`} dir="auto">
                  {isOne ? (agent.personName ?? "This person") : "Everybody who uses this agent"}
                </label>
              </p>
            ))}
          </fieldset>
        )}
        {(["since", "until"] as const).map((name) => (
          <Field
            key={name}
            label={name === "since" ? "Changes since" : "Changes until"}
            hint={name === "since" ? "In the time of this device." : "Leave it empty for all changes until now."}
            error={errorOf(name)}
          >
            {(given) => (
              <input
                {...given}
                type="datetime-local"
                value={fields.value[name]}
                onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <div role="status">{present !== null && <Findings result={present.result} />}</div>
        {failure.value !== null && (
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        )}
        <div class="actions">
          {!isNothing && (
            <button type="submit" class={present === null ? "primary" : "danger"} aria-disabled={isBusy.value}>
              {present === null ? "See what would happen" : "Take changes back"}
            </button>
          )}
          <button type="button" onClick={onClose}>
            {isNothing ? "Close" : "Cancel"}
          </button>
          {isBusy.value && done.value > 0 && <p class="muted">{done.value} posts so far</p>}
        </div>
      </form>
    </Dialog>
  );
}

/** Names posts that would change, and posts that stay as they are, with the reason. */
function Findings({ result }: { readonly result: Reverted }) {
  const { left, isComplete } = result;
  const lines = revertWords(result);
  return (
    <div class="note findings">
      <div class="stack">
        {lines.length === 0 ? (
          <p>{left.length === 0 ? "The agent changed no post in this time." : "Nothing can be taken back."}</p>
        ) : (
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}.</li>
            ))}
            {!isComplete && <li>These are the first 100 posts. The others follow.</li>}
          </ul>
        )}
        {left.length > 0 && (
          <div>
            <h3>{left.length === 1 ? "1 post stays as it is" : `${left.length} posts stay as they are`}</h3>
            <ul>
              {left.map(({ postId, reason }) => (
                <li key={postId}>
                  <a href={href(`/posts/${postId}`)}>Open the post</a> {reason}
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </div>
  );
}
