import type { MadeCall as MadeCallFacts } from "../../documents/deliveries.ts";
import { Time } from "../../frame/text/time.tsx";
import { durationWords, errorSentence } from "./call-words.ts";

interface MadeCallProps {
  readonly call: MadeCallFacts;
  /** Whether the answer is shown from the start. */
  readonly isOpen?: boolean;
}

/** One call: its outcome, its duration, the answer, and the headers that were sent. */
export function MadeCall({ call, isOpen = false }: MadeCallProps) {
  const { at, durationMs, status, answer, error, headers } = call;
  return (
    <div class="made-call">
      <p>
        <strong class={error === null ? "good" : "danger"}>
          {status === null ? "No answer" : error === null ? `Delivered, ${status}` : `Failed, ${status}`}
        </strong>{" "}
        <span class="muted small">
          <Time value={at} exact /> · {durationWords(durationMs)}
        </span>
      </p>
      {error !== null && <p>{errorSentence(error)}</p>}
      {answer === "" && <p class="muted small">The answer was empty.</p>}
      {answer !== null && answer !== "" && (
        <details open={isOpen}>
          <summary>Answer{answer.length >= 1_000 && ", its first 1,024 bytes"}</summary>
          <pre class="payload">
            <code dir="auto">{answer}</code>
          </pre>
        </details>
      )}
      {headers.length > 0 && (
        <details>
          <summary>Headers as sent</summary>
          <dl class="facts">
            {headers.map(({ name, value }) => (
              <>
                <dt key={name}>{name}</dt>
                <dd class="code">{value}</dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </div>
  );
}
