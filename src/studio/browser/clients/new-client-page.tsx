import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type AdministeredClient, CreateClient } from "../documents/clients.ts";
import { BackLink } from "../frame/back-link.tsx";
import { useTitle } from "../frame/document/title.ts";
import { LeaveGuard } from "../frame/form/leave-guard.tsx";
import { SecretOnce } from "../frame/form/secret-once.tsx";
import { href } from "../frame/href.ts";
import type { PageProps } from "../page-props.ts";
import { CLIENTS_PATH, clientPath } from "./client-list.ts";
import { changeFailureWords } from "./failure-words.ts";
import { useFocusOnError } from "./focus-on-error.ts";
import { type DraftError, draftErrorOf, errorIn, NEW_DRAFT, newInputOf } from "./form/client-draft.ts";
import { ClientFields } from "./form/client-fields.tsx";
import "./clients.css";

interface Made {
  readonly client: AdministeredClient;
  readonly secret: string | null;
}

/** Registers a client of the operator, then shows its secret once. */
export function NewClientPage({ studio }: PageProps) {
  useTitle("New client");
  const draft = useSignal(NEW_DRAFT);
  const error = useSignal<DraftError | null>(null);
  const isBusy = useSignal(false);
  const made = useSignal<Made | null>(null);
  const sent = useRef({ key: "", body: "" });
  const form = useFocusOnError(error.value);

  async function create(): Promise<void> {
    if (isBusy.peek()) return;
    error.value = errorIn(draft.peek());
    if (error.peek() !== null) return;
    isBusy.value = true;
    const input = newInputOf(draft.peek());
    const body = JSON.stringify(input);
    // The same request again has the same key, so that a lost answer makes no second client.
    if (sent.current.body !== body) sent.current = { key: crypto.randomUUID(), body };
    try {
      const { createClient } = await studio.api.run(CreateClient, { input }, { key: sent.current.key });
      if (createClient?.client == null) throw new Error("The server gave no client.");
      made.value = { client: createClient.client, secret: createClient.clientSecret };
      requestAnimationFrame(() => document.querySelector<HTMLElement>("main h1")?.focus());
    } catch (failure) {
      error.value = draftErrorOf(failure) ?? { field: null, message: changeFailureWords(failure) };
    } finally {
      isBusy.value = false;
    }
  }

  if (made.value !== null) return <MadeClient {...made.value} />;
  return (
    <>
      <BackLink to={CLIENTS_PATH}>Clients</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>New client</h1>
      </header>
      <form
        ref={form}
        class="form stack section"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <ClientFields draft={draft} error={error.value} isNew isOwned={false} />
        {error.value?.field === null && (
          <p class="field-error" role="alert">
            {error.value.message}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy.value}>
            Create client
          </button>
          <a class="button" href={href(CLIENTS_PATH)}>
            Cancel
          </a>
        </div>
      </form>
      {draft.value !== NEW_DRAFT && <LeaveGuard of="changes" />}
    </>
  );
}

function MadeClient({ client: { id, name, hasSecret }, secret }: Made) {
  return (
    <div class="form stack">
      <h1 tabIndex={-1} dir="auto">
        {name} is registered
      </h1>
      <SecretOrId id={id} secret={secret} />
      {hasSecret && secret === null && (
        <p class="note danger">The answer with the secret was lost. Open the client and add another secret.</p>
      )}
      <div class="actions">
        <a class="button primary" href={href(clientPath(id))}>
          Open client
        </a>
        <a class="button" href={href(CLIENTS_PATH)}>
          All clients
        </a>
      </div>
      {secret !== null && <LeaveGuard of="secret" />}
    </div>
  );
}

function SecretOrId({ id, secret }: { readonly id: string; readonly secret: string | null }) {
  return (
    <>
      <dl class="facts">
        <dt>client_id</dt>
        <dd>
          <code>{id}</code>
        </dd>
      </dl>
      {secret !== null && (
        <SecretOnce
          label="Client secret"
          secret={secret}
          file={{ name: "client.env", text: `CLIENT_ID=${id}\nCLIENT_SECRET=${secret}\n` }}
        />
      )}
    </>
  );
}
