import { type ReadonlySignal, signal } from "@preact/signals";
import { askToLeave } from "../../frame/leaving.ts";

/** An address of the studio. */
interface Place {
  /** Below the studio's, such as `/posts/ID`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether it is another address for what is there already, so that the focus stays. */
  readonly isSame: boolean;
}

export interface Router {
  readonly place: ReadonlySignal<Place>;
  /** Asks the person before, where the page has something to lose and is not replaced by its own doing. */
  go(path: string, options?: { readonly replace?: boolean }): void;
  /** The address of a path, for links. */
  href(path: string): string;
}

/**
 * Addresses without loading: links of the page are followed here, and each entry of the history remembers how far the page
 * was scrolled.
 *
 * @param base the studio's own path, such as `/studio`
 */
export function openRouter(base: string): Router {
  const place = signal(read(base, false));
  history.scrollRestoration = "manual";
  const keepScroll = () =>
    history.replaceState({ ...history.state, top: scrollY, focus: document.activeElement?.id || null }, "");
  const move = (path: string, replace: boolean) => {
    keepScroll();
    if (replace) history.replaceState({ ...history.state }, "", base + path);
    else history.pushState({}, "", base + path);
    const before = place.value.path;
    const next = read(base, replace);
    // The list that takes the place of a page that is gone is another page.
    const isSame = replace && !before.startsWith(`${next.path}/`);
    place.value = { ...next, isSame };
    if (before !== next.path && !isSame) scrollTo(0, 0);
  };
  const router: Router = {
    place,
    href: (path) => base + path,
    go(path, { replace = false } = {}) {
      if (replace || !askToLeave(() => move(path, false))) move(path, replace);
    },
  };
  addEventListener("popstate", () => {
    const next = read(base, false);
    const { path, query } = place.value;
    // The browser has gone there already: the page gets its address back while the person is asked.
    if (next.path !== path && askToLeave(() => move(pathOf(next), false)))
      history.pushState({}, "", base + pathOf({ path, query }));
    else place.value = next;
  });
  addEventListener("pagehide", keepScroll);
  document.addEventListener("click", (event) => {
    const path = followedPath(event, base);
    if (path === null) return;
    event.preventDefault();
    router.go(path);
  });
  return router;
}

/** How this entry of the history was left; null for one that is new. */
export function leftAt(): { readonly top: number | null; readonly focus: string | null } {
  const { top = null, focus = null } = (history.state ?? {}) as { readonly top?: number; readonly focus?: string };
  return { top, focus };
}

function pathOf({ path, query }: Pick<Place, "path" | "query">): string {
  return query.size === 0 ? path : `${path}?${query}`;
}

function read(base: string, isSame: boolean): Place {
  const path = location.pathname.startsWith(base) ? location.pathname.slice(base.length) : "/";
  return { path: path === "" ? "/" : path, query: new URLSearchParams(location.search), isSame };
}

/** @returns the path of a link of the studio that a plain click follows; null for all others */
function followedPath(event: MouseEvent, base: string): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return null;
  const link = (event.target as Element | null)?.closest("a[href]");
  if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.hasAttribute("download")) return null;
  if (link.origin !== location.origin || !link.pathname.startsWith(`${base}/`) || link.hash !== "") return null;
  return link.pathname.slice(base.length) + link.search;
}
