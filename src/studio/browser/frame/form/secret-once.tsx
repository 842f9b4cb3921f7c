import { useId } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { saveFile } from "../save-file.ts";
import "./form.css";

interface SecretOnceProps {
  /** Such as "Client secret". */
  readonly label: string;
  readonly secret: string;
  /** A file with the secret, such as `.env`. */
  readonly file?: { readonly name: string; readonly text: string };
}

/** A secret that the server shows once: it can be copied and downloaded, and is gone with the page. */
export function SecretOnce({ label, secret, file }: SecretOnceProps) {
  const id = useId();
  return (
    <div class="field secret">
      <label for={id}>{label}</label>
      <div class="secret-line">
        <input id={id} class="code" type="text" readOnly value={secret} aria-describedby={`${id}-hint`} />
        <CopyButton text={secret} fieldId={id} />
        {file !== undefined && (
          <button type="button" onClick={() => saveFile(file.name, file.text)}>
            Download {file.name}
          </button>
        )}
      </div>
      <p id={`${id}-hint`} class="hint">
        Keep it now: it cannot be shown again.
      </p>
    </div>
  );
}
