import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_SECRETS } from "../../../domain/clients/limits.ts";
import { ConfirmDialog } from "../frame/form/confirm-dialog.tsx";
import { LeaveGuard } from "../frame/form/leave-guard.tsx";
import { SecretOnce } from "../frame/form/secret-once.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";

/** A secret of a client, without the secret. */
export interface SecretFacts {
  readonly id: string;
  /** Last four characters; null where they are not known. */
  readonly hint: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly endedAt: string | null;
}

interface SecretsProps {
  readonly clientId: string;
  readonly secrets: readonly SecretFacts[];
  /** Makes a secret beside the others. @returns it, or null where the server cannot show it any more @throws ApiFailure */
  readonly add: (key: string) => Promise<string | null>;
  /** Ends one. @throws ApiFailure */
  readonly end: (id: string) => Promise<void>;
  /** Makes a secret in place of all others. Missing where the page has no such action. @throws ApiFailure */
  readonly replace?: (key: string) => Promise<string | null>;
  /** A sentence for a failure. */
  readonly words: (error: unknown) => string;
}

/** Secrets of a client: which there are, when each was used, how to add and end one. A new secret is shown once. */
export function Secrets({ clientId, secrets, add, end, replace, words }: SecretsProps) {
  const made = useSignal<string | null>(null);
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const ending = useSignal<SecretFacts | null>(null);
  const isReplacing = useSignal(false);
  const key = useRef<string | null>(null); // the same for a retry, so that nothing is made twice
  const valid = secrets.filter(({ endedAt }) => endedAt === null);
  const isFull = valid.length >= MAX_SECRETS;

  async function make(how: (key: string) => Promise<string | null>): Promise<void> {
    key.current ??= crypto.randomUUID();
    const secret = await how(key.current);
    key.current = null;
    made.value = secret;
    if (secret === null)
      failure.value =
        "A secret was made, but the answer that had it was lost. Add another one, and end the one that was never used.";
  }
  async function addOne(): Promise<void> {
    if (isBusy.peek() || isFull) return;
    isBusy.value = true;
    failure.value = null;
    try {
      await make(add);
    } catch (error) {
      failure.value = words(error);
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <section class="section stack" aria-label="Secrets">
      <h2>Secrets</h2>
      {made.value !== null && (
        <SecretOnce
          label="New client secret"
          secret={made.value}
          file={{ name: "client.env", text: `CLIENT_ID=${clientId}\nCLIENT_SECRET=${made.value}\n` }}
        />
      )}
      <table class="rows">
        <TableHead columns={["Last four characters", "Added", "Last used"]} actions="Actions" />
        <tbody>
          {secrets.map((secret) => (
            <tr key={secret.id}>
              <th scope="row" class="main">
                <code>…{secret.hint ?? "????"}</code>
              </th>
              <td data-label="Added">
                <Time value={secret.createdAt} />
              </td>
              <td data-label="Last used">
                {secret.lastUsedAt === null ? "Never" : <Time value={secret.lastUsedAt} />}
              </td>
              <td class="number">
                {secret.endedAt !== null ? (
                  <>
                    Ended <Time value={secret.endedAt} />
                  </>
                ) : valid.length > 1 ? (
                  <button
                    type="button"
                    class="quiet danger"
                    aria-label={`End secret …${secret.hint ?? "????"}`}
                    onClick={() => {
                      ending.value = secret;
                    }}
                  >
                    End
                  </button>
                ) : (
                  "The only one"
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      <div class="actions">
        <button type="button" aria-disabled={isFull || isBusy.value} onClick={() => void addOne()}>
          Add secret
        </button>
        {replace !== undefined && (
          <button
            type="button"
            onClick={() => {
              isReplacing.value = true;
            }}
          >
            Replace all
          </button>
        )}
      </div>
      <p class="hint">
        {isFull
          ? `A client has ${MAX_SECRETS} secrets at a time. End one before you add another.`
          : "A new secret works beside the others. Switch the program to it, then end the old one."}
      </p>
      {made.value !== null && <LeaveGuard of="secret" />}
      {ending.value !== null && (
        <ConfirmDialog
          title={`End secret …${ending.value.hint ?? "????"}?`}
          action="End secret"
          run={() => end(ending.peek()?.id ?? "")}
          words={words}
          onClose={() => {
            ending.value = null;
          }}
        >
          <p>
            Programs that use it are rejected within a second. It was{" "}
            {ending.value.lastUsedAt === null ? (
              "never used"
            ) : (
              <>
                last used <Time value={ending.value.lastUsedAt} exact />
              </>
            )}
            .
          </p>
        </ConfirmDialog>
      )}
      {replace !== undefined && isReplacing.value && (
        <ConfirmDialog
          title="Replace all secrets?"
          action="Replace all"
          run={() => make(replace)}
          words={words}
          onClose={() => {
            isReplacing.value = false;
          }}
        >
          <p>
            All secrets of the client stop working immediately, and it gets a new one. Choose this for a secret that
            leaked.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
