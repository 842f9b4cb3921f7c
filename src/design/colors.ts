/** The colours of every page, by what they are for. Text pairs keep a contrast of 4.5, outlines of controls 3. */
export interface Palette {
  /** The page behind everything, and what stands on it. */
  readonly paper: string;
  readonly card: string;
  /** Code blocks and quiet notes. */
  readonly quiet: string;
  readonly ink: string;
  readonly muted: string;
  /** Hairlines that carry no meaning. */
  readonly line: string;
  /** Outlines of fields and plain buttons. */
  readonly control: string;
  readonly accent: string;
  /** Text on a filled accent button. */
  readonly onAccent: string;
  readonly danger: string;
  readonly dangerQuiet: string;
  readonly good: string;
}

export const LIGHT: Palette = {
  paper: "#fbfaf7",
  card: "#ffffff",
  quiet: "#f4f2ec",
  ink: "#14171f",
  muted: "#5a6070",
  line: "#e3e1da",
  control: "#858a97",
  accent: "#2f5bea",
  onAccent: "#ffffff",
  danger: "#b3261e",
  dangerQuiet: "#fdf2f0",
  good: "#1d7a4d",
};

export const DARK: Palette = {
  paper: "#0f1218",
  card: "#171b23",
  quiet: "#1e232d",
  ink: "#e8eaf0",
  muted: "#9aa3b5",
  line: "#2a303c",
  control: "#6f788b",
  accent: "#8fb0ff",
  onAccent: "#0f1218",
  danger: "#ff8a80",
  dangerQuiet: "#2a1a1d",
  good: "#6fd3a0",
};

/**
 * The rules that give a page its colours as custom properties: `paper` → `--paper`, `onAccent` → `--on-accent`. The
 * system chooses between light and dark, unless the root element matches one of the selectors in `chosen`.
 *
 * @param own more declarations for each of the two
 */
export function colorRules(
  chosen?: { readonly light: string; readonly dark: string },
  own: { readonly light: string; readonly dark: string } = { light: "", dark: "" },
): string {
  const light = `color-scheme: light; ${declarations(LIGHT)} ${own.light}`;
  const dark = `color-scheme: dark; ${declarations(DARK)} ${own.dark}`;
  const unlessLight = chosen === undefined ? "" : `:not(${chosen.light})`;
  const bySystem = `:root { ${light} }\n@media (prefers-color-scheme: dark) { :root${unlessLight} { ${dark} } }\n`;
  return chosen === undefined ? bySystem : `${bySystem}:root${chosen.dark} { ${dark} }\n`;
}

function declarations(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, colour]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${colour};`)
    .join(" ");
}
