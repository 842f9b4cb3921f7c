import { useEffect, useRef } from "preact/hooks";
import type { OwnClientFacts } from "../../documents/developers.ts";
import { useTitle } from "../../frame/document/title.ts";
import { LeaveGuard } from "../../frame/form/leave-guard.tsx";
import { SecretOnce } from "../../frame/form/secret-once.tsx";
import { readPlaces } from "../facts/places.ts";
import { ConnectLater } from "./connect-later.tsx";
import { CopiedValue } from "./copied-value.tsx";
import { envFile } from "./env-file.ts";
import { forgetMade } from "./made-clients.ts";

interface NewClientProps {
  readonly client: OwnClientFacts;
  readonly secret: string | null;
}

/** A client that was just made. The page stays until its developer has the secret. */
export function NewClient({ client, secret }: NewClientProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(`${client.name} is ready`);
  useEffect(() => heading.current?.focus(), []);
  const done = () => forgetMade(client.id);
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {client.name} is ready
        </h1>
      </header>
      <div class="section stack form">
        <CopiedValue label="Client id" value={client.id} />
        {secret !== null && (
          <SecretOnce
            label="Client secret"
            secret={secret}
            file={{ name: ".env", text: envFile(client, secret, readPlaces()) }}
          />
        )}
        <div class="actions">
          <button type="button" class="primary" onClick={done}>
            {secret === null ? "Go on" : "I have it"}
          </button>
        </div>
      </div>
      <ConnectLater client={client} />
      {secret !== null && <LeaveGuard of="secret" onLeave={done} />}
    </>
  );
}
