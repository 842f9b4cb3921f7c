import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { failureWords } from "../api/failure-words.ts";
import { ResendInvitation, WithdrawInvitation } from "../documents/invitations.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { ConfirmDialog } from "../frame/form/confirm-dialog.tsx";
import { href } from "../frame/href.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { More } from "../frame/list/more.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { Studio } from "../ports.ts";
import { LinkNote } from "./link-note.tsx";
import { InvitationList, type InvitationRow } from "./people-list.ts";
import { RetryKey } from "./retry-key.ts";
import { invitationWords, roleName } from "./words.ts";

interface Sent {
  readonly email: string;
  readonly link: string | null;
}

/** Places that administrators keep for people: sent again, or withdrawn. */
export function Invitations({ studio }: { readonly studio: Studio }) {
  const list = useMemo(() => new InvitationList(studio.api), [studio.api]);
  const leaving = useSignal<InvitationRow | null>(null);
  const sent = useSignal<Sent | null>(null);
  const busy = useSignal<string | null>(null);
  const problem = useSignal<string | null>(null);
  const keys = useMemo(() => new RetryKey(), []);
  useEffect(() => void list.reload(), [list]);
  const rows = list.rows.value;

  async function resend({ id, email }: InvitationRow): Promise<void> {
    if (busy.peek() !== null) return;
    busy.value = id;
    problem.value = null;
    try {
      const { resendInvitation } = await studio.api.run(ResendInvitation, { id }, { key: crypto.randomUUID() });
      sent.value = { email, link: resendInvitation?.link ?? null };
      await list.reload();
    } catch (error) {
      problem.value = failureWords(error);
    }
    busy.value = null;
  }

  return (
    <>
      {list.failure.value !== null && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The invitations could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {problem.value !== null && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
      {sent.value !== null && <LinkNote name={sent.value.email} link={sent.value.link} lasts="7 days" />}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>No invitations</h2>
          <p class="muted">
            An invitation keeps a place for an e-mail address. The person chooses a name and a password.
          </p>
          <a class="button" href={href("/people/new")}>
            Invite somebody
          </a>
        </div>
      ) : (
        <table class="rows people">
          <TableHead columns={["E-mail address", "Role", "State", "Invited", "Link ends"]} actions="Changes" />
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                <th scope="row" class="main" dir="auto">
                  {row.email}
                </th>
                <td data-label="Role">{roleName(row.role)}</td>
                <td data-label="State">{invitationWords(row.state)}</td>
                <td data-label="Invited">
                  <Time value={row.createdAt} />
                  {row.invitedById === studio.person.value.id && " by you"}
                  {row.invitedById === null && " at the terminal"}
                </td>
                <td data-label="Link ends">
                  {row.state === "OPEN" || row.state === "EXPIRED" ? <Time value={row.expiresAt} /> : "–"}
                </td>
                <td>
                  {(row.state === "OPEN" || row.state === "EXPIRED") && (
                    <div class="actions">
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Send again to ${row.email}`}
                        aria-disabled={busy.value !== null}
                        onClick={() => void resend(row)}
                      >
                        Send again
                      </button>
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Withdraw the invitation of ${row.email}`}
                        onClick={() => {
                          leaving.value = row;
                        }}
                      >
                        Withdraw
                      </button>
                    </div>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasMore.value && <More list={list} />}
      {leaving.value !== null && (
        <ConfirmDialog
          title="Withdraw the invitation?"
          action="Withdraw invitation"
          words={failureWords}
          onClose={() => {
            leaving.value = null;
          }}
          run={async () => {
            const { id = "", email } = leaving.peek() ?? {};
            await studio.api.run(WithdrawInvitation, { id }, { key: keys.for(id) });
            sent.value = null;
            studio.notify(`The invitation of ${email} is withdrawn.`);
            await list.reload();
          }}
        >
          <p>
            All links for <bdi>{leaving.value.email}</bdi> stop working immediately. You can invite this person again.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
