/**
 * Spreadsheets take the text after one of these for a formula, also when it is as wide as an ideograph. Where the list separator of the
 * person's region is a semicolon or a tab, a cell begins after each of them too, because quotes within a line mean nothing then.
 */
const FORMULA = /(^|[;\t\r\n]\s*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/gu;

/** Lets spreadsheets read the file as UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a `'` before it. null is an empty cell. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => csvCell(cell ?? "")).join(",")}\r\n`;
}

function csvCell(text: string): string {
  const safe = text.replaceAll(FORMULA, "$1'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
