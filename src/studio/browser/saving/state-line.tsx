import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "../frame/icon.tsx";
import type { Writing } from "../ports.ts";
import { isBlank } from "./device/texts.ts";
import { type StateClass, wordsOf } from "./sending/state-words.ts";
import "./saving.css";

const ICONS: Record<StateClass, IconName> = {
  good: "check",
  device: "device",
  bad: "warning",
  conflict: "warning",
  elsewhere: "external",
};

/** Says how far the text has come: icon and words at every width. Readers hear of it when its class changes (S34, S26). */
export function StateLine({ writing }: { readonly writing: Writing }) {
  const { kind, words, help } = wordsOf(writing.state.value, writing.id.value === null && isBlank(writing.texts.value));
  const spoken = help === null ? words : `${words}. ${help}`;
  const [announced, announce] = useState("");
  const last = useRef<StateClass>("good");
  useEffect(() => {
    if (last.current === kind) return;
    last.current = kind;
    announce(spoken);
  }, [kind, spoken]);
  return (
    <div class={`state-line ${kind}`}>
      <Icon name={ICONS[kind]} />
      <p>
        <span class="state-words">{words}</span>
        {help !== null && <span class="state-help">. {help}</span>}
      </p>
      {kind === "elsewhere" && (
        <button type="button" class="link" onClick={() => writing.editHere()}>
          Edit here
        </button>
      )}
      <span class="visually-hidden" role="status">
        {announced}
      </span>
    </div>
  );
}
