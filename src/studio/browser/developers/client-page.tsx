import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { readFailureWords } from "../api/failure-words.ts";
import { OwnClientPage, type OwnClientPageData } from "../documents/developers.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href, idIn } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import type { PageProps } from "../page-props.ts";
import { ApiFailure, type Studio } from "../ports.ts";
import { ClientView } from "./client-view.tsx";
import { madeClients } from "./once/made-clients.ts";
import { NewClient } from "./once/new-client.tsx";

/** One client of the person: just made, or later. */
export function ClientPage({ studio, id }: PageProps) {
  return id === null ? null : <OneClient key={id} {...{ studio }} id={idIn(id)} />;
}

function OneClient({ studio, id }: { readonly studio: Studio; readonly id: string }) {
  const page = useSignal<OwnClientPageData | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  async function load(): Promise<void> {
    failure.value = null;
    try {
      page.value = await studio.api.run(OwnClientPage, { id });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: loading is the same in every rendering
  useEffect(() => void load(), [id]);
  const client = page.value?.ownClients.find((one) => one.id === id);
  const secret = madeClients().value.get(id);
  if (failure.value?.kind === "not-found") return <NoClient />;
  if (client === undefined || page.value === null)
    return (
      <>
        <header class="page-head">
          <h1 tabIndex={-1}>Client</h1>
        </header>
        {failure.value === null ? (
          <SkeletonRows />
        ) : (
          <FailureNote failure={failure.value} title="The client could not be loaded." onRetry={() => void load()} />
        )}
      </>
    );
  if (secret !== undefined) return <NewClient {...{ client, secret }} />;
  return (
    <ClientView
      {...{ studio, client }}
      problems={page.value.ownClientProblems}
      staleWords={failure.value === null ? null : readFailureWords(failure.value)}
      onChanged={(changed) => {
        const before = page.peek();
        if (before === null) return;
        page.value = { ...before, ownClients: before.ownClients.map((one) => (one.id === id ? changed : one)) };
      }}
      onReload={load}
    />
  );
}

function NoClient() {
  useTitle("There is no such client");
  return (
    <div class="empty">
      <h1 tabIndex={-1}>You have no such client</h1>
      <p class="muted">Somebody deleted it, or it belongs to somebody else.</p>
      <a class="button" href={href("/developers")}>
        Your clients
      </a>
    </div>
  );
}
