import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { FilterBar } from "../../frame/list/filter-bar.tsx";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import { More } from "../../frame/list/more.tsx";
import type { PageProps } from "../../page-props.ts";
import { changeWords } from "../change-words.ts";
import { repeatWhileSeen } from "../while-seen.ts";
import { MailList } from "./mail-list.ts";
import { MailTable } from "./mail-table.tsx";
import { MAIL_STATES, stateOf } from "./mail-words.ts";
import { TestMailDialog } from "./test-mail-dialog.tsx";

/** Milliseconds between looks at mails that wait: short at first, because most are sent within a second. */
const LOOKS = { quick: 1_000, usual: 10_000 } as const;
const QUICK_LOOKS = 10;

/** Mails about accounts: which wait, which failed and why. */
export function MailsPage({ studio, query }: PageProps) {
  const state = stateOf(query);
  const list = useMemo(() => new MailList(studio.api, state), [studio.api, state]);
  const isTesting = useSignal(false);
  const ownMails = useSignal(0);
  const failures = useSignal<ReadonlyMap<string, string>>(new Map());
  useTitle("Mails");
  useEffect(() => void list.reload(), [list]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a mail of one's own is looked at quickly
  useEffect(() => {
    let looks = 0;
    return repeatWhileSeen(
      async () => {
        looks += 1;
        if (list.hasWaiting) await list.reload();
      },
      () => (looks < QUICK_LOOKS ? LOOKS.quick : LOOKS.usual),
    );
  }, [list, ownMails.value]);
  const rows = list.rows.value;

  async function retry(id: string): Promise<void> {
    const without = new Map(failures.value);
    without.delete(id);
    failures.value = without;
    try {
      await list.retry(id, crypto.randomUUID());
      ownMails.value += 1;
      studio.notify("The mail is on its way again, with a new link if it has one.");
    } catch (error) {
      failures.value = new Map([...failures.value, [id, changeWords(error)]]);
    }
  }

  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Mails</h1>
        <button
          type="button"
          onClick={() => {
            isTesting.value = true;
          }}
        >
          Send a test mail
        </button>
      </header>
      <p class="lead">Links and notices about accounts, without their text. They are listed for 30 days.</p>
      <FilterBar
        fields={[{ name: "state", label: "State", options: [["", "All states"], ...Object.entries(MAIL_STATES)] }]}
        query={query}
        path="/mails"
        go={(path) => studio.go(path, { replace: true })}
      />
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The mails could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>{state === null ? "No mails yet" : "No mails in this state"}</h2>
          <p class="muted">
            {state === "FAILED"
              ? "The mail server accepted every mail of the last 30 days."
              : "Send a test mail to see whether mail works."}
          </p>
        </div>
      ) : (
        <MailTable rows={rows} failures={failures.value} onRetry={({ id }) => void retry(id)} />
      )}
      {rows !== null && list.hasMore.value && <More list={list} />}
      {isTesting.value && (
        <TestMailDialog
          send={async (to, key) => {
            await list.sendTest(to, key);
            ownMails.value += 1;
            studio.notify(`The mail to ${to} is on its way.`);
            if (state === null || state === "PENDING") await list.reload();
            else studio.go("/mails");
          }}
          onClose={() => {
            isTesting.value = false;
          }}
        />
      )}
    </>
  );
}
