import { isScope, sentenceOf } from "../../../../domain/scopes.ts";
import { href } from "../../frame/href.ts";
import { TableHead } from "../../frame/list/table-head.tsx";
import { Time } from "../../frame/text/time.tsx";
import type { Account, OwnedClient } from "./person-model.ts";
import type { Step } from "./steps.ts";

interface AccessProps {
  readonly account: Account;
  readonly ask: (step: Step) => void;
}

/** The API shows so many, and says not whether there are more. */
const MOST = 20;

/** Browsers in which the person is signed in. */
export function Sessions({ account: { sessions, name }, ask }: AccessProps) {
  return (
    <section class="section" aria-labelledby="sessions">
      <h2 id="sessions">Browsers that are signed in</h2>
      {sessions.length === 0 ? (
        <p class="muted">
          <bdi>{name}</bdi> is not signed in anywhere.
        </p>
      ) : (
        <table class="rows people">
          <TableHead columns={["Browser", "IP address", "Signed in", "Last used"]} actions="Changes" />
          <tbody>
            {sessions.map((session) => (
              <tr key={session.id}>
                <th scope="row" class="main">
                  {session.browser ?? "Not used yet"}
                </th>
                <td data-label="IP address">{session.address ?? "–"}</td>
                <td data-label="Signed in">
                  <Time value={session.signedInAt} />
                </td>
                <td data-label="Last used">
                  {session.lastUsedAt === null ? "Not yet" : <Time value={session.lastUsedAt} />}
                </td>
                <td class="number">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`End the session in ${session.browser ?? "a browser"}`}
                    onClick={() => ask({ kind: "session", session })}
                  >
                    End
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {sessions.length >= MOST && <p class="hint">The {MOST} that were used last.</p>}
      <div class="actions">
        <button type="button" onClick={() => ask({ kind: "sessions" })}>
          Sign out everywhere
        </button>
      </div>
    </section>
  );
}

/** Clients that may act for the person. */
export function AllowedClients({ account: { clients, name }, ask }: AccessProps) {
  return (
    <section class="section" aria-labelledby="allowed">
      <h2 id="allowed">Clients that may act for this person</h2>
      {clients.length === 0 ? (
        <p class="muted">
          No client may act for <bdi>{name}</bdi>.
        </p>
      ) : (
        <table class="rows people">
          <TableHead columns={["Client", "May", "Since", "Last used"]} actions="Changes" />
          <tbody>
            {clients.map((client) => (
              <tr key={client.clientId}>
                <th scope="row" class="main">
                  <a href={href(`/clients/${encodeURIComponent(client.clientId)}`)} dir="auto">
                    {client.name}
                  </a>
                </th>
                <td data-label="May" class="long">
                  {client.scopes.map((scope) => (isScope(scope) ? sentenceOf(scope) : scope)).join(". ")}
                </td>
                <td data-label="Since">
                  <Time value={client.since} />
                  {client.isGiven && ", given at the terminal"}
                </td>
                <td data-label="Last used">{client.lastUsedAt === null ? "–" : <Time value={client.lastUsedAt} />}</td>
                <td class="number">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Withdraw the access of ${client.name}`}
                    onClick={() => ask({ kind: "client", client })}
                  >
                    Withdraw
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {clients.length >= MOST && <p class="hint">The latest {MOST}.</p>}
    </section>
  );
}

/** Clients that the person registered. */
export function OwnedClients({ clients }: { readonly clients: readonly OwnedClient[] }) {
  if (clients.length === 0) return null;
  return (
    <section class="section" aria-labelledby="owned">
      <h2 id="owned">Clients that this person owns</h2>
      <table class="rows people">
        <TableHead columns={["Client", "State", "Registered", "Last used"]} />
        <tbody>
          {clients.map((client) => (
            <tr key={client.id}>
              <th scope="row" class="main">
                <a href={href(`/clients/${encodeURIComponent(client.id)}`)} dir="auto">
                  {client.name}
                </a>
              </th>
              <td data-label="State">{client.disabledAt === null ? "Active" : "Disabled"}</td>
              <td data-label="Registered">
                <Time value={client.createdAt} />
              </td>
              <td data-label="Last used">
                {client.lastUsedAt === null ? "Not known" : <Time value={client.lastUsedAt} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
