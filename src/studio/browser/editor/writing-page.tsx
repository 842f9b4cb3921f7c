import { signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Dialog } from "../frame/dialog.tsx";
import { preferences } from "../frame/document/preferences.ts";
import { useTitle } from "../frame/document/title.ts";
import type { Studio, Writing } from "../ports.ts";
import { SidePanel } from "../publishing/panel/side-panel.tsx";
import { PreviewPane } from "../publishing/preview/preview-pane.tsx";
import { PublishButton } from "../publishing/publish-button.tsx";
import { ConflictBanner } from "../saving/merging/conflict.tsx";
import { MergedDialog } from "../saving/merging/merged-dialog.tsx";
import { OthersLine } from "../saving/others-line.tsx";
import { StateLine } from "../saving/state-line.tsx";
import { Body, isChunkMissing } from "./body.tsx";
import { detailsShown } from "./details-shown.ts";
import { guardDrops } from "./drop-guard.ts";
import { openFocusMode } from "./focus-mode.ts";
import type { Read } from "./language/reading.ts";
import { followEdge } from "./lower-edge.ts";
import { NoteLine } from "./notes/note-line.tsx";
import { NoteList } from "./notes/note-list.tsx";
import { openNoteWalk } from "./notes/note-walk.ts";
import { Outline } from "./outline.tsx";
import { prepareRichPaste, watchPlainPaste } from "./paste/paste.ts";
import { LanguageField } from "./spelling/language-field.tsx";
import { openTextLanguage } from "./spelling/text-language.ts";
import { isApple } from "./text/commands.ts";
import type { Surface } from "./text/surface.ts";
import { Title } from "./title.tsx";
import { Toolbar } from "./toolbar.tsx";
import { WordCount } from "./word-count.tsx";
import "./editor.css";

interface WritingPageProps {
  readonly studio: Studio;
  readonly writing: Writing;
}

/** Pixels from which something may stand beside the text. */
const WIDE = matchMedia("(min-width: 1100px)");
const isWide = signal(WIDE.matches);
WIDE.addEventListener("change", () => {
  isWide.value = WIDE.matches;
});

/** Title, text and what belongs to them. Another post is another page: give it a key. */
export function WritingPage({ studio, writing }: WritingPageProps) {
  const surface = useSignal<Surface | null>(null);
  const read = useSignal<Read | null>(null);
  const walk = useMemo(() => openNoteWalk({ writing, surface, read }), [writing, surface, read]);
  const language = useMemo(() => openTextLanguage(writing, read), [writing, read]);
  const focusMode = useMemo(() => openFocusMode(writing, surface), [writing, surface]);
  useEffect(
    () => () => {
      for (const part of [walk, language, focusMode]) part.close();
    },
    [walk, language, focusMode],
  );
  useSignalEffect(() => {
    const lang = language.current.value;
    if (surface.value !== null) surface.value.field.lang = lang;
  });
  const preview = useSignal(false);
  const sheet = useSignal(false);
  const foot = useRef<HTMLElement>(null);
  const isFocused = focusMode.isOn.value;
  const hasPreview = preview.value && !isFocused;
  const hasPanel = isWide.value && !isFocused ? detailsShown.value && !preview.value : false;

  // Derived: a key that changes no title renders nothing of this page.
  const title = useComputed(() => writing.texts.value.title).value;
  useTitle(title.trim() === "" ? (writing.post.value === null ? "New post" : "Untitled") : title);

  useEffect(() => {
    const stop = new AbortController();
    const press = (event: KeyboardEvent) => {
      watchPlainPaste(event);
      if (event.defaultPrevented || event.isComposing || !isPreviewKey(event)) return;
      event.preventDefault();
      preview.value = !preview.value || focusMode.isOn.value;
      focusMode.leave();
    };
    addEventListener("keydown", press, { signal: stop.signal });
    const stopGuarding = guardDrops();
    const stopFollowing = followEdge(foot.current);
    const timer = setTimeout(prepareRichPaste, 3_000);
    return () => {
      stop.abort();
      stopGuarding();
      stopFollowing();
      clearTimeout(timer);
    };
  }, [preview, focusMode]);

  const toggleDetails = () => {
    if (!isWide.value) sheet.value = true;
    else if (preview.value) {
      preview.value = false;
      detailsShown.value = true;
    } else detailsShown.value = !detailsShown.value;
  };
  const hidesText = hasPreview && !isWide.value;
  return (
    <div
      class={`writing${hasPanel ? " has-panel" : ""}${hasPreview ? " has-preview" : ""}${isFocused ? " is-focused" : ""}`}
    >
      <h1 class="visually-hidden">{writing.post.value === null ? "New post" : "Edit post"}</h1>
      <header class="writing-head" data-region>
        <div class="writing-tool-row">
          {!hidesText && <Toolbar surface={surface} isReadOnly={writing.isReadOnly.value} />}
        </div>
        <div class="writing-actions">
          <Switch
            label="Preview"
            keys={isApple() ? "⌘⌥V" : "Ctrl+Alt+V"}
            isOn={preview.value}
            onPress={() => {
              preview.value = !preview.value;
            }}
          />
          <Switch label="Details" isOn={hasPanel} onPress={toggleDetails} />
          <PublishButton studio={studio} writing={writing} />
        </div>
      </header>
      <div class="writing-columns">
        <section class="writing-column" aria-label="Post" id="writing" data-region hidden={hidesText}>
          <div class="writing-sheet">
            <ConflictBanner writing={writing} />
            <Title writing={writing} language={language.current.value} onLeave={() => surface.value?.focus("start")} />
            <Body studio={studio} writing={writing} surface={surface} read={read} walk={walk} isHidden={false} />
          </div>
        </section>
        {hasPreview && (
          <section class="writing-preview" aria-label="Preview" data-region>
            <PreviewPane studio={studio} writing={writing} language={language.current} />
          </section>
        )}
        {hasPanel && (
          <aside class="writing-panel" aria-label="Details" data-region>
            <SidePanel studio={studio} writing={writing} />
            <PlainChoice />
            <LanguageField language={language} />
          </aside>
        )}
      </div>
      {sheet.value && !isWide.value && (
        <Dialog
          title="Details"
          kind="side"
          onClose={() => {
            sheet.value = false;
          }}
        >
          <SidePanel studio={studio} writing={writing} />
          <PlainChoice />
          <LanguageField language={language} />
        </Dialog>
      )}
      <MergedDialog writing={writing} onClosed={() => surface.value?.focus()} />
      <footer ref={foot} class="writing-foot" data-region>
        <NoteLine walk={walk} />
        <div id="writing-state" class="writing-state">
          <StateLine writing={writing} />
          <OthersLine writing={writing} />
        </div>
        {read.value !== null && !hidesText && (
          <>
            <NoteList read={read.value} walk={walk} />
            <Outline headings={read.value.headings} onGo={(place) => surface.value?.focus(place)} />
          </>
        )}
        <WordCount writing={writing} read={read} />
        {isFocused && (
          <button type="button" class="quiet writing-switch" title="Esc" onClick={focusMode.leave}>
            Leave focus mode
          </button>
        )}
        <p class="visually-hidden" role="status">
          {isFocused ? "Focus mode is on. Esc leaves it." : ""}
        </p>
        {isChunkMissing.value && !preferences.plainEditor.value && (
          <p role="status">
            The full editor could not be loaded. You can write here.{" "}
            <button
              type="button"
              class="quiet"
              onClick={() => {
                isChunkMissing.value = false;
              }}
            >
              Try again
            </button>
          </p>
        )}
      </footer>
    </div>
  );
}

/** For people whose reader or keyboard gets on better with a plain field. */
function PlainChoice() {
  return (
    <label class="writing-plain-choice">
      <input
        type="checkbox"
        checked={preferences.plainEditor.value}
        onChange={(event) => {
          preferences.plainEditor.value = event.currentTarget.checked;
        }}
      />
      Plain editor
    </label>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly keys?: string;
  readonly isOn: boolean;
  readonly onPress: () => void;
}

function Switch({ label, keys, isOn, onPress }: SwitchProps) {
  return (
    <button
      type="button"
      class="quiet writing-switch"
      aria-pressed={isOn}
      title={keys === undefined ? undefined : `${label} (${keys})`}
      onClick={onPress}
    >
      {label}
    </button>
  );
}

function isPreviewKey(event: KeyboardEvent): boolean {
  const isMod = isApple() ? event.metaKey : event.ctrlKey;
  return isMod && event.altKey && !event.shiftKey && event.code === "KeyV";
}
