import { LIGHT } from "./colors.ts";

/** The lines of the mark, as SVG path data in a square of 32: one point branches into the fields that a query asked for. */
export const MARK_LINES = "M10 16h13M10 16c4 0 3-6 7-6h6M10 16c4 0 3 6 7 6h3";

/** The mark for a browser's tab, as a `data:` URL. Its colours are fixed, because style sheets do not reach it. */
export const ICON_URL = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${LIGHT.accent}"/><path d="${MARK_LINES}" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><circle cx="9.5" cy="16" r="3.5" fill="#fff"/></svg>`,
)}`;
