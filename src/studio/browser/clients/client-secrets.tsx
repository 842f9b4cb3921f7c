import { Secrets } from "../client-forms/secrets.tsx";
import { AddClientSecret, EndClientSecret, RotateClientSecret } from "../documents/clients.ts";
import { changeFailureWords } from "./failure-words.ts";
import type { ClientPartProps } from "./settings-form.tsx";

/** Secrets of the client, with the requests that change them. */
export function ClientSecrets({ studio, client, onChange }: ClientPartProps) {
  const { id } = client;
  return (
    <Secrets
      clientId={id}
      secrets={client.secrets}
      words={changeFailureWords}
      add={async (key) => {
        const { addClientSecret } = await studio.api.run(AddClientSecret, { id }, { key });
        if (addClientSecret?.client != null) onChange(addClientSecret.client);
        return addClientSecret?.clientSecret ?? null;
      }}
      replace={async (key) => {
        const { rotateClientSecret } = await studio.api.run(RotateClientSecret, { id }, { key });
        if (rotateClientSecret?.client != null) onChange(rotateClientSecret.client);
        return rotateClientSecret?.clientSecret ?? null;
      }}
      end={async (secret) => {
        const { endClientSecret } = await studio.api.run(EndClientSecret, { id, secret });
        if (endClientSecret?.client != null) onChange(endClientSecret.client);
        studio.notify("The secret is ended.");
      }}
    />
  );
}
