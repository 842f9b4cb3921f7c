import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type AdministeredClient, UpdateClient } from "../documents/clients.ts";
import { LeaveGuard } from "../frame/form/leave-guard.tsx";
import type { Studio } from "../ports.ts";
import { changeFailureWords } from "./failure-words.ts";
import { useFocusOnError } from "./focus-on-error.ts";
import { changesOf, type DraftError, draftErrorOf, draftOf, errorIn } from "./form/client-draft.ts";
import { ClientFields } from "./form/client-fields.tsx";

/** Input of each part of a client's page. */
export interface ClientPartProps {
  readonly studio: Studio;
  readonly client: AdministeredClient;
  readonly onChange: (client: AdministeredClient) => void;
}

/** Changes the settings of a client. Only what differs is sent. */
export function SettingsForm({ studio, client, onChange }: ClientPartProps) {
  const draft = useSignal(draftOf(client));
  const error = useSignal<DraftError | null>(null);
  const isBusy = useSignal(false);
  const form = useFocusOnError(error.value);
  const shown = useRef(client);
  const changes = changesOf(client, draft.value);
  const hasChanges = Object.keys(changes).length > 0;
  useEffect(() => {
    // Another part of the page changed the client: what was typed stays.
    if (Object.keys(changesOf(shown.current, draft.peek())).length === 0) draft.value = draftOf(client);
    shown.current = client;
  }, [client, draft]);

  async function save(): Promise<void> {
    if (isBusy.peek()) return;
    error.value = errorIn(draft.peek());
    if (error.peek() !== null || !hasChanges) return;
    isBusy.value = true;
    try {
      const { updateClient } = await studio.api.run(UpdateClient, { id: client.id, input: changes });
      if (updateClient?.client != null) {
        draft.value = draftOf(updateClient.client);
        onChange(updateClient.client);
        studio.notify("The settings are saved.");
      }
    } catch (failure) {
      error.value = draftErrorOf(failure) ?? { field: null, message: changeFailureWords(failure) };
    } finally {
      isBusy.value = false;
    }
  }

  return (
    <form
      ref={form}
      class="form stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {client.origin === "REGISTRATION" && (
        <p class="note">This client registered itself, and may change these settings itself too.</p>
      )}
      {client.origin === "PERSON" && (
        <p class="note">
          Its owner may change these settings too. It cannot have the scopes that only an operator gives.
        </p>
      )}
      <ClientFields draft={draft} error={error.value} isNew={false} isOwned={client.owner !== null} />
      {error.value?.field === null && (
        <p class="field-error" role="alert">
          {error.value.message}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={!hasChanges || isBusy.value}>
          Save settings
        </button>
        {hasChanges && (
          <button
            type="button"
            onClick={() => {
              draft.value = draftOf(client);
              error.value = null;
            }}
          >
            Discard changes
          </button>
        )}
      </div>
      {hasChanges && <LeaveGuard of="changes" />}
    </form>
  );
}
