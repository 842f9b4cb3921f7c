import type { KeyFacts, SettingsPageData } from "../../documents/operation.ts";

export type SettingRow = SettingsPageData["settings"][number];

export const SOURCE_WORDS: Readonly<Record<SettingRow["source"], string>> = {
  ENVIRONMENT: "From the environment",
  FILE: "From .env",
  DEFAULT: "Default",
};

export const KEY_STATES: Readonly<Record<KeyFacts["state"], string>> = {
  NEXT: "Published, signs later",
  SIGNING: "Signs",
  RETIRED: "Published for older tokens",
  GONE: "Gone",
};

/** Value as `.env` needs it: quoted where a bare one would be cut off or trimmed. */
function quoted(value: string): string {
  if (!/[#\r\n]|^[\s"'`]|\s$/.test(value)) return value;
  const quote = ["'", "`", '"'].find((mark) => !value.includes(mark)) ?? "'";
  return quote + value + quote;
}

/** The line of `.env` for a setting. The value of a secret is left out: nobody sees it here. */
export function envLine({ name, value, isSecret }: Pick<SettingRow, "name" | "value" | "isSecret">): string {
  const isMasked = isSecret && value?.includes("*") === true;
  return `${name}=${isMasked ? "" : quoted(value ?? "")}`;
}

/** Settings that a filter leaves, in their groups. @param find words of a name, a group or a help text @param source `set` leaves those that somebody set */
export function groupsOf(
  settings: readonly SettingRow[],
  { find, source }: { readonly find: string; readonly source: string },
): readonly (readonly [section: string, settings: readonly SettingRow[]])[] {
  const words = find.toLowerCase().split(/\s+/);
  const groups = new Map<string, SettingRow[]>();
  for (const setting of settings) {
    if (source === "set" && setting.source === "DEFAULT") continue;
    const text = `${setting.name} ${setting.section} ${setting.help}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const group = groups.get(setting.section) ?? [];
    groups.set(setting.section, [...group, setting]);
  }
  return [...groups];
}
