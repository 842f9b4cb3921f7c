import { useSignal } from "@preact/signals";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { Mark } from "../frame/mark.tsx";
import { isWithin, navigationGroups } from "./navigation-entries.ts";
import { PersonMenu } from "./person-menu.tsx";
import type { OpenStudio } from "./program/start.ts";

interface NavigationProps {
  readonly studio: OpenStudio;
  readonly onSearch: () => void;
  readonly onShortcuts: () => void;
}

/** The way to every page: beside it on wide screens, above it on narrow ones. */
export function Navigation({ studio, onSearch, onShortcuts }: NavigationProps) {
  const isMenuOpen = useSignal(false);
  const { router, settings } = studio;
  const closeMenu = () => {
    isMenuOpen.value = false;
  };
  return (
    <header class="sidebar" data-region>
      <a class="home" href={router.href("/posts")}>
        <Mark />
        <span class="operator" dir="auto">
          {settings.operator}
        </span>
      </a>
      <button type="button" class="quiet find" aria-keyshortcuts="Control+K" onClick={onSearch}>
        <Icon name="search" />
        <span class="label">Search</span>
        <span class="keys-hint" aria-hidden="true">
          {commandKey()} K
        </span>
      </button>
      <button
        type="button"
        class="quiet icon-button menu-button"
        aria-label="Menu"
        aria-haspopup="dialog"
        onClick={() => {
          isMenuOpen.value = true;
        }}
      >
        <Icon name="menu" />
      </button>
      <div class="sidebar-rest">
        <Links studio={studio} />
        <PersonMenu studio={studio} onShortcuts={onShortcuts} />
      </div>
      {isMenuOpen.value && (
        <Dialog title="Menu" kind="side" onClose={closeMenu}>
          <div class="sidebar-sheet">
            <Links studio={studio} onFollow={closeMenu} />
            <PersonMenu
              studio={studio}
              isOpen
              onShortcuts={() => {
                closeMenu();
                onShortcuts();
              }}
            />
          </div>
        </Dialog>
      )}
    </header>
  );
}

function Links({ studio, onFollow }: { readonly studio: OpenStudio; readonly onFollow?: () => void }) {
  const { router, settings } = studio;
  const { path } = router.place.value;
  return (
    <nav aria-label="Studio">
      {navigationGroups(studio).map(({ title, entries }) => (
        <div key={title} class="nav-group">
          {title !== null && <h2>{title}</h2>}
          <ul>
            {entries.map((entry) => (
              <li key={entry.path}>
                <a
                  href={router.href(entry.path)}
                  aria-current={isWithin(path, entry) ? "page" : undefined}
                  onClick={onFollow}
                >
                  <Icon name={entry.icon} /> {entry.name}
                  {entry.path === "/device" && <TextCount count={studio.onDevice.count.value} />}
                </a>
              </li>
            ))}
            {title === null && (
              <li>
                <a href={settings.graphqlPath}>
                  <Icon name="external" /> Explorer
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function TextCount({ count }: { readonly count: number }) {
  if (count === 0) return null;
  return (
    <span class="count">
      {count} <span class="visually-hidden">{count === 1 ? "text" : "texts"}</span>
    </span>
  );
}

function commandKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
}
