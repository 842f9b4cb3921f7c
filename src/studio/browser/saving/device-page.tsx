import { useEffect, useState } from "preact/hooks";
import { Dialog } from "../frame/dialog.tsx";
import { useTitle } from "../frame/document/title.ts";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { Time } from "../frame/text/time.tsx";
import type { Studio } from "../ports.ts";
import { browserDevice } from "./device/browser-device.ts";
import { download } from "./device/download.ts";
import type { LocalDraft } from "./device/local-draft.ts";
import { othersWithTexts, unsent } from "./device/unsent.ts";
import { sendUnsent } from "./send-unsent.ts";
import "./saving.css";

/** Every text that this device has and the server may lack (S36). */
export function DevicePage({ studio }: { readonly studio: Studio }) {
  const personId = studio.person.value.id;
  const [drafts, setDrafts] = useState<readonly LocalDraft[] | null>(null);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [removing, remove] = useState<LocalDraft | null>(null);
  const look = async () => {
    const [found, names] = await Promise.all([unsent(personId).catch(() => null), othersWithTexts(personId)]);
    if (found !== null) setDrafts(found);
    setOthers(names);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: looking is the same in every rendering
  useEffect(() => {
    void look();
    if (studio.isOnline.value && studio.isSignedIn.value) void sendUnsent(studio).then(look, look);
  }, [personId, studio.isOnline.value, studio.isSignedIn.value]);
  useTitle("On this device");
  return (
    <div class="device-page">
      <h1 tabIndex={-1}>On this device</h1>
      <p class="muted">Texts that this browser keeps and the server does not have yet.</p>
      {others.map((name) => (
        <p class="note" key={name}>
          <Icon name="person" />
          This device holds texts of {name}. They are sent when {name} signs in here.
        </p>
      ))}
      {drafts?.length === 0 && (
        <p class="device-empty">
          <Icon name="check" /> The server has everything that you wrote here.
        </p>
      )}
      {drafts !== null && drafts.length > 0 && (
        <ul class="device-list">
          {drafts.map((draft) => (
            <DeviceRow key={draft.key} draft={draft} onRemove={() => remove(draft)} />
          ))}
        </ul>
      )}
      {removing !== null && (
        <Dialog title="Delete this text from the device?" onClose={() => remove(null)}>
          <p>“{titleOf(removing)}” is nowhere else in this form. It cannot be brought back.</p>
          <div class="dialog-actions">
            <button type="button" onClick={() => remove(null)}>
              Keep it
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => {
                remove(null);
                void browserDevice().remove(personId, removing.key).then(look);
              }}
            >
              Delete
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function DeviceRow({ draft, onRemove }: { readonly draft: LocalDraft; readonly onRemove: () => void }) {
  const title = titleOf(draft);
  const address = href(draft.postId === null ? "/posts/new" : `/posts/${draft.postId}`);
  return (
    <li>
      <div class="device-text">
        {draft.isAside ? (
          <span class="title">{title}</span>
        ) : (
          <a class="title" href={address}>
            {title}
          </a>
        )}
        <p class="muted small">
          {draft.isAside
            ? "Set aside when another text was chosen"
            : draft.postId === null
              ? "Not yet a post"
              : "Changes of a post"}
          {" · "}
          <Time value={new Date(draft.changedAt).toISOString()} />
        </p>
        <p class="device-excerpt" dir="auto">
          {draft.texts.body.trim().slice(0, 160)}
        </p>
      </div>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          aria-label={`Download .md of ${title}`}
          onClick={() => download(draft.texts)}
        >
          Download .md
        </button>
        <button type="button" class="quiet danger" aria-label={`Delete ${title} from this device`} onClick={onRemove}>
          Delete
        </button>
      </div>
    </li>
  );
}

function titleOf({ texts }: LocalDraft): string {
  return texts.title.trim() === "" ? "Untitled" : texts.title;
}
