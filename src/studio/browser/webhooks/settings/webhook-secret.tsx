import { useId } from "preact/hooks";
import { CopyButton } from "../../frame/copy-button.tsx";
import { LeaveGuard } from "../../frame/form/leave-guard.tsx";
import { SecretOnce } from "../../frame/form/secret-once.tsx";
import { saveFile } from "../../frame/save-file.ts";
import { envFile, RECEIVER_CODE } from "./receiver-code.ts";

/** The secret of a webhook, shown once, with a receiver that uses it. */
export function WebhookSecret({ secret }: { readonly secret: string }) {
  return (
    <>
      <SecretOnce label="Signing secret" secret={secret} file={{ name: ".env", text: envFile(secret) }} />
      <LeaveGuard of="secret" />
      <ReceiverCode />
    </>
  );
}

/** A receiver for Node that checks signatures. */
export function ReceiverCode() {
  const id = useId();
  return (
    <section class="section">
      <h2>A receiver that checks the signature</h2>
      <p class="muted small">
        It runs with Node alone. Put both files into one folder and run <code>node --env-file=.env receiver.mjs</code>.
        Other languages have a library for <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>.
      </p>
      <pre id={id} class="payload">
        <code>{RECEIVER_CODE}</code>
      </pre>
      <div class="actions payload-actions">
        <CopyButton text={RECEIVER_CODE} fieldId={id} />
        <button type="button" onClick={() => saveFile("receiver.mjs", RECEIVER_CODE, "text/javascript;charset=utf-8")}>
          Download receiver.mjs
        </button>
      </div>
    </section>
  );
}
