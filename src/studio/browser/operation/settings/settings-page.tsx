import { useSignal } from "@preact/signals";
import { useCallback, useEffect, useRef } from "preact/hooks";
import { type KeyFacts, SettingsPage as Settings } from "../../documents/operation.ts";
import { useTitle } from "../../frame/document/title.ts";
import { FailureNote } from "../../frame/failure-note.tsx";
import { FilterBar } from "../../frame/list/filter-bar.tsx";
import { SkeletonRows } from "../../frame/list/list-parts.tsx";
import type { PageProps } from "../../page-props.ts";
import { ApiFailure } from "../../ports.ts";
import { SettingTable } from "./setting-table.tsx";
import { groupsOf, type SettingRow } from "./setting-words.ts";
import { SigningKeys } from "./signing-keys.tsx";

interface Loaded {
  readonly settings: readonly SettingRow[];
  readonly signingKeys: readonly KeyFacts[];
}

/** Every setting of the server, to read, and the keys that sign ID tokens. */
export function SettingsPage({ studio, query }: PageProps) {
  const loaded = useSignal<Loaded | null>(null);
  const failure = useSignal<ApiFailure | null>(null);
  const keys = useRef<HTMLHeadingElement>(null);
  useTitle("Settings");
  const load = useCallback(async (): Promise<void> => {
    failure.value = null;
    try {
      loaded.value = await studio.api.run(Settings, {});
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error;
    }
  }, [studio, loaded, failure]);
  useEffect(() => void load(), [load]);
  const groups = groupsOf(loaded.value?.settings ?? [], {
    find: query.get("find")?.trim() ?? "",
    source: query.get("source") ?? "",
  });
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Settings</h1>
        {loaded.value !== null && (
          <button
            type="button"
            onClick={() => {
              keys.current?.scrollIntoView();
              keys.current?.focus({ preventScroll: true });
            }}
          >
            Signing keys
          </button>
        )}
      </header>
      <p class="lead">
        You can read the settings here, and change them where the server runs: put the line into the environment or into{" "}
        <code>.env</code>, then restart the server.
      </p>
      <FilterBar
        fields={[
          { name: "find", label: "Find", placeholder: "Name or subject" },
          {
            name: "source",
            label: "Show",
            options: [
              ["", "All settings"],
              ["set", "Settings that are not default"],
            ],
          },
        ]}
        query={query}
        path="/settings"
        go={(path) => studio.go(path, { replace: true })}
      />
      {failure.value !== null && (
        <FailureNote
          failure={failure.value}
          title={loaded.value === null ? "The settings could not be read." : "What you see may be old."}
          onRetry={() => void load()}
        />
      )}
      {loaded.value === null && failure.value === null && <SkeletonRows />}
      {loaded.value !== null && groups.length === 0 && (
        <div class="empty">
          <h2>No such setting</h2>
          <p class="muted">Try a part of its name, such as “RATE”, or a subject, such as “mail”.</p>
          <button type="button" onClick={() => studio.go("/settings", { replace: true })}>
            Show all settings
          </button>
        </div>
      )}
      {groups.map(([section, settings]) => (
        <SettingTable key={section} section={section} settings={settings} />
      ))}
      {loaded.value !== null && (
        <SigningKeys
          studio={studio}
          heading={keys}
          keys={loaded.value.signingKeys}
          onChange={(signingKeys) => {
            if (loaded.value !== null) loaded.value = { ...loaded.value, signingKeys };
          }}
        />
      )}
    </>
  );
}
