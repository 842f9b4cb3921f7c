import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { CreateOwnClient } from "../../documents/developers.ts";
import { BackLink } from "../../frame/back-link.tsx";
import { useTitle } from "../../frame/document/title.ts";
import { LeaveGuard } from "../../frame/form/leave-guard.tsx";
import { href } from "../../frame/href.ts";
import type { PageProps } from "../../page-props.ts";
import { type Kind, kindNamed } from "../facts/kinds.ts";
import { changeFailureWords } from "../facts/words.ts";
import { ClientFields } from "../form/client-fields.tsx";
import {
  type ClientDraft,
  choicesFor,
  createInput,
  type DraftErrors,
  errorsIn,
  errorsOf,
  withKind,
} from "../form/draft.ts";
import { HarderFields } from "../form/harder-fields.tsx";
import { keepMade } from "../once/made-clients.ts";
import { KindChoice } from "./kind-choice.tsx";

/** A new client. The rest of the form comes with the choice of what somebody builds. */
export function WizardPage({ studio, query }: PageProps) {
  const kind = kindNamed(query.get("kind"));
  useTitle("New client");
  return (
    <>
      <BackLink to="/developers">Your clients</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1}>New client</h1>
      </header>
      <div class="section stack">
        <KindChoice kind={kind} onChoose={({ name }) => studio.go(`/developers/new?kind=${name}`, { replace: true })} />
        {kind === null ? (
          <p class="muted">
            Not sure? A program that runs on your own server and has a web page is the first. You can make another
            client later.
          </p>
        ) : (
          <NewClientForm {...{ studio, kind }} />
        )}
      </div>
    </>
  );
}

function NewClientForm({ studio, kind }: Pick<PageProps, "studio"> & { readonly kind: Kind }) {
  const typed = useSignal<{ readonly kind: Kind; readonly draft: ClientDraft } | null>(null);
  const draft = typed.value?.kind === kind ? typed.value.draft : withKind(typed.value?.draft ?? null, kind);
  const errors = useSignal<DraftErrors>({});
  const failure = useSignal<string | null>(null);
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<{ readonly key: string; readonly text: string } | null>(null);
  const hasRedirect = kind.exampleUri !== null;

  const showFirstError = () =>
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"] ~ * input')?.focus(),
    );
  async function create(): Promise<void> {
    if (isBusy.peek()) return;
    failure.value = null;
    errors.value = errorsIn(draft, hasRedirect);
    if (Object.keys(errors.value).length > 0) return void showFirstError();
    isBusy.value = true;
    try {
      const input = createInput(draft, kind);
      const text = JSON.stringify(input);
      // The same input is sent again under the same key, so that a lost answer makes no second client.
      if (sent.current?.text !== text) sent.current = { key: crypto.randomUUID(), text };
      const { createOwnClient } = await studio.api.run(CreateOwnClient, { input }, { key: sent.current.key });
      const client = createOwnClient?.client;
      if (client == null) return;
      const secret = createOwnClient?.clientSecret ?? null;
      if (secret !== null || !client.hasSecret) keepMade(client.id, secret);
      else studio.notify("The client is there, but the answer with its secret was lost. Add another secret.");
      studio.go(`/developers/${encodeURIComponent(client.id)}`, { replace: true });
    } catch (error) {
      errors.value = errorsOf(error);
      if (Object.keys(errors.value).length === 0) failure.value = changeFailureWords(error);
      else showFirstError();
    } finally {
      isBusy.value = false;
    }
  }
  const onChange = (part: Partial<ClientDraft>) => {
    typed.value = { kind, draft: { ...draft, ...part } };
    if (Object.keys(part).some((name) => name in errors.peek()))
      errors.value = Object.fromEntries(Object.entries(errors.peek()).filter(([name]) => !(name in part)));
  };

  return (
    <form
      ref={form}
      class="stack form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <ClientFields
        {...{ draft, hasRedirect, onChange }}
        errors={errors.value}
        exampleUri={kind.exampleUri}
        choices={choicesFor(kind, draft)}
        hasPeople={kind.name !== "job"}
      />
      <details>
        <summary>Harder to attack</summary>
        <HarderFields
          {...{ draft, hasRedirect, onChange }}
          errors={errors.value}
          proofs={kind.type === "CONFIDENTIAL" ? ["secret", "jwksUri", "jwks"] : []}
        />
      </details>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy.value}>
          Create client
        </button>
        <a class="button quiet" href={href("/developers")}>
          Cancel
        </a>
      </div>
      {typed.value !== null && <LeaveGuard of="changes" />}
    </form>
  );
}
