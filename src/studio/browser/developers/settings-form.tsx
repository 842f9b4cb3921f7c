import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { RedirectUrisField } from "../client-forms/redirect-uris-field.tsx";
import { type OwnClientFacts, UpdateOwnClient } from "../documents/developers.ts";
import { TextField } from "../frame/form/field.tsx";
import { LeaveGuard } from "../frame/form/leave-guard.tsx";
import type { Studio } from "../ports.ts";
import { kindOf } from "./facts/kinds.ts";
import { changeFailureWords } from "./facts/words.ts";
import { ClientFields } from "./form/client-fields.tsx";
import {
  type ClientDraft,
  choicesFor,
  type DraftErrors,
  draftOf,
  errorsIn,
  errorsOf,
  updateInput,
} from "./form/draft.ts";
import { HarderFields } from "./form/harder-fields.tsx";

interface SettingsFormProps {
  readonly studio: Studio;
  readonly client: OwnClientFacts;
  readonly onChanged: (client: OwnClientFacts) => void;
}

/** Settings of a client that its owner may change. */
export function SettingsForm({ studio, client, onChanged }: SettingsFormProps) {
  const typed = useSignal<ClientDraft | null>(null);
  const draft = typed.value ?? draftOf(client);
  const errors = useSignal<DraftErrors>({});
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const kind = kindOf(client);
  const hasRedirect = client.grantTypes.includes("AUTHORIZATION_CODE");
  const changes = updateInput(draft, client);
  const showFirstError = () =>
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());

  async function save(): Promise<void> {
    if (isBusy.peek() || changes === null) return;
    failure.value = null;
    errors.value = errorsIn(draft, hasRedirect);
    if (Object.keys(errors.value).length > 0) return void showFirstError();
    isBusy.value = true;
    try {
      const { updateOwnClient } = await studio.api.run(UpdateOwnClient, { id: client.id, input: changes });
      if (updateOwnClient?.client != null) onChanged(updateOwnClient.client);
      typed.value = null;
      studio.notify("The settings are saved.");
    } catch (error) {
      errors.value = errorsOf(error);
      if (Object.keys(errors.value).length === 0) failure.value = changeFailureWords(error);
      else showFirstError();
    } finally {
      isBusy.value = false;
    }
  }
  const onChange = (part: Partial<ClientDraft>) => {
    typed.value = { ...draft, ...part };
    errors.value = Object.fromEntries(Object.entries(errors.peek()).filter(([name]) => !(name in part)));
  };

  return (
    <section class="section" aria-label="Settings">
      <h2>Settings</h2>
      <form
        ref={form}
        class="stack form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <ClientFields
          {...{ draft, hasRedirect, onChange }}
          errors={errors.value}
          exampleUri={kind.exampleUri}
          choices={choicesFor(client, draft)}
          hasPeople={kind.name !== "job"}
        />
        {hasRedirect && (
          <details>
            <summary>Signing out</summary>
            <div class="stack">
              <RedirectUrisField
                label="URIs after signing out"
                hint="People may return to one of these after they sign out. One in each line."
                text={draft.postLogoutRedirectUris}
                error={errors.value.postLogoutRedirectUris ?? null}
                onInput={(postLogoutRedirectUris) => onChange({ postLogoutRedirectUris })}
              />
              <TextField
                label="Back-channel logout URL"
                hint="The server calls it when a person signs out, so that your program can end its own session."
                type="url"
                value={draft.backchannelLogoutUri}
                error={errors.value.backchannelLogoutUri}
                onInput={(backchannelLogoutUri) => onChange({ backchannelLogoutUri })}
              />
            </div>
          </details>
        )}
        <details>
          <summary>Harder to attack</summary>
          <HarderFields
            {...{ draft, hasRedirect, onChange }}
            errors={errors.value}
            proofs={draft.proof === "secret" ? [] : ["jwksUri", "jwks"]}
          />
        </details>
        {failure.value !== null && (
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        )}
        {changes?.scopes != null && (
          <p class="note">
            Tokens that exist keep the scopes that are left. People allow new ones at their next sign-in.
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value || changes === null}>
            Save settings
          </button>
          {changes !== null && (
            <button
              type="button"
              onClick={() => {
                typed.value = null;
                errors.value = {};
              }}
            >
              Discard changes
            </button>
          )}
        </div>
      </form>
      {changes !== null && <LeaveGuard of="changes" />}
    </section>
  );
}
