import { Field, TextField } from "../../frame/form/field.tsx";
import { Check } from "./check-list.tsx";
import { type ClientDraft, hasKeys } from "./client-draft.ts";
import type { PartProps } from "./part-props.ts";

const ALGORITHMS = ["ES256", "PS256", "EdDSA", "RS256"] as const;

/** Settings that make a stolen token or a forged request worth less, each with what it protects from. */
export function SecurityFields({ draft, error, isNew, isOwned }: PartProps & { readonly isOwned: boolean }) {
  const set = (part: Partial<ClientDraft>) => {
    draft.value = { ...draft.peek(), ...part };
  };
  const errorOf = (field: keyof ClientDraft) => (error?.field === field ? error.message : null);
  const { type, proof, dpopBound, mustPush, mustSign, certificateBound, idTokenAlgorithm } = draft.value;
  const isConfidential = type === "CONFIDENTIAL";
  const keys = hasKeys(draft.value);
  return (
    <>
      {isNew ? <h2>Protection</h2> : <h3>Protection</h3>}
      <Check
        label="Bind its tokens to a key (DPoP)"
        hint="A stolen token is worth nothing without the key."
        isChecked={dpopBound}
        error={errorOf("dpopBound")}
        onChange={(value) => set({ dpopBound: value })}
      />
      <Check
        label="Its authorization requests must be pushed (PAR)"
        hint="Nobody can read or change the request in the browser."
        isChecked={mustPush}
        error={errorOf("mustPush")}
        onChange={(value) => set({ mustPush: value })}
      />
      {(keys || mustSign) && (
        <Check
          label="Its authorization requests must be signed"
          hint="Nobody else can make a request in its name. Needs SIGNED_REQUESTS=true."
          isChecked={mustSign}
          error={errorOf("mustSign")}
          onChange={(value) => set({ mustSign: value })}
        />
      )}
      <Check
        label="Bind its tokens to its certificate"
        hint="A stolen token is worth nothing without the certificate. Needs CLIENT_CERTIFICATES."
        isChecked={certificateBound}
        error={errorOf("certificateBound")}
        onChange={(value) => set({ certificateBound: value })}
      />
      <Field label="Algorithm of its ID tokens" error={errorOf("idTokenAlgorithm")}>
        {(given) => (
          <select
            {...given}
            value={idTokenAlgorithm}
            onChange={({ currentTarget }) =>
              set({ idTokenAlgorithm: currentTarget.value as ClientDraft["idTokenAlgorithm"] })
            }
          >
            <option value="ES256">ES256</option>
            <option value="RS256">RS256, for programs without ES256</option>
          </select>
        )}
      </Field>
      {keys && proof !== "selfSigned" && (
        <Field label="Algorithm of its assertions" error={errorOf("assertionAlgorithm")}>
          {(given) => (
            <select
              {...given}
              value={draft.value.assertionAlgorithm}
              onChange={({ currentTarget }) =>
                set({ assertionAlgorithm: currentTarget.value as ClientDraft["assertionAlgorithm"] })
              }
            >
              <option value="">Any that its keys allow</option>
              {ALGORITHMS.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {isConfidential && !isOwned && (
        <TextField
          label="API that the client is"
          value={draft.value.resourceServer}
          hint="One of RESOURCES. The client may then ask about tokens for it. Empty: none."
          error={errorOf("resourceServer")}
          onInput={(value) => set({ resourceServer: value })}
        />
      )}
    </>
  );
}
