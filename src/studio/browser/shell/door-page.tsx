import { useEffect } from "preact/hooks";
import { Mark } from "../frame/mark.tsx";
import type { Settings } from "../session/settings.ts";

interface DoorPageProps {
  readonly settings: Pick<Settings, "operator" | "homePath">;
  readonly title: string;
  readonly message: string;
  /** null where nothing is left to do. */
  readonly action: { readonly label: string; run(): void } | null;
}

/** A page for people who are not inside. */
export function DoorPage({ settings, title, message, action }: DoorPageProps) {
  useEffect(() => {
    document.title = `${title} · ${settings.operator}`;
  }, [title, settings]);
  return (
    <main class="door">
      <a class="home" href={settings.homePath}>
        <Mark />
        <span class="operator">{settings.operator}</span>
      </a>
      <h1>{title}</h1>
      <p class="muted">{message}</p>
      {action !== null && (
        <button type="button" class="primary" onClick={action.run}>
          {action.label}
        </button>
      )}
    </main>
  );
}
