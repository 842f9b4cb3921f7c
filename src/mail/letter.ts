import { DARK, LIGHT, type Palette } from "../design/colors.ts";
import { escapeHtml } from "../design/escape-html.ts";

/** A mail before it is rendered. Text from outside has gone through `outside` before it stands here. */
export interface Letter {
  /** The address of its one recipient. */
  readonly to: string;
  /** BCP 47. */
  readonly language: string;
  /** Without a secret or a name: lock screens show it. */
  readonly subject: string;
  readonly heading: string;
  readonly parts: readonly LetterPart[];
}

export type LetterPart =
  | { readonly text: string }
  | { readonly button: { readonly label: string; readonly href: string } }
  /** Digits or letters to be typed elsewhere. */
  | { readonly code: string }
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  /** Small text that closes the letter. */
  | { readonly quiet: string };

/** The names that every letter ends with. */
export interface Imprint {
  readonly operator: string;
  /** An e-mail address or an https URL. */
  readonly supportContact: string | null;
}

export interface RenderedLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const SANS = "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
const SERIF = "Charter, 'Iowan Old Style', Georgia, serif";
const MONO = "ui-monospace, Consolas, monospace";

/**
 * Renders text and HTML from the one letter, so that they say the same. Nothing is loaded from anywhere, and nothing tells that the
 * letter was read.
 *
 * @throws Error for a button that leads to no http or https URL
 */
export function renderLetter(letter: Letter, imprint: Imprint): RenderedLetter {
  const footer = footerOf(imprint);
  return {
    subject: oneLine(letter.subject),
    text: `${[letter.heading, ...letter.parts.map(partText), footer.join("\n")].join("\n\n")}\n`,
    html: page(letter, footer),
  };
}

function footerOf({ operator, supportContact }: Imprint): string[] {
  const from = `This mail is from ${oneLine(operator)}.`;
  return supportContact === null ? [from] : [from, `Questions: ${oneLine(supportContact)}`];
}

function partText(part: LetterPart): string {
  if ("text" in part) return part.text;
  if ("button" in part) return `${part.button.label}:\n${webUrl(part.button.href)}`;
  if ("code" in part) return `    ${part.code}`;
  if ("facts" in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  return part.quiet;
}

/** Colours stand in the tags, for clients that drop the sheet; the sheet replaces them where it is dark. */
function page({ language, subject, heading, parts }: Letter, footer: readonly string[]): string {
  const { ink, card, line, paper } = LIGHT;
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<title>${escaped(oneLine(subject))}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
${darkSheet(DARK)}
}
</style>
</head>
<body class="paper" style="margin: 0; padding: 0; background: ${paper}">
<div class="paper" style="padding: 24px 16px; background: ${paper}">
<div class="card ink" style="box-sizing: border-box; max-width: 416px; margin: 0 auto; padding: 32px 24px 16px; border: 1px solid ${line}; border-radius: 10px; background: ${card}; color: ${ink}; font: 16px/1.5 ${SANS}">
<h1 style="margin: 0 0 16px; font: 600 28px/1.25 ${SERIF}">${escaped(heading)}</h1>
${parts.map(partHtml).join("\n")}
</div>
<div class="muted" style="max-width: 416px; margin: 16px auto 0; color: ${LIGHT.muted}; font: 14px/1.5 ${SANS}; text-align: center">
${footer.map((sentence) => `<p style="margin: 0">${escaped(sentence)}</p>`).join("\n")}
</div>
</div>
</body>
</html>
`;
}

function partHtml(part: LetterPart): string {
  if ("text" in part) return `<p style="margin: 0 0 16px">${escaped(part.text)}</p>`;
  if ("button" in part) return buttonHtml(part.button);
  if ("code" in part)
    return `<p class="quiet" style="margin: 0 0 16px; padding: 12px; border-radius: 10px; background: ${LIGHT.quiet}; font: 28px/1.25 ${MONO}; letter-spacing: 2px; text-align: center">${escaped(part.code)}</p>`;
  if ("facts" in part)
    return `<p class="quiet" style="margin: 0 0 16px; padding: 12px 16px; border-radius: 10px; background: ${LIGHT.quiet}">
${part.facts.map(([label, value]) => `<span class="muted" style="color: ${LIGHT.muted}">${escaped(label)}:</span> ${escaped(value)}`).join("<br>\n")}
</p>`;
  return `<p class="muted" style="margin: 0 0 16px; color: ${LIGHT.muted}; font-size: 14px">${escaped(part.quiet)}</p>`;
}

/** The URL stands below as text too, for clients that show no button, and for people who want to see where it leads. */
function buttonHtml({ label, href }: { readonly label: string; readonly href: string }): string {
  const url = escaped(webUrl(href));
  return `<p style="margin: 0 0 12px"><a class="button" href="${url}" style="display: inline-block; min-height: 44px; padding: 0 20px; border-radius: 10px; background: ${LIGHT.accent}; color: ${LIGHT.onAccent}; font-weight: 600; line-height: 44px; text-decoration: none">${escaped(label)}</a></p>
<p class="muted" style="margin: 0 0 16px; color: ${LIGHT.muted}; font-size: 14px; overflow-wrap: anywhere; word-break: break-word">${url}</p>`;
}

function darkSheet({ paper, card, line, ink, muted, quiet, accent, onAccent }: Palette): string {
  return `.paper { background: ${paper} !important }
.card { background: ${card} !important; border-color: ${line} !important }
.ink { color: ${ink} !important }
.muted { color: ${muted} !important }
.quiet { background: ${quiet} !important }
.button { background: ${accent} !important; color: ${onAccent} !important }`;
}

function webUrl(href: string): string {
  const url = URL.parse(href);
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new Error("A button of a letter must lead to an http or https URL.");
  return url.href;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function escaped(text: string): string {
  return escapeHtml(text.toWellFormed());
}
