import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { CopyButton } from "../../frame/copy-button.tsx";
import { prettyBody } from "./call-words.ts";

interface PayloadProps {
  /** JSON text. */
  readonly body: string;
}

/** A body that was sent: easy to read at first, and byte for byte on demand. */
export function Payload({ body }: PayloadProps) {
  const isRaw = useSignal(false);
  const id = useId();
  return (
    <>
      <pre id={id} class="payload">
        <code dir="auto">{isRaw.value ? body : prettyBody(body)}</code>
      </pre>
      <div class="actions payload-actions">
        <button
          type="button"
          aria-pressed={isRaw.value}
          onClick={() => {
            isRaw.value = !isRaw.peek();
          }}
        >
          As sent
        </button>
        <CopyButton text={body} fieldId={id} />
      </div>
    </>
  );
}
