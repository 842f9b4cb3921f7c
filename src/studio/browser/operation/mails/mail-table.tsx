import type { MailFacts } from "../../documents/mails.ts";
import { href } from "../../frame/href.ts";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import { StateMark } from "../state-mark.tsx";
import { attemptWords, KIND_WORDS, MAIL_STATES } from "./mail-words.ts";

interface MailTableProps {
  readonly rows: readonly MailFacts[];
  /** Sentences about rows whose last change failed, by id. */
  readonly failures: ReadonlyMap<string, string>;
  readonly onRetry: (mail: MailFacts) => void;
}

const TONES = { PENDING: "muted", SENT: "good", FAILED: "danger", DROPPED: "muted" } as const;

export function MailTable({ rows, failures, onRetry }: MailTableProps) {
  return (
    <table class="rows">
      <TableHead columns={["To", "Subject", "State", "Asked for"]} actions="Actions" />
      <tbody>
        {rows.map((mail) => (
          <tr key={mail.id}>
            <th scope="row" class="main">
              <Recipient mail={mail} />
            </th>
            <td data-label="Subject">{KIND_WORDS[mail.kind]}</td>
            <td>
              <StateMark tone={TONES[mail.state]}>{MAIL_STATES[mail.state]}</StateMark>
              {mail.sentAt !== null && (
                <>
                  {" "}
                  <Time value={mail.sentAt} />
                </>
              )}
              <span class="below" dir="auto">
                {attemptWords(mail)}
              </span>
              {failures.has(mail.id) && (
                <p class="field-error" role="alert">
                  {failures.get(mail.id)}
                </p>
              )}
            </td>
            <td data-label="Asked for">
              <Time value={mail.createdAt} />
            </td>
            <td>
              {mail.state === "FAILED" && mail.address !== null && (
                <button type="button" aria-label={`Send again to ${mail.address}`} onClick={() => onRetry(mail)}>
                  Send again
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Recipient({ mail: { address, personId } }: { readonly mail: MailFacts }) {
  const words = address ?? "Address erased";
  return personId === null ? (
    <span dir="auto" class={address === null ? "muted" : undefined}>
      {words}
    </span>
  ) : (
    <a href={href(`/people/${personId}`)} dir="auto">
      {words}
    </a>
  );
}
