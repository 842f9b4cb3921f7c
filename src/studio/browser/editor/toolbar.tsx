import type { ReadonlySignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { COMMANDS, type Command, isApple, keyName } from "./text/commands.ts";
import type { Surface } from "./text/surface.ts";
import { ToolIcon, type ToolName } from "./tool-icon.tsx";

const TOOLS: readonly (readonly ToolName[])[] = [
  ["bold", "italic", "link"],
  ["heading2", "heading3"],
  ["bullets", "numbers", "quote"],
  ["code", "table"],
];

interface ToolbarProps {
  readonly surface: ReadonlySignal<Surface | null>;
  readonly isReadOnly: boolean;
}

/** The commands as buttons. Tab reaches one of them, and the arrows the others (APG, toolbar pattern). */
export function Toolbar({ surface, isReadOnly }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null);
  function move(event: KeyboardEvent): void {
    const buttons = [...(bar.current?.querySelectorAll("button") ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const isMirrored = bar.current !== null && getComputedStyle(bar.current).direction === "rtl";
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = event.key === "Home" ? 0 : event.key === "End" ? buttons.length - 1 : at + (isMirrored ? -step : step);
    if (step === 0 && event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const button = buttons[(next + buttons.length) % buttons.length];
    for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    button?.focus();
  }
  return (
    <div
      ref={bar}
      class="writing-tools"
      role="toolbar"
      aria-label="Formatting"
      aria-controls="writing"
      onKeyDown={move}
    >
      {TOOLS.map((group, index) => (
        <div class="writing-tool-group" key={group[0]}>
          {group.map((name, place) => (
            <Tool key={name} name={name} surface={surface} isReadOnly={isReadOnly} isFirst={index + place === 0} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface ToolProps extends ToolbarProps {
  readonly name: ToolName;
  readonly isFirst: boolean;
}

function Tool({ name, surface, isReadOnly, isFirst }: ToolProps) {
  const command: Command = COMMANDS[name];
  const { label, key } = command;
  return (
    <button
      type="button"
      class="writing-tool"
      tabIndex={isFirst ? 0 : -1}
      aria-label={label}
      aria-disabled={isReadOnly}
      aria-keyshortcuts={key === null ? undefined : keyName(key, false).replace("Ctrl", isApple() ? "Meta" : "Control")}
      title={key === null ? label : `${label} (${keyName(key, isApple())})`}
      // The selection in the text stays while a pointer presses the button.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (isReadOnly) return;
        surface.value?.run(command);
        // A key that pressed the button goes on in the text as well: there is what it changed.
        if (event.detail === 0 || document.activeElement !== surface.value?.field) surface.value?.focus();
      }}
    >
      <ToolIcon name={name} />
    </button>
  );
}
