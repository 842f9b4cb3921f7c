import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isPlainKey } from "../frame/document/keys.ts";
import { walkRegions } from "../frame/document/regions.ts";
import { Icon } from "../frame/icon.tsx";
import { Notices } from "../frame/notices.tsx";
import { Bars } from "./bars.tsx";
import { CurrentPage } from "./current-page.tsx";
import { Navigation } from "./navigation.tsx";
import { navigationGroups } from "./navigation-entries.ts";
import { findPage, prefetchEditor } from "./pages.ts";
import { Palette } from "./palette/palette.tsx";
import type { OpenStudio } from "./program/start.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { SignOutDialog } from "./sign-out-dialog.tsx";
import "./shell.css";

/** The frame around every page. */
export function App({ studio }: { readonly studio: OpenStudio }) {
  const opened = useSignal<"palette" | "shortcuts" | null>(null);
  const found = findPage(studio.router.place.value.path);
  const isBare = found?.entry.isBare === true;
  const open = (what: "palette" | "shortcuts") => {
    opened.value = what;
  };
  const close = () => {
    opened.value = null;
  };
  useEffect(prefetchEditor, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signal is the same in every rendering
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      walkRegions(event);
      if (event.defaultPrevented || event.isComposing) return;
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (isCommand && event.key.toLowerCase() === "k" && document.querySelector("dialog[open]") === null)
        open("palette");
      else if (isCommand && event.key === "/") open("shortcuts");
      else if (event.key === "?" && isPlainKey(event)) open("shortcuts");
      else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <div class={isBare ? "frame bare" : "frame"}>
        {!isBare && (
          <Navigation studio={studio} onSearch={() => open("palette")} onShortcuts={() => open("shortcuts")} />
        )}
        <div class="content">
          <Bars studio={studio} />
          {isBare && (
            <nav class="back" aria-label="Studio" data-region>
              <a class="button quiet" href={studio.router.href("/posts")}>
                <Icon name="back" /> Posts
              </a>
            </nav>
          )}
          <CurrentPage studio={studio} found={found} />
        </div>
      </div>
      <Notices />
      {studio.leaving.value !== null && <SignOutDialog studio={studio} texts={studio.leaving.value} />}
      {opened.value === "palette" && (
        <Palette
          studio={studio}
          pages={navigationGroups(studio).flatMap(({ entries }) => entries)}
          onClose={close}
          onShortcuts={() => open("shortcuts")}
        />
      )}
      {opened.value === "shortcuts" && <ShortcutList onClose={close} />}
    </>
  );
}
