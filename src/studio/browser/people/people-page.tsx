import { useEffect } from "preact/hooks";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { FilterBar } from "../frame/list/filter-bar.tsx";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import { More } from "../frame/list/more.tsx";
import { TableHead } from "../frame/list/table-head.tsx";
import { Time } from "../frame/text/time.tsx";
import type { PageProps } from "../page-props.ts";
import { Invitations } from "./invitations.tsx";
import { filterOf, type PersonRow, peopleList } from "./people-list.ts";
import { ROLES, roleName, STATES, stateWords } from "./words.ts";
import "./people.css";

const FIELDS = [
  { name: "q", label: "Search", placeholder: "Beginning of a name or e-mail address" },
  {
    name: "role",
    label: "Role",
    options: [["", "All roles"] as const, ...ROLES.map(({ value, name }) => [value, name] as const)],
  },
  { name: "state", label: "State", options: [["", "All states"] as const, ...STATES] },
];

/** Everybody with an account, and the invitations. */
export function PeoplePage({ studio, query }: PageProps) {
  const isOfInvitations = query.get("view") === "invitations";
  useTitle(isOfInvitations ? "Invitations" : "People");
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>People</h1>
        <a class="button primary" href={href("/people/new")}>
          <Icon name="plus" />
          Add person
        </a>
      </header>
      <nav class="tabs" aria-label="Lists">
        <a href={href("/people")} aria-current={isOfInvitations ? undefined : "page"}>
          Accounts
        </a>
        <a href={href("/people?view=invitations")} aria-current={isOfInvitations ? "page" : undefined}>
          Invitations
        </a>
      </nav>
      {isOfInvitations ? <Invitations studio={studio} /> : <Accounts studio={studio} query={query} />}
    </>
  );
}

function Accounts({ studio, query }: Pick<PageProps, "studio" | "query">) {
  const list = peopleList(studio.api);
  const filter = filterOf(query);
  const key = JSON.stringify(filter);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has all of the filter
  useEffect(() => void list.show(filter), [list, key]);
  const rows = list.rows.value;
  const failure = list.failure.value;
  return (
    <>
      <FilterBar fields={FIELDS} query={query} path="/people" go={(path) => studio.go(path, { replace: true })} />
      {failure !== null && (
        <FailureNote
          failure={failure}
          title={rows === null ? "The people could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <div class="empty">
          <h2>Nobody found</h2>
          <p class="muted">The search looks at the beginning of names and of e-mail addresses.</p>
          <a class="button" href={href("/people")}>
            Show everybody
          </a>
        </div>
      ) : (
        <PeopleTable rows={rows} me={studio.person.value.id} />
      )}
      {list.hasMore.value && rows !== null && <More list={list} />}
    </>
  );
}

function PeopleTable({ rows, me }: { readonly rows: readonly PersonRow[]; readonly me: string }) {
  return (
    <table class="rows people">
      <TableHead columns={["Person", "Role", "State", "Last sign-in", "Second step"]} />
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row" class="main person-cell">
              <a id={`person-${row.id}`} href={href(`/people/${row.id}`)}>
                <span dir="auto">{row.name}</span>
                {row.id === me && <span class="tag">You</span>}
                <span class="muted small" dir="auto">
                  {row.email}
                </span>
              </a>
            </th>
            <td data-label="Role">{roleName(row.role)}</td>
            <td data-label="State">{stateWords(row)}</td>
            <td data-label="Last sign-in">{row.lastSignInAt === null ? "Never" : <Time value={row.lastSignInAt} />}</td>
            <td data-label="Second step">{row.secondStep ? "On" : "Off"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
