/** Spreadsheets take the text after one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Lets spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a `'` before it. null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? "")).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
