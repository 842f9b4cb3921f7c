import { useSignal } from "@preact/signals";
import { useId, useRef } from "preact/hooks";
import { CopyButton } from "../../frame/copy-button.tsx";
import { saveFile } from "../../frame/save-file.ts";
import type { Snippet } from "./snippets.ts";
import "../facts/developers.css";

/** Code for several libraries, one at a time. Arrow keys go from tab to tab. */
export function CodeTabs({ snippets }: { readonly snippets: readonly Snippet[] }) {
  const id = useId();
  const chosen = useSignal(snippets[0]?.name ?? "");
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    snippets.findIndex(({ name }) => name === chosen.value),
  );
  const shown = snippets[at];
  if (shown === undefined) return null;
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -at, End: snippets.length - 1 - at }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (at + step + snippets.length) % snippets.length;
    chosen.value = snippets[next]?.name ?? "";
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }
  return (
    <div class="code-tabs">
      <div ref={list} role="tablist" aria-label="Library" class="code-tab-list" onKeyDown={onKeyDown}>
        {snippets.map(({ name }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            class="quiet"
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => {
              chosen.value = name;
            }}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${at}`} class="stack">
        {shown.commands !== null && <CodeBlock id={`${id}-commands`} label="Commands" text={shown.commands} />}
        {shown.note !== null && <p class="hint">{shown.note}</p>}
        <div>
          <div class="code-head">
            <code>{shown.file}</code>
            <div class="actions">
              <CopyButton key={shown.name} text={shown.text} fieldId={`${id}-code`} />
              <button type="button" onClick={() => saveFile(shown.file, shown.text)}>
                Download
              </button>
            </div>
          </div>
          <CodeBlock id={`${id}-code`} label={shown.file} text={shown.text} />
        </div>
      </div>
    </div>
  );
}

function CodeBlock({ id, label, text }: { readonly id: string; readonly label: string; readonly text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys have to reach it
    <section class="code-block" aria-label={label} tabIndex={0}>
      <pre id={id}>{text}</pre>
    </section>
  );
}
