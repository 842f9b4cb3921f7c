// The editor's page with a post that is kept in memory, for tests in the browser. It stands in for the engine that saves.
import "../../src/studio/browser/frame/base.css";
import { signal } from "@preact/signals";
import { h, render } from "preact";
import { WritingPage } from "../../src/studio/browser/editor/writing-page.tsx";
import { preferences } from "../../src/studio/browser/frame/document/preferences.ts";
import { walkRegions } from "../../src/studio/browser/frame/document/regions.ts";

function openWriting(texts) {
  const listeners = new Set();
  const writing = {
    id: signal("P1"),
    post: signal(null),
    applied: signal(null),
    texts: signal(texts),
    state: signal({ kind: "saved" }),
    isReadOnly: signal(false),
    others: signal([]),
    merged: signal(null),
    versions: signal({ version: 1, workingVersion: 1 }),
    isComposing: signal(false),
    /** Each change as it came, with whether an input method was composing. */
    changes: [],
    change(part) {
      writing.changes.push({ ...part, isComposing: writing.isComposing.value });
      writing.texts.value = { ...writing.texts.value, ...part };
    },
    onReplaced(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** A text that came from elsewhere. */
    replace(part, why) {
      writing.texts.value = { ...writing.texts.value, ...part };
      for (const listener of listeners) listener(writing.texts.value, why);
    },
  };
  return writing;
}

const { texts, isPlain } = JSON.parse(document.getElementById("start").textContent);
if (isPlain) preferences.plainEditor.value = true;
const writing = openWriting(texts);
const notices = [];
const studio = {
  person: signal({ id: "U1", name: "Ada Lovelace", role: "ADMIN" }),
  server: signal({ operatorName: "Example", timeZone: "UTC", maxBodyLength: 1_048_576, maxTitleLength: 300 }),
  isSignedIn: signal(true),
  isOnline: signal(true),
  go: (path) => notices.push({ path }),
  notify: (message, undo) => notices.push({ message, undo }),
  onPostEvent: () => () => {},
};
addEventListener("keydown", walkRegions);
Object.assign(globalThis, { writing, notices });
render(h(WritingPage, { studio, writing }), document.getElementById("studio"));
