import type { Signal } from "@preact/signals";
import { useId, useMemo } from "preact/hooks";
import { EVENTS, type EventName } from "../calls/call-words.ts";
import { exampleText } from "../facts/webhook-words.ts";

interface EventChoiceProps {
  readonly isAll: Signal<boolean>;
  readonly chosen: Signal<ReadonlySet<EventName>>;
  readonly includesUnpublished: Signal<boolean>;
  readonly error: string | null;
}

/** All events or some, each with the body that the receiver gets, and whether drafts are among them. */
export function EventChoice({ isAll, chosen, includesUnpublished, error }: EventChoiceProps) {
  const id = useId();
  const at = useMemo(() => new Date().toISOString(), []);
  function choose(name: EventName, isChosen: boolean): void {
    const next = new Set(chosen.peek());
    if (isChosen) next.add(name);
    else next.delete(name);
    chosen.value = next;
  }
  return (
    <>
      <fieldset {...(error !== null && { "aria-describedby": `${id}-error` })}>
        <legend>Events</legend>
        {[true, false].map((value) => (
          <div key={String(value)} class="choice">
            <input
              type="radio"
              id={`${id}-${value}`}
              name={`${id}-all`}
              checked={isAll.value === value}
              onChange={() => {
                isAll.value = value;
              }}
            />
            <label for={`${id}-${value}`}>{value ? "All events, and those of later versions" : "Only these"}</label>
          </div>
        ))}
        {error !== null && (
          <p id={`${id}-error`} class="field-error" role="alert">
            {error}
          </p>
        )}
        <ul class={isAll.value ? "event-list" : "event-list chosen"}>
          {EVENTS.map(({ name, type, words }) => (
            <li key={name}>
              {isAll.value ? (
                <p>
                  <span class="code">{type}</span> <span class="muted small">{words}</span>
                </p>
              ) : (
                <div class="choice">
                  <input
                    type="checkbox"
                    id={`${id}-${name}`}
                    checked={chosen.value.has(name)}
                    onChange={({ currentTarget }) => choose(name, currentTarget.checked)}
                  />
                  <label for={`${id}-${name}`}>
                    <span class="code">{type}</span> <span class="muted small">{words}</span>
                  </label>
                </div>
              )}
              <details>
                <summary>
                  Example<span class="visually-hidden"> of {type}</span>
                </summary>
                <pre class="payload">
                  <code>{exampleText(type, includesUnpublished.value, at)}</code>
                </pre>
              </details>
            </li>
          ))}
        </ul>
      </fieldset>
      <fieldset>
        <legend>Drafts</legend>
        <div class="choice">
          <input
            type="checkbox"
            id={`${id}-drafts`}
            aria-describedby={`${id}-drafts-hint`}
            checked={includesUnpublished.value}
            onChange={({ currentTarget }) => {
              includesUnpublished.value = currentTarget.checked;
            }}
          />
          <label for={`${id}-drafts`}>Send events of everybody’s unpublished posts too</label>
        </div>
        <p id={`${id}-drafts-hint`} class="hint">
          Without them, the receiver learns nothing about a post before it is published, and only its id when it is
          unpublished, archived or deleted.
        </p>
      </fieldset>
    </>
  );
}
