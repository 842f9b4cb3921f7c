import { isPrivilegedScope, OPEN_SCOPES, SCOPES, type Scope, sentenceOf } from "../../../../domain/scopes.ts";
import { RedirectUrisField } from "../../client-forms/redirect-uris-field.tsx";
import { Field, TextField } from "../../frame/form/field.tsx";
import { Check, CheckList } from "./check-list.tsx";
import type { ClientDraft, DraftError } from "./client-draft.ts";
import { toggled } from "./client-draft.ts";
import { GRANTS, TYPES } from "./client-words.ts";
import type { PartProps } from "./part-props.ts";
import { ProofFields } from "./proof-fields.tsx";
import { SecurityFields } from "./security-fields.tsx";

interface ClientFieldsProps extends PartProps {
  /** The client belongs to a person, so it has nothing that only an operator gives. */
  readonly isOwned: boolean;
}

const GRANT_NAMES = Object.keys(GRANTS) as readonly (keyof typeof GRANTS)[];

/** Fields for the settings of a client. */
export function ClientFields({ draft, error, isNew, isOwned }: ClientFieldsProps) {
  const set = (part: Partial<ClientDraft>) => {
    draft.value = { ...draft.peek(), ...part };
  };
  const errorOf = (field: keyof ClientDraft) => (error?.field === field ? error.message : null);
  const { name, type, grantTypes, scopes } = draft.value;
  const setScope = (scope: Scope, isIn: boolean) => set({ scopes: toggled(scopes, scope, isIn, SCOPES) });
  const returns = grantTypes.includes("AUTHORIZATION_CODE");
  return (
    <>
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        hint="People see it when they allow the client."
        error={errorOf("name")}
        onInput={(value) => set({ name: value })}
      />
      {isNew && (
        <Field label="Type" error={errorOf("type")} hint="It stays as it is. A public client cannot keep a secret.">
          {(given) => (
            <select
              {...given}
              value={type}
              onChange={({ currentTarget }) => set({ type: currentTarget.value as ClientDraft["type"] })}
            >
              {Object.entries(TYPES).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <CheckList
        legend="What it does"
        error={errorOf("grantTypes")}
        choices={GRANT_NAMES.map((grant) => ({
          value: grant,
          label: GRANTS[grant],
          hint: null,
          isDisabled: grant === "CLIENT_CREDENTIALS" && type === "PUBLIC" && !grantTypes.includes(grant),
        }))}
        chosen={grantTypes}
        onChange={(grant, isIn) => set({ grantTypes: toggled(grantTypes, grant, isIn, GRANT_NAMES) })}
      />
      {(returns || draft.value.redirectUris !== "") && (
        <RedirectUrisField
          label="Redirect URIs"
          text={draft.value.redirectUris}
          error={errorOf("redirectUris")}
          onInput={(redirectUris) => set({ redirectUris })}
        />
      )}
      <CheckList
        legend="Scopes that it may ask for"
        hint="People read these sentences when they allow the client."
        error={errorOf("scopes")}
        choices={OPEN_SCOPES.map(scopeChoice)}
        chosen={scopes}
        onChange={setScope}
      />
      {!isOwned && (
        <CheckList
          legend="Scopes for programs that you trust"
          error={null}
          choices={SCOPES.filter(isPrivilegedScope).map(scopeChoice)}
          chosen={scopes}
          onChange={setScope}
        />
      )}
      {isNew && type === "CONFIDENTIAL" && <ProofFields {...{ draft, error, isNew }} />}
      <details class="more-settings" open={isMore(error)}>
        <summary>More settings</summary>
        <div class="stack">
          {!isOwned && (
            <Check
              label="It is the operator's own: people see no consent page"
              isChecked={draft.value.firstParty}
              error={errorOf("firstParty")}
              onChange={(firstParty) => set({ firstParty })}
            />
          )}
          <RedirectUrisField
            label="Redirect URIs after signing out"
            text={draft.value.postLogoutRedirectUris}
            error={errorOf("postLogoutRedirectUris")}
            onInput={(postLogoutRedirectUris) => set({ postLogoutRedirectUris })}
          />
          <TextField
            label="URL to call when a person signs out"
            type="url"
            value={draft.value.backchannelLogoutUri}
            hint="Back-channel logout. Empty: no call."
            error={errorOf("backchannelLogoutUri")}
            onInput={(backchannelLogoutUri) => set({ backchannelLogoutUri })}
          />
          {!isNew && type === "CONFIDENTIAL" && <ProofFields {...{ draft, error, isNew }} />}
          <SecurityFields {...{ draft, error, isNew, isOwned }} />
        </div>
      </details>
    </>
  );
}

function scopeChoice(scope: Scope) {
  return { value: scope, label: sentenceOf(scope), hint: scope, isDisabled: false };
}

const IN_SIGHT: ReadonlySet<string> = new Set(["name", "type", "grantTypes", "redirectUris", "scopes"]);

function isMore(error: DraftError | null): boolean {
  return error?.field != null && !IN_SIGHT.has(error.field);
}
