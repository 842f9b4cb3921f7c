import { preferences } from "../../frame/document/preferences.ts";
import { pageActions } from "../../frame/page-actions.ts";
import { beginSignOut } from "../program/sign-out.ts";
import type { OpenStudio } from "../program/start.ts";

export interface PaletteEntry {
  readonly key: string;
  readonly name: string;
  /** Its kind, such as "Page" or "Draft". */
  readonly kind: string;
  /** HTML of the search. */
  readonly highlight?: string;
  run(studio: OpenStudio): void;
}

/** Pages and actions. */
export function paletteEntries(
  { settings }: Pick<OpenStudio, "settings">,
  pages: readonly { readonly name: string; readonly path: string }[],
  onShortcuts: () => void,
): readonly PaletteEntry[] {
  const page = (name: string, path: string): PaletteEntry => ({
    ...{ key: path, name, kind: "Page" },
    run: (studio) => studio.go(path),
  });
  const action = (name: string, run: PaletteEntry["run"]): PaletteEntry => ({ key: name, name, kind: "Action", run });
  return [
    action("New post", (studio) => studio.go("/posts/new")),
    ...pageActions().map(({ name, run }) => action(name, run)),
    ...pages.map(({ name, path }) => page(name, path)),
    page("Drafts", "/posts?state=drafts"),
    page("Scheduled posts", "/posts?state=scheduled"),
    page("Published posts", "/posts?state=published"),
    page("Archived posts", "/posts?state=archived"),
    action("Your account", () => location.assign(`${settings.issuer}/account`)),
    action("Explorer", () => location.assign(settings.graphqlPath)),
    action("Light appearance", () => {
      preferences.appearance.value = "light";
    }),
    action("Dark appearance", () => {
      preferences.appearance.value = "dark";
    }),
    action("Appearance of the system", () => {
      preferences.appearance.value = "system";
    }),
    action(preferences.plainEditor.value ? "Full editor" : "Plain editor", () => {
      preferences.plainEditor.value = !preferences.plainEditor.value;
    }),
    action("Keyboard shortcuts", onShortcuts),
    action("Sign out", (studio) => {
      beginSignOut(studio).catch((error: Error) => studio.notify(`You are still signed in: ${error.message}`));
    }),
  ];
}

/** Entries that have all the typed words, those whose name begins with the text first. */
export function fitting(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const found = entries.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const rank = ({ name }: PaletteEntry) => (name.toLowerCase().startsWith(text) ? 0 : 1);
  return text === "" ? entries : found.sort((a, b) => rank(a) - rank(b));
}
