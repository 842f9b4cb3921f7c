import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Secrets } from "../client-forms/secrets.tsx";
import {
  AddOwnClientSecret,
  EnableOwnClient,
  EndOwnClientSecret,
  type OwnClientFacts,
  type OwnClientPageData,
} from "../documents/developers.ts";
import { BackLink } from "../frame/back-link.tsx";
import { CopyButton } from "../frame/copy-button.tsx";
import { useTitle } from "../frame/document/title.ts";
import { href } from "../frame/href.ts";
import { Time } from "../frame/text/time.tsx";
import type { Studio } from "../ports.ts";
import { DeleteDialog, DisableDialog } from "./ending-dialogs.tsx";
import { kindOf } from "./facts/kinds.ts";
import { changeFailureWords } from "./facts/words.ts";
import { ConnectLater } from "./once/connect-later.tsx";
import { Problems } from "./problems.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { obstacleOf } from "./trial/obstacle.ts";

interface ClientViewProps {
  readonly studio: Studio;
  readonly client: OwnClientFacts;
  readonly problems: OwnClientPageData["ownClientProblems"];
  /** Why the page may be old; null where it is not. */
  readonly staleWords: string | null;
  readonly onChanged: (client: OwnClientFacts) => void;
  readonly onReload: () => Promise<void>;
}

/** All of one client, and what its owner can do with it. */
export function ClientView({ studio, client, problems, staleWords, onChanged, onReload }: ClientViewProps) {
  const { api } = studio;
  const asked = useSignal<"disable" | "delete" | null>(null);
  const failure = useSignal<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(client.name);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  async function enable(): Promise<void> {
    failure.value = null;
    try {
      const { enableOwnClient } = await api.run(EnableOwnClient, { id: client.id });
      if (enableOwnClient?.client != null) onChanged(enableOwnClient.client);
      studio.notify(`“${client.name}” works again.`);
    } catch (error) {
      failure.value = changeFailureWords(error);
    }
  }
  const obstacle = obstacleOf(client);
  const isDisabled = client.disabledAt !== null;
  return (
    <>
      <BackLink to="/developers">Your clients</BackLink>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {client.name}
        </h1>
        <div class="actions">
          {obstacle === null && (
            <a class="button primary" href={href(`/developers/${encodeURIComponent(client.id)}/try`)}>
              Try the sign-in
            </a>
          )}
          {!isDisabled && (
            <button
              type="button"
              onClick={() => {
                asked.value = "disable";
              }}
            >
              Disable
            </button>
          )}
          <button
            type="button"
            class="danger"
            onClick={() => {
              asked.value = "delete";
            }}
          >
            Delete
          </button>
        </div>
      </header>
      {client.disabledAt !== null && (
        <div class="note danger page-note" role="status">
          <p>
            {client.disabledByOwner ? "You disabled this client " : "An administrator disabled this client "}
            <Time value={client.disabledAt} />. The server rejects it and its tokens.
            {!client.disabledByOwner && " Only an administrator can enable it."}
          </p>
          {client.disabledByOwner && (
            <button type="button" onClick={() => void enable()}>
              Enable
            </button>
          )}
        </div>
      )}
      {[failure.value, staleWords].map(
        (words) =>
          words !== null && (
            <p key={words} class="field-error" role="alert">
              {words}
            </p>
          ),
      )}
      <dl class="facts client-facts">
        <dt>Client id</dt>
        <dd class="id-cell">
          <code id="client-id">{client.id}</code>
          <CopyButton text={client.id} fieldId="client-id" of="client id" />
        </dd>
        <dt>Kind</dt>
        <dd>{kindOf(client).words}</dd>
        <dt>Proves who it is with</dt>
        <dd>{proofOf(client)}</dd>
        <dt>Created</dt>
        <dd>
          <Time value={client.createdAt} exact />
        </dd>
        <dt>Last used</dt>
        <dd>{client.lastUsedAt === null ? "Never" : <Time value={client.lastUsedAt} />}</dd>
      </dl>
      <Problems problems={problems} onReload={onReload} />
      <SettingsForm key={client.id} {...{ studio, client, onChanged }} />
      {client.hasSecret && (
        <Secrets
          clientId={client.id}
          secrets={client.secrets}
          words={changeFailureWords}
          add={async (key) => {
            const { addOwnClientSecret } = await api.run(AddOwnClientSecret, { id: client.id }, { key });
            if (addOwnClientSecret?.client != null) onChanged(addOwnClientSecret.client);
            return addOwnClientSecret?.clientSecret ?? null;
          }}
          end={async (secret) => {
            const { endOwnClientSecret } = await api.run(EndOwnClientSecret, { id: client.id, secret });
            if (endOwnClientSecret?.client != null) onChanged(endOwnClientSecret.client);
            studio.notify("The secret is ended.");
          }}
        />
      )}
      <ConnectLater client={client} />
      {asked.value === "disable" && (
        <DisableDialog
          {...{ studio, client, onChanged }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
      {asked.value === "delete" && (
        <DeleteDialog
          {...{ studio, client }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </>
  );
}

function proofOf({ type, hasSecret, jwksUri }: OwnClientFacts): string {
  if (type === "PUBLIC") return "Nothing: everybody can read its code";
  if (hasSecret) return "A secret";
  return jwksUri === null ? "Its keys" : "Keys that it publishes at a URL";
}
