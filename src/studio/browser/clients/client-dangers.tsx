import { useSignal } from "@preact/signals";
import { DeleteClient, DisableClient, EnableClient, EndClientTokens } from "../documents/clients.ts";
import { ConfirmDialog } from "../frame/form/confirm-dialog.tsx";
import { CLIENTS_PATH } from "./client-list.ts";
import { changeFailureWords } from "./failure-words.ts";
import { canBeDeleted } from "./form/client-words.ts";
import type { ClientPartProps } from "./settings-form.tsx";

/** Buttons that end a client or its access, each after a question. */
export function ClientDangers({ studio, client, onChange }: ClientPartProps) {
  const { id, name, disabledAt, origin } = client;
  const asked = useSignal<"disable" | "tokens" | "delete" | null>(null);
  const failure = useSignal<string | null>(null);
  const shared = {
    words: changeFailureWords,
    onClose: () => {
      asked.value = null;
    },
  };

  async function enable(): Promise<void> {
    failure.value = null;
    try {
      const { enableClient } = await studio.api.run(EnableClient, { id });
      if (enableClient?.client != null) onChange(enableClient.client);
      studio.notify("The client is enabled.");
    } catch (error) {
      failure.value = changeFailureWords(error);
    }
  }
  async function disable(): Promise<void> {
    const { disableClient } = await studio.api.run(DisableClient, { id });
    if (disableClient?.client != null) onChange(disableClient.client);
    studio.notify("The client is disabled.", { label: "Undo", run: enable });
  }
  async function endTokens(): Promise<void> {
    // Each request ends a part of them.
    for (;;) {
      const { endClientTokens } = await studio.api.run(EndClientTokens, { id });
      if (endClientTokens?.isComplete !== false) break;
    }
    studio.notify("All tokens of the client are ended.");
  }
  async function remove(): Promise<void> {
    await studio.api.run(DeleteClient, { id }, { key: crypto.randomUUID() });
    studio.go(CLIENTS_PATH, { replace: true });
    studio.notify(`“${name}” is deleted.`);
  }

  return (
    <section class="section" aria-label="End access">
      <h2>End access</h2>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      <ul class="dangers">
        <li>
          <p>
            {disabledAt === null
              ? "Disable: the server rejects the client and its tokens within a second, until you enable it."
              : "The server rejects the client and its tokens, until you enable it."}
          </p>
          {disabledAt === null ? (
            <button
              type="button"
              onClick={() => {
                asked.value = "disable";
              }}
            >
              Disable client
            </button>
          ) : (
            <button type="button" onClick={() => void enable()}>
              Enable client
            </button>
          )}
        </li>
        <li>
          <p>End all tokens: the client goes on, but people have to allow it again.</p>
          <button
            type="button"
            onClick={() => {
              asked.value = "tokens";
            }}
          >
            End all tokens
          </button>
        </li>
        {canBeDeleted(client) && (
          <li>
            <p>
              Delete: the client is gone for good.
              {origin === "DOCUMENT" && " It comes back if somebody uses it: disable it to keep it out."}
            </p>
            <button
              type="button"
              class="danger"
              onClick={() => {
                asked.value = "delete";
              }}
            >
              Delete client
            </button>
          </li>
        )}
      </ul>
      {asked.value === "disable" && (
        <ConfirmDialog title={`Disable “${name}”?`} action="Disable client" run={disable} {...shared}>
          <p>Its tokens stop working within a second. Enable it later, and those that have not expired work again.</p>
        </ConfirmDialog>
      )}
      {asked.value === "tokens" && (
        <ConfirmDialog title={`End all tokens of “${name}”?`} action="End all tokens" run={endTokens} {...shared}>
          <p>
            They stop working within a second, and people have to allow the client again. Tokens for other APIs stay
            valid there until they expire.
          </p>
        </ConfirmDialog>
      )}
      {asked.value === "delete" && (
        <ConfirmDialog title={`Delete “${name}”?`} action="Delete client" typed={name} run={remove} {...shared}>
          <p>
            Every program that uses it stops working within a second. Nobody can bring it back: a new client has another
            client_id.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
