import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { failureWords } from "../../api/failure-words.ts";
import { KeepPerson, UnlockPerson } from "../../documents/person.ts";
import { BackLink } from "../../frame/back-link.tsx";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { href } from "../../frame/href.ts";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { PageProps } from "../../page-props.ts";
import type { Studio } from "../../ports.ts";
import { LinkNote } from "../link-note.tsx";
import { roleName, stateWords } from "../words.ts";
import { AllowedClients, OwnedClients, Sessions } from "./access-sections.tsx";
import { AccountFacts, SignInSection } from "./account-sections.tsx";
import { AuditSection } from "./audit-section.tsx";
import { type Account, isThere, PersonModel } from "./person-model.ts";
import { StepDialog } from "./step-dialog.tsx";
import type { Step } from "./steps.ts";

/** One person: the account, and all that can be changed of it. */
export function PersonPage({ studio, id }: PageProps) {
  return id === null ? null : <OnePerson key={id} studio={studio} id={id} />;
}

function OnePerson({ studio, id }: { readonly studio: Studio; readonly id: string }) {
  const model = useMemo(() => new PersonModel(studio.api, id), [studio.api, id]);
  const step = useSignal<Step | null>(null);
  /** undefined: no link was made. */
  const link = useSignal<string | null | undefined>(undefined);
  useEffect(() => void model.load(), [model]);
  const data = model.data.value;
  const failure = model.failure.value;
  const account = data?.accountBy ?? null;
  const title = account?.name ?? (data === null ? "Person" : "There is no such person");
  useTitle(title);
  const isMe = studio.person.value.id === id;
  const ask = (next: Step) => {
    step.value = next;
  };
  const others = (data?.administrators.nodes ?? []).filter((one) => one.id !== id);
  const isActive = account !== null && isThere(account);
  return (
    <>
      <BackLink to="/people">People</BackLink>
      <header class="page-head">
        <h1 tabIndex={-1} dir="auto">
          {title}
        </h1>
        {account !== null && (
          <a class="button" href={href(`/posts?author=${id}`)}>
            Posts
          </a>
        )}
      </header>
      {failure !== null && (
        <FailureNote
          failure={failure}
          title={data === null ? "The person could not be loaded." : "This page may be old."}
          onRetry={() => void model.load()}
        />
      )}
      {data === null && model.isLoading.value && <SkeletonRows />}
      {data !== null && account === null && <p class="muted">No account of this server has this id.</p>}
      {data !== null && account !== null && (
        <>
          <p class="muted">
            {roleName(account.role)} · {stateWords(account)}
            {isMe && " · You"}
          </p>
          <StateNote studio={studio} model={model} account={account} />
          <AccountFacts {...{ account, isMe, others, ask }} hasMoreOthers={data.administrators.pageInfo.hasNextPage} />
          {isActive && (
            <>
              <SignInSection {...{ account, isMe, ask }}>
                {account.state === "ACTIVE" && link.value !== undefined && (
                  <LinkNote name={account.name} link={link.value} lasts="24 hours" />
                )}
              </SignInSection>
              <Sessions {...{ account, ask }} />
              <AllowedClients {...{ account, ask }} />
            </>
          )}
          <OwnedClients clients={data.clients} />
          <AuditSection id={id} entries={data.auditEntries.nodes} />
          {account.state !== "DELETED" && (
            <section class="section" aria-labelledby="data">
              <h2 id="data">Data</h2>
              <p class="muted">One JSON file with the account, posts, history, sessions and security events.</p>
              <div class="actions">
                <button type="button" onClick={() => ask({ kind: "export" })}>
                  Download everything about this person
                </button>
              </div>
            </section>
          )}
          {isActive && !isMe && (
            <section class="section" aria-labelledby="delete">
              <h2 id="delete">Delete account</h2>
              <p class="muted">Locks the person out now, and deletes the account some days later.</p>
              <div class="actions">
                <button type="button" class="danger" onClick={() => ask({ kind: "delete" })}>
                  Delete account
                </button>
              </div>
            </section>
          )}
        </>
      )}
      {step.value !== null && account !== null && (
        <StepDialog
          {...{ studio, model, account }}
          step={step.value}
          onLink={(made) => {
            link.value = made;
          }}
          onClose={() => {
            step.value = null;
          }}
        />
      )}
    </>
  );
}

interface StateNoteProps {
  readonly studio: Studio;
  readonly model: PersonModel;
  readonly account: Account;
}

/** Says why the person cannot sign in, with the way back. */
function StateNote({ studio, model, account }: StateNoteProps) {
  const isBusy = useSignal(false);
  const { id, name, state, disabledAt, deletesAt, deletedAt } = account;
  async function run(change: () => Promise<unknown>, done: string): Promise<void> {
    if (isBusy.peek()) return;
    isBusy.value = true;
    try {
      await change();
      studio.notify(done);
      document.querySelector<HTMLElement>("main h1")?.focus();
    } catch (error) {
      studio.notify(failureWords(error));
    }
    isBusy.value = false;
  }
  if (state === "DISABLED" && disabledAt !== null)
    return (
      <div class="note danger section state-note">
        <p>
          Locked out since <Time value={disabledAt} exact />.
        </p>
        <button
          type="button"
          aria-disabled={isBusy.value}
          onClick={() => void run(() => model.change(UnlockPerson, { id }), `${name} can sign in again.`)}
        >
          Let in again
        </button>
      </div>
    );
  if (state === "DELETING" && deletesAt !== null)
    return (
      <div class="note danger section state-note">
        <p>
          The account will be deleted <Time value={deletesAt} exact />. Nobody can sign in with it until it is kept.
        </p>
        <button
          type="button"
          aria-disabled={isBusy.value}
          onClick={() => void run(() => model.change(KeepPerson, { id }), "The account is kept.")}
        >
          Keep account
        </button>
      </div>
    );
  if (state === "DELETED" && deletedAt !== null)
    return (
      <p class="note section">
        <span>
          Deleted <Time value={deletedAt} exact />. Only the id is left, so that posts and the audit keep their meaning.
        </span>
      </p>
    );
  return null;
}
