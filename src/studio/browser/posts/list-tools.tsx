import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../frame/icon.tsx";
import type { Studio } from "../ports.ts";
import { DELETED, EVERYTHING, type ListView, type Order, pathOf, TABS, type Tab } from "./list-address.ts";

interface ListToolsProps {
  readonly view: ListView;
  readonly studio: Studio;
  readonly authorName: string | null;
  readonly href: (path: string) => string;
}

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  all: "All",
  drafts: "Drafts",
  scheduled: "Scheduled",
  published: "Published",
  archived: "Archived",
};

const ORDER_NAMES: Readonly<Record<Order, string>> = {
  changed: "Last changed",
  created: "Newest",
  published: "Last published",
  title: "Title",
};

/** Milliseconds after the last key. */
const TYPING = 250;

/** Tabs, search, author and order. All of them are in the address. */
export function ListTools({ view, studio, authorName, href }: ListToolsProps) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    const { current } = field;
    if (current !== null && document.activeElement !== current) current.value = view.q;
  }, [view.q]);
  const find = (q: string) => {
    clearTimeout(timer.current);
    studio.go(pathOf({ ...view, q: q.trim() }), { replace: true });
  };
  const me = studio.person.value.id;
  return (
    <div class="list-tools">
      <Tabs view={view} hasDeleted={studio.server.value.deletedDays > 0} href={href} />
      <div class="list-filters">
        <label class="search">
          <span class="visually-hidden">Search posts</span>
          <Icon name="search" />
          <input
            ref={field}
            id="search-posts"
            type="search"
            placeholder="Search"
            defaultValue={view.q}
            onInput={({ currentTarget, isComposing }) => {
              clearTimeout(timer.current);
              if (!isComposing) timer.current = setTimeout(() => find(currentTarget.value), TYPING);
            }}
            onCompositionEnd={({ currentTarget }) => find(currentTarget.value)}
            onKeyDown={({ key, isComposing, currentTarget }) => {
              if (key === "Enter" && !isComposing) find(currentTarget.value);
            }}
          />
        </label>
        <label>
          <span class="visually-hidden">Author</span>
          <select
            value={view.author ?? ""}
            onChange={({ currentTarget }) => studio.go(pathOf({ ...view, author: currentTarget.value || null }))}
          >
            <option value="">Everybody</option>
            <option value={me}>Mine</option>
            {view.author !== null && view.author !== me && (
              <option value={view.author}>{authorName ?? "This person"}</option>
            )}
          </select>
        </label>
        {view.tab !== "scheduled" && (
          <label>
            <span class="visually-hidden">Order</span>
            <select
              value={view.order}
              onChange={({ currentTarget }) => studio.go(pathOf({ ...view, order: currentTarget.value as Order }))}
            >
              {Object.entries(ORDER_NAMES).map(([order, name]) => (
                <option key={order} value={order}>
                  {order === "changed" && view.q !== "" ? "Best match" : name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </div>
  );
}

interface TabsProps {
  /** null in the list of deleted posts. */
  readonly view: ListView | null;
  readonly hasDeleted: boolean;
  readonly href: (path: string) => string;
}

export function Tabs({ view, hasDeleted, href }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const tab = view?.tab ?? "deleted";
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place
  useEffect(() => {
    const current = nav.current?.querySelector("[aria-current]");
    if (nav.current === null || current == null) return;
    // On a narrow page the tabs scroll, and the page itself must not.
    const [place, shown] = [current.getBoundingClientRect(), nav.current.getBoundingClientRect()];
    nav.current.scrollLeft += Math.max(0, place.right - shown.right) + Math.min(0, place.left - shown.left);
  }, [tab]);
  return (
    <nav ref={nav} class="tabs" aria-label="Posts by state">
      {TABS.map((one) => (
        <a
          key={one}
          href={href(pathOf({ ...(view ?? EVERYTHING), tab: one }))}
          aria-current={one === tab ? "page" : undefined}
        >
          {TAB_NAMES[one]}
        </a>
      ))}
      {hasDeleted && (
        <a href={href(DELETED)} aria-current={tab === "deleted" ? "page" : undefined}>
          Deleted
        </a>
      )}
    </nav>
  );
}
