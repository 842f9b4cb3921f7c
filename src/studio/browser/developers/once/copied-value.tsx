import { useId } from "preact/hooks";
import { CopyButton } from "../../frame/copy-button.tsx";

/** A value that a developer needs elsewhere. */
export function CopiedValue({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="secret-line">
        <input id={id} class="code" type="text" readOnly value={value} />
        <CopyButton text={value} fieldId={id} />
      </div>
    </div>
  );
}
