import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useTitle } from "../frame/document/title.ts";
import type { PageProps } from "../page-props.ts";
import { PostsPage } from "../posts/posts-page.tsx";
import { Gate } from "./gate.tsx";
import type { FoundPage, PageEntry } from "./pages.ts";
import type { DoorName } from "./program/doors.ts";
import { leftAt } from "./program/router.ts";
import type { OpenStudio } from "./program/start.ts";

interface CurrentPageProps {
  readonly studio: OpenStudio;
  readonly found: FoundPage | null;
}

/** Waits shorter than this show nothing, so that nothing flickers. Milliseconds. */
const NOTICED = 400;

const loaded = new Map<PageEntry, ComponentType<PageProps>>();

/** The page at the present address. Its heading gets the focus when the address becomes another. */
export function CurrentPage({ studio, found }: CurrentPageProps) {
  const { place } = studio.router;
  const { path, query, isSame } = place.value;
  const main = useRef<HTMLElement>(null);
  const state = useSignal<"waiting" | "slow" | "failed" | "ready">("waiting");
  const attempt = useSignal(0);
  const isFirst = useRef(true);
  const entry = found?.entry;
  const isThere = entry === undefined || entry.load === null || loaded.has(entry);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the page and the attempt say all
  useEffect(() => {
    if (isThere || entry?.load == null) {
      state.value = "ready";
      return undefined;
    }
    let isLeft = false;
    state.value = "waiting";
    const timer = setTimeout(() => {
      state.value = "slow";
    }, NOTICED);
    entry
      .load()
      .then(
        (page) => {
          loaded.set(entry, page);
          if (!isLeft) state.value = "ready";
        },
        () => {
          if (!isLeft) state.value = "failed";
        },
      )
      .finally(() => clearTimeout(timer));
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [entry, attempt.value]);

  const isReady = isThere || state.value === "ready";
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that is another, or there at last
  useEffect(() => {
    if (!isReady) return undefined;
    if (isFirst.current || isSame) {
      isFirst.current = false;
      return undefined;
    }
    const frame = requestAnimationFrame(() => restore(main.current));
    return () => cancelAnimationFrame(frame);
  }, [path, isReady]);

  const Page = entry === undefined ? undefined : loaded.get(entry);
  return (
    <main id="main" ref={main} class={entry?.isBare === true ? "page bare" : "page"} tabIndex={-1} data-region>
      {found === null ? (
        <NotFound studio={studio} />
      ) : entry?.load === null ? (
        <PostsPage studio={studio} api={studio.api} query={query} onDevice={studio.onDevice.posts.value} />
      ) : Page !== undefined ? (
        <Behind studio={studio} door={entry?.door} Page={Page} id={found.id} query={query} />
      ) : state.value === "failed" ? (
        <div class="empty">
          <h1 tabIndex={-1}>This page could not be loaded</h1>
          <p class="muted">
            {entry?.door === undefined ? "Your text is kept on this device." : "Check the connection, then try again."}
          </p>
          <button
            type="button"
            onClick={() => {
              attempt.value += 1;
            }}
          >
            Try again
          </button>
        </div>
      ) : (
        state.value === "slow" && (
          <p class="loading muted" role="status">
            Loading
          </p>
        )
      )}
    </main>
  );
}

interface BehindProps extends Omit<PageProps, "studio"> {
  readonly studio: OpenStudio;
  readonly door: DoorName | undefined;
  readonly Page: ComponentType<PageProps>;
}

/** A page, behind its door where it has one. */
function Behind({ studio, door, Page, ...props }: BehindProps) {
  if (door === undefined) return <Page studio={studio} {...props} />;
  return (
    <Gate key={door} studio={studio} door={door}>
      <Page studio={studio.doors[door].studio} {...props} />
    </Gate>
  );
}

/** A page to which the person returns is as it was. On a new one, its heading has the focus. */
function restore(main: HTMLElement | null): void {
  const { top, focus } = leftAt();
  const before = focus === null ? null : document.getElementById(focus);
  if (top !== null) scrollTo(0, top);
  const active = document.activeElement;
  const hasChosen = active !== null && active !== document.body && main?.contains(active) === true;
  if (before === null && hasChosen) return; // the page itself did
  (before ?? main?.querySelector<HTMLElement>("h1") ?? main)?.focus({ preventScroll: true });
}

function NotFound({ studio }: { readonly studio: OpenStudio }) {
  useTitle("There is no such page");
  return (
    <div class="empty">
      <h1 tabIndex={-1}>There is no such page</h1>
      <p class="muted">The address may be from an older version of the studio.</p>
      <a class="button" href={studio.router.href("/posts")}>
        Go to the posts
      </a>
    </div>
  );
}
