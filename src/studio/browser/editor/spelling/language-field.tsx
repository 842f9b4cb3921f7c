import type { TextLanguage } from "./text-language.ts";

const LANGUAGES = [
  ...["ar", "bg", "ca", "cs", "cy", "da", "de", "el", "en", "en-GB", "en-US", "es", "et", "eu", "fa", "fi", "fr", "ga"],
  ...["gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "ko", "lt", "lv", "nb", "nl", "nn", "pl", "pt"],
  ...["pt-BR", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "th", "tr", "uk", "vi", "zh-Hans", "zh-Hant"],
];
const names = new Intl.DisplayNames("en", { type: "language" });

/** The language of the text, kept in this browser. */
export function LanguageField({ language }: { readonly language: TextLanguage }) {
  const { chosen, guessed } = language;
  const others = LANGUAGES.map((code) => ({ code, name: nameOf(code) })).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <label class="writing-language">
      Language of the text
      <select
        value={chosen.value ?? ""}
        onChange={({ currentTarget: { value } }) => language.choose(value === "" ? null : value)}
      >
        <option value="">Automatic: {nameOf(guessed.value)}</option>
        {others.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      <span class="muted small">For spelling, in this browser</span>
    </label>
  );
}

function nameOf(code: string): string {
  return names.of(code) ?? code;
}
