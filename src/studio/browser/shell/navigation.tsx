import { useSignal } from "@preact/signals";
import { Dialog } from "../frame/dialog.tsx";
import { Icon } from "../frame/icon.tsx";
import { Mark } from "../frame/mark.tsx";
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
  const texts = studio.onDevice.count.value;
  const isPosts = path === "/" || path.startsWith("/posts");
  return (
    <nav aria-label="Studio">
      <ul>
        <li>
          <a href={router.href("/posts")} aria-current={isPosts ? "page" : undefined} onClick={onFollow}>
            <Icon name="posts" /> Posts
          </a>
        </li>
        <li>
          <a href={router.href("/device")} aria-current={path === "/device" ? "page" : undefined} onClick={onFollow}>
            <Icon name="device" /> On this device
            {texts > 0 && (
              <span class="count">
                {texts} <span class="visually-hidden">{texts === 1 ? "text" : "texts"}</span>
              </span>
            )}
          </a>
        </li>
        <li>
          <a href={settings.graphqlPath}>
            <Icon name="external" /> Explorer
          </a>
        </li>
      </ul>
    </nav>
  );
}

function commandKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
}
