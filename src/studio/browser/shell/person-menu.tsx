import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { type Appearance, preferences } from "../frame/document/preferences.ts";
import { Icon } from "../frame/icon.tsx";
import { beginSignOut } from "./program/sign-out.ts";
import type { OpenStudio } from "./program/start.ts";

interface PersonMenuProps {
  readonly studio: OpenStudio;
  /** Shows the entries without a button, in a menu that is open already. */
  readonly isOpen?: true;
  readonly onShortcuts: () => void;
}

const ROLES = { MEMBER: "Author", EDITOR: "Editor", ADMIN: "Administrator" } as const;

export function PersonMenu({ studio, isOpen, onShortcuts }: PersonMenuProps) {
  const shown = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const { name, role } = studio.person.value;
  const close = () => {
    shown.value = false;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the signal is the same in every rendering
  useEffect(() => {
    if (!shown.value) return undefined;
    const outside = ({ target }: Event) => {
      if (!root.current?.contains(target as Node)) close();
    };
    for (const type of ["pointerdown", "focusin"]) document.addEventListener(type, outside);
    return () => {
      for (const type of ["pointerdown", "focusin"]) document.removeEventListener(type, outside);
    };
  }, [shown.value]);
  if (isOpen === true) return <Entries studio={studio} onShortcuts={onShortcuts} />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes what stands in it, wherever the focus is
    <div
      ref={root}
      class="person"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !shown.value) return;
        close();
        root.current?.querySelector("button")?.focus();
      }}
    >
      <button
        type="button"
        class="quiet person-button"
        aria-expanded={shown.value}
        aria-controls={id}
        onClick={() => {
          shown.value = !shown.value;
        }}
      >
        <span class="initial" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <span class="person-name">
          <span dir="auto">{name}</span>
          <span class="muted small">{ROLES[role]}</span>
        </span>
        <Icon name="down" />
      </button>
      <div id={id} class="person-panel" hidden={!shown.value}>
        <Entries
          studio={studio}
          onShortcuts={() => {
            close();
            // The entry is hidden from now on: what opens next gives the focus back to the button.
            root.current?.querySelector("button")?.focus();
            onShortcuts();
          }}
        />
      </div>
    </div>
  );
}

function Entries({ studio, onShortcuts }: Pick<PersonMenuProps, "studio" | "onShortcuts">) {
  const failure = useSignal<string | null>(null);
  const group = useId();
  const { appearance, singleKeys, plainEditor } = preferences;
  return (
    <div class="entries">
      <fieldset class="appearance">
        <legend>Appearance</legend>
        {(["system", "light", "dark"] as Appearance[]).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name={group}
              checked={appearance.value === one}
              onChange={() => {
                appearance.value = one;
              }}
            />
            {one === "system" ? "System" : one === "light" ? "Light" : "Dark"}
          </label>
        ))}
      </fieldset>
      <label class="choice">
        <input
          type="checkbox"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => {
            singleKeys.value = currentTarget.checked;
          }}
        />
        Single-key shortcuts
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={plainEditor.value}
          onChange={({ currentTarget }) => {
            plainEditor.value = currentTarget.checked;
          }}
        />
        Plain editor
      </label>
      <button type="button" class="quiet entry" onClick={onShortcuts}>
        Keyboard shortcuts
      </button>
      <a class="button quiet entry" href={`${studio.settings.issuer}/account`}>
        Your account
      </a>
      <button
        type="button"
        class="quiet entry"
        onClick={() => {
          failure.value = null;
          beginSignOut(studio).catch((error: Error) => {
            failure.value = `You are still signed in: ${error.message}`;
          });
        }}
      >
        Sign out
      </button>
      {failure.value !== null && (
        <p class="field-error" role="alert">
          {failure.value}
        </p>
      )}
    </div>
  );
}
