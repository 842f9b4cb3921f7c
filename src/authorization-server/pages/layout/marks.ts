import { MARK_LINES } from "../../../design/mark.ts";
import { type Html, html } from "./html.ts";

/** Our mark: one point that branches into the lines one asked for. */
export const MARK = html`<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
<rect class="mark-ground" width="32" height="32" rx="9"/>
<path class="mark-line" d="${MARK_LINES}" fill="none" stroke-width="2.5" stroke-linecap="round"/>
<circle class="mark-dot" cx="9.5" cy="16" r="3.5"/>
</svg>`;

export const WARNING = html`<svg width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><path d="M9 2.5 16.5 15.5h-15Z"/><path d="M9 7.5v3.25M9 13.2v.05"/></svg>`;

export const INFO = html`<svg class="info" width="18" height="18" viewBox="0 0 18 18" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="9" cy="9" r="7.25"/><path d="M9 8.25v4M9 5.6v.05"/></svg>`;

export const TICK = html`<svg class="good" width="40" height="40" viewBox="0 0 40 40" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"><circle cx="20" cy="20" r="17"/><path d="m13 20.5 5 5 9.5-10"/></svg>`;

/** The first letter of a name in a tile; decoration, since the name stands beside it. */
export function letterTile(name: string, shape: "square" | "round"): Html {
  const first = new Intl.Segmenter("und", { granularity: "grapheme" }).segment(name.trim())[Symbol.iterator]().next();
  // A grapheme can carry any number of combining marks; more than a few code points is no letter to show.
  const letter = first.done || [...first.value.segment].length > 4 ? "?" : first.value.segment.toUpperCase();
  return html`<span class="letter title ${shape}" aria-hidden="true">${letter}</span>`;
}
