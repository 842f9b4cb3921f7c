import { Field, TextField } from "../../frame/form/field.tsx";
import { type ClientDraft, hasKeys, type Proof } from "./client-draft.ts";
import type { PartProps } from "./part-props.ts";

const PROOFS: Readonly<Record<Proof, string>> = {
  secret: "A secret that the server makes",
  jwks: "Its own keys",
  jwksUri: "Its own keys, which it publishes at a URL",
  certificate: "A certificate from an authority",
  selfSigned: "Its own certificate",
};

const KINDS: Readonly<Record<ClientDraft["subjectKind"], string>> = {
  SUBJECT_DN: "Distinguished name",
  SAN_DNS: "DNS name",
  SAN_URI: "URI",
  SAN_IP: "IP address",
  SAN_EMAIL: "E-mail address",
};

/** How a confidential client proves that it is the one. The way stays as it was at the creation; keys can be changed. */
export function ProofFields({ draft, error, isNew }: PartProps) {
  const set = (part: Partial<ClientDraft>) => {
    draft.value = { ...draft.peek(), ...part };
  };
  const errorOf = (field: keyof ClientDraft) => (error?.field === field ? error.message : null);
  const { proof, jwks, jwksUri, subjectKind, subjectValue } = draft.value;
  return (
    <>
      {isNew && (
        <Field label="It proves itself with" hint="It stays as it is." error={errorOf("proof")}>
          {(given) => (
            <select
              {...given}
              value={proof}
              onChange={({ currentTarget }) => set({ proof: currentTarget.value as Proof })}
            >
              {Object.entries(PROOFS).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {hasKeys(draft.value) && (!isNew || proof !== "jwksUri") && (
        <TextField
          label="Public keys"
          rows={6}
          value={jwks}
          placeholder='{ "keys": [ … ] }'
          hint={
            proof === "selfSigned"
              ? "A JWK Set in JSON, with the certificate as x5c. Empty: the keys are at the URL below."
              : "A JWK Set in JSON. Empty: the keys are at the URL below."
          }
          error={errorOf("jwks")}
          onInput={(value) => set({ jwks: value })}
        />
      )}
      {hasKeys(draft.value) && (!isNew || proof !== "jwks") && (
        <TextField
          label="URL of its public keys"
          type="url"
          value={jwksUri}
          hint="The server reads a JWK Set there."
          error={errorOf("jwksUri")}
          onInput={(value) => set({ jwksUri: value })}
        />
      )}
      {proof === "certificate" && (
        <>
          <Field label="Kind of the name in its certificate" error={errorOf("subjectKind")}>
            {(given) => (
              <select
                {...given}
                value={subjectKind}
                onChange={({ currentTarget }) =>
                  set({ subjectKind: currentTarget.value as ClientDraft["subjectKind"] })
                }
              >
                {Object.entries(KINDS).map(([value, words]) => (
                  <option key={value} value={value}>
                    {words}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label="Name in its certificate"
            value={subjectValue}
            placeholder={subjectKind === "SUBJECT_DN" ? "CN=client,O=Example" : ""}
            error={errorOf("subjectValue")}
            onInput={(value) => set({ subjectValue: value })}
          />
        </>
      )}
    </>
  );
}
