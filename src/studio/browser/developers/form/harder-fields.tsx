import { useId } from "preact/hooks";
import { Field, TextField } from "../../frame/form/field.tsx";
import type { FieldsProps } from "./client-fields.tsx";
import type { ClientDraft, Proof } from "./draft.ts";

interface HarderFieldsProps extends FieldsProps {
  /** Whether people sign in with the client through a browser. */
  readonly hasRedirect: boolean;
  /** Ways to prove who it is that may be chosen; none for a public client, or for one that keeps its secret. */
  readonly proofs: readonly Proof[];
}

const PROOFS: Readonly<Record<Proof, string>> = {
  secret: "A secret",
  jwksUri: "Keys that it publishes at a URL",
  jwks: "Keys that you paste here",
};

/** Settings that protect a client better, and ask more of its program. Each says what it protects from. */
export function HarderFields({ draft, errors, onChange, hasRedirect, proofs }: HarderFieldsProps) {
  const hasKeys = proofs.length > 0 && draft.proof !== "secret";
  return (
    <div class="stack">
      {proofs.length > 0 && (
        <Field
          label="It proves who it is with"
          hint="With keys, nothing secret leaves your server: it signs each request, and a leaked log gives nothing away."
        >
          {(given) => (
            <select
              {...given}
              value={draft.proof}
              onChange={({ currentTarget }) => onChange({ proof: currentTarget.value as Proof })}
            >
              {proofs.map((proof) => (
                <option key={proof} value={proof}>
                  {PROOFS[proof]}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {hasKeys && draft.proof === "jwksUri" && (
        <TextField
          label="URL of its keys"
          hint="An https URL of a JWK Set. The program can change its keys there."
          type="url"
          value={draft.jwksUri}
          error={errors.jwksUri}
          onInput={(jwksUri) => onChange({ jwksUri })}
        />
      )}
      {hasKeys && draft.proof === "jwks" && (
        <TextField
          label="Public keys"
          hint='A JWK Set in JSON, such as {"keys": […]}. Never paste a private key.'
          rows={6}
          value={draft.jwks}
          error={errors.jwks}
          onInput={(jwks) => onChange({ jwks })}
        />
      )}
      <div>
        <Switch name="dpopBound" title="Tokens need a key of the program (DPoP)" {...{ draft, onChange }}>
          Somebody who steals a token cannot use it.
        </Switch>
        {hasRedirect && (
          <Switch name="mustPush" title="Requests are pushed first (PAR)" {...{ draft, onChange }}>
            Nobody can change a sign-in request in the browser, or read it there.
          </Switch>
        )}
        {hasRedirect && hasKeys && (
          <Switch name="mustSign" title="Requests are signed (JAR)" {...{ draft, onChange }}>
            Nobody else can start a sign-in in the name of the program.
          </Switch>
        )}
      </div>
      {hasRedirect && (
        <Field label="Algorithm of ID tokens" hint="Choose RS256 only for a library that does not know ES256.">
          {(given) => (
            <select
              {...given}
              value={draft.idTokenAlgorithm}
              onChange={({ currentTarget }) =>
                onChange({ idTokenAlgorithm: currentTarget.value === "RS256" ? "RS256" : "ES256" })
              }
            >
              <option value="ES256">ES256</option>
              <option value="RS256">RS256</option>
            </select>
          )}
        </Field>
      )}
    </div>
  );
}

interface SwitchProps extends Pick<FieldsProps, "draft" | "onChange"> {
  readonly name: "dpopBound" | "mustPush" | "mustSign";
  readonly title: string;
  readonly children: string;
}

function Switch({ name, title, children, draft, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        aria-describedby={`${id}-hint`}
        checked={draft[name]}
        onChange={({ currentTarget: { checked } }) => onChange({ [name]: checked } as Partial<ClientDraft>)}
      />
      <div class="choice-words">
        <label for={id}>{title}</label>
        <p id={`${id}-hint`} class="hint">
          {children}
        </p>
      </div>
    </div>
  );
}
