import { HEADINGS } from "../../src/config/env-file.ts";
import { FILE_SETTINGS } from "../../src/config/secret-files.ts";
import { type Read, Rule } from "../../src/config/setting.ts";
import { VARIABLES } from "../../src/config/variables.ts";
import { code, head, type Page, plain, table } from "./markdown.ts";
import type { Since } from "./since.ts";

const INTRODUCTION = `Every setting, from the environment or the file \`.env\`.
[configuration.md](../configuration.md) explains how the program reads them.`;

/** Texts of which no form allows all. */
const IMPOSSIBLE = ["", "\0 !", "x".repeat(100_000), "/", "http://"];

export function settingsPage(since: Since): Page {
  const groups: { heading: string; rows: string[][] }[] = [];
  for (const [name, { read, default: fallback, help }] of Object.entries(VARIABLES)) {
    const heading = HEADINGS[name as keyof typeof VARIABLES];
    if (heading !== undefined) groups.push({ heading, rows: [] });
    const file = FILE_SETTINGS.some((secret) => secret === name)
      ? ` ${code(`${name}_FILE`)} names a file with it.`
      : "";
    groups
      .at(-1)
      ?.rows.push([
        code(name),
        code(fallback ?? ""),
        plain(formOf(read)),
        `${plain(help)}${file}`,
        since("settings", ".", name),
      ]);
  }
  const sections = groups.map(
    ({ heading, rows }) => `## ${heading}\n\n${table(["setting", "default", "form", "meaning", "since"], rows)}`,
  );
  return {
    name: "settings",
    text: [head("Settings", ["src/config/variables.ts"], INTRODUCTION), ...sections].join("\n"),
  };
}

/** The form of a setting, as the program words it for somebody who broke it. */
function formOf(read: Read<unknown>): string {
  for (const text of IMPOSSIBLE) {
    try {
      read(text);
    } catch (error) {
      if (error instanceof Rule) return error.message.replace(/^must (?:be |have )?/, "");
      throw error;
    }
  }
  throw new Error("A setting has a form that allows every text.");
}
