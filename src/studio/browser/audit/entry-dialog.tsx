import type { ComponentChildren } from "preact";
import type { AuditRow } from "../documents/audit.ts";
import { Dialog } from "../frame/dialog.tsx";
import { href } from "../frame/href.ts";
import { Time } from "../frame/text/time.tsx";
import { auditPath } from "./audit-filter.ts";
import { Name } from "./audit-table.tsx";
import { clientOf, doerOf, eventWords, personOf, resultWords } from "./words/audit-words.ts";

interface EntryDialogProps {
  readonly row: AuditRow;
  readonly onClose: () => void;
}

/** All that the audit knows about one decision. Its links lead to the person and the client, and to entries like it. */
export function EntryDialog({ row, onClose }: EntryDialogProps) {
  const { actorId, actor, personId, person, clientId, client, address, requestId } = row;
  const doer = doerOf(row);
  return (
    <Dialog title={eventWords(row.event)} kind="side" onClose={onClose}>
      <dl class="facts entry">
        <Fact name="Result">{resultWords(row.result)}</Fact>
        <Fact name="Detail">{row.detail}</Fact>
        <Fact name="Time">
          <Time value={row.at} exact />
          <br />
          <code>{row.at}</code>
        </Fact>
        <Fact name="Done by">
          <Name named={doer} />
          {actor !== null && <Also>{actor.email}</Also>}
          {actorId !== null && <Also>{actorId}</Also>}
        </Fact>
        {personId !== null && (
          <Fact name="Person">
            <Name named={personOf(personId, person)} />
            {person !== null && <Also>{person.email}</Also>}
            <Also>{personId}</Also>
            <Like filters={{ person: personId }} words="All about this person" onClose={onClose} />
          </Fact>
        )}
        {clientId !== null && (
          <Fact name="Client">
            <Name named={clientOf(clientId, client)} />
            <Also>{clientId}</Also>
            <Like filters={{ client: clientId }} words="All about this client" onClose={onClose} />
          </Fact>
        )}
        {address !== null && (
          <Fact name="IP address">
            <code>{address}</code>
            <Like filters={{ ip: address }} words="All from this IP address" onClose={onClose} />
          </Fact>
        )}
        {requestId !== null && (
          <Fact name="Request">
            <code>{requestId}</code>
            <Like filters={{ request: requestId }} words="All of this request" onClose={onClose} />
          </Fact>
        )}
        <Fact name="Entry">
          <code>{row.id}</code>
        </Fact>
      </dl>
    </Dialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  if (children === null) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

function Also({ children }: { readonly children: string }) {
  return children === "" ? null : <small class="muted">{children}</small>;
}

interface LikeProps {
  readonly filters: Parameters<typeof auditPath>[0];
  readonly words: string;
  readonly onClose: () => void;
}

/** A link to the entries that have the same value. */
function Like({ filters, words, onClose }: LikeProps) {
  return (
    <a class="like" href={href(auditPath(filters))} onClick={onClose}>
      {words}
    </a>
  );
}
