import { useId } from "preact/hooks";
import { canChange, isScope, sentenceOf } from "../../../../domain/scopes.ts";
import { RedirectUrisField } from "../../client-forms/redirect-uris-field.tsx";
import { TextField } from "../../frame/form/field.tsx";
import type { ClientDraft, DraftErrors } from "./draft.ts";

export interface FieldsProps {
  readonly draft: ClientDraft;
  readonly errors: DraftErrors;
  readonly onChange: (part: Partial<ClientDraft>) => void;
}

interface ClientFieldsProps extends FieldsProps {
  readonly hasRedirect: boolean;
  /** Such a URI, for the hint. */
  readonly exampleUri: string | null;
  /** Scopes that may be chosen. */
  readonly choices: readonly string[];
  /** Whether people sign in with the client. */
  readonly hasPeople: boolean;
}

/** Name, redirect URIs and scopes of a client. */
export function ClientFields({ draft, errors, onChange, ...props }: ClientFieldsProps) {
  const { hasRedirect, exampleUri, choices, hasPeople } = props;
  return (
    <>
      <TextField
        label="Name"
        hint={hasPeople ? "The consent page shows it, with your name." : "For you alone."}
        value={draft.name}
        error={errors.name}
        maxLength={200}
        onInput={(name) => onChange({ name })}
      />
      {hasRedirect && (
        <RedirectUrisField
          label="Redirect URIs"
          hint={`One in each line, such as ${exampleUri}. The program must send one of them character by character.`}
          text={draft.redirectUris}
          error={errors.redirectUris ?? null}
          onInput={(redirectUris) => onChange({ redirectUris })}
        />
      )}
      <Scopes {...{ draft, errors, onChange, choices, hasPeople }} />
    </>
  );
}

function Scopes({
  draft,
  errors,
  onChange,
  choices,
  hasPeople,
}: Omit<ClientFieldsProps, "hasRedirect" | "exampleUri">) {
  const id = useId();
  const groups = [
    ["See", choices.filter((scope) => !canChange(scope))],
    ["Change", choices.filter(canChange)],
  ] as const;
  return (
    <fieldset aria-describedby={errors.scopes === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}>
      <legend>Scopes</legend>
      <p id={`${id}-hint`} class="hint">
        {hasPeople
          ? "It may ask for these. The consent page shows the same sentences."
          : "It has these without asking anybody."}
      </p>
      {errors.scopes !== undefined && (
        <p id={`${id}-error`} class="field-error" role="alert">
          {errors.scopes}
        </p>
      )}
      {groups.map(
        ([title, scopes]) =>
          scopes.length > 0 && (
            <fieldset key={title} class="scope-group">
              <legend>{title}</legend>
              {scopes.map((scope) => (
                <div key={scope} class="choice">
                  <input
                    type="checkbox"
                    id={`${id}-${scope}`}
                    checked={draft.scopes.includes(scope)}
                    onChange={({ currentTarget: { checked } }) =>
                      onChange({
                        scopes: choices.filter((one) => (one === scope ? checked : draft.scopes.includes(one))),
                      })
                    }
                  />
                  <label for={`${id}-${scope}`}>
                    {isScope(scope) ? sentenceOf(scope) : scope} <code class="muted">{scope}</code>
                  </label>
                </div>
              ))}
            </fieldset>
          ),
      )}
    </fieldset>
  );
}
