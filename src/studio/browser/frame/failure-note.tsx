import type { ApiFailure } from "../ports.ts";
import { Icon } from "./icon.tsx";

interface FailureNoteProps {
  readonly failure: ApiFailure;
  /** The action that failed, such as "The posts could not be loaded." */
  readonly title: string;
  readonly onRetry: () => void;
}

/** Says what failed, why, and what helps. */
export function FailureNote({ failure, title, onRetry }: FailureNoteProps) {
  return (
    <div class="note danger failure" role="alert">
      <Icon name="warning" />
      <div>
        <p>
          <strong>{title}</strong> {failure.message}
        </p>
        {failure.requestId !== null && (
          <p class="muted">
            Request <code>{failure.requestId}</code>
          </p>
        )}
      </div>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
