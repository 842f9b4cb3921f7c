import { Dialog } from "../frame/dialog.tsx";
import { preferences } from "../frame/document/preferences.ts";

const EVERYWHERE = [
  ["Search and commands", "Ctrl K"],
  ["Keyboard shortcuts", "Ctrl /"],
  ["Next part of the page", "F6"],
] as const;

const SINGLE = [
  ["This list", "?"],
  ["New post", "N"],
  ["Search the list", "/"],
  ["Next and previous post", "J", "K"],
  ["Select the post", "X"],
  ["Select up to the post", "Shift X"],
] as const;

const WRITING = [
  ["Bold, italic", "Ctrl B", "Ctrl I"],
  ["Link", "Ctrl K"],
  ["Heading", "Ctrl Alt 2", "Ctrl Alt 3"],
  ["Save", "Ctrl S"],
  ["Publish", "Ctrl Enter"],
  ["Preview", "Ctrl Alt V"],
  ["Focus mode", "Ctrl Shift F"],
  ["Next and previous note", "F8", "Shift F8"],
  ["Paste as plain text", "Ctrl Shift V"],
] as const;

/** The keys of the studio. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <Keys title="Everywhere" rows={EVERYWHERE} />
      {preferences.singleKeys.value ? (
        <Keys title="In the list" rows={SINGLE} />
      ) : (
        <p class="muted">Single-key shortcuts are off. The menu under your name turns them on.</p>
      )}
      <Keys title="While writing" rows={WRITING} />
    </Dialog>
  );
}

function Keys({ title, rows }: { readonly title: string; readonly rows: readonly (readonly string[])[] }) {
  return (
    <section class="keys">
      <h3>{title}</h3>
      <dl>
        {rows.map(([name, ...keys]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
