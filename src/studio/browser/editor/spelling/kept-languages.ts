/** Languages that people chose, by post: `{ "ID": "de" }`, the newest last. */
const NAME = "studio.languages";
/** Posts whose language is kept. */
const MOST = 200;

/** Browsers have others too, such as `en-US@posix`, for which they know no name. */
export function isTag(language: unknown): language is string {
  return typeof language === "string" && /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(language);
}

export function keptLanguage(id: string | null): string | null {
  return id === null ? null : (load().find(([post]) => post === id)?.[1] ?? null);
}

/** @param language null: none was chosen */
export function keepLanguage(id: string, language: string | null): void {
  const before = load();
  if ((before.find(([post]) => post === id)?.[1] ?? null) === language) return;
  const others = before.filter(([post]) => post !== id);
  const after = language === null ? others : [...others, [id, language] as const];
  try {
    localStorage.setItem(NAME, JSON.stringify(Object.fromEntries(after.slice(-MOST))));
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

function load(): readonly (readonly [id: string, language: string])[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "{}");
    if (typeof kept !== "object" || kept === null) return [];
    return Object.entries(kept).filter((entry): entry is [string, string] => isTag(entry[1]));
  } catch {
    return [];
  }
}
