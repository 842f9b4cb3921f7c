type Cell = string | number | boolean | null;

/** One result on standard output: a JSON object for machines, aligned `name  value` lines for people. */
export function printRecord(
  record: Readonly<Record<string, Cell | readonly string[]>>,
  json: boolean | undefined,
): void {
  if (json) {
    console.log(JSON.stringify(record));
    return;
  }
  const width = Math.max(...Object.keys(record).map((name) => name.length));
  for (const [name, value] of Object.entries(record)) console.log(`${name.padEnd(width)}  ${show(value)}`);
}

/** Several results on standard output: a JSON array, or a table with its columns aligned. */
export function printTable(
  rows: readonly Readonly<Record<string, Cell | readonly string[]>>[],
  json: boolean | undefined,
): void {
  if (json) {
    console.log(JSON.stringify(rows));
    return;
  }
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => show(row[name] ?? null)))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  for (const line of lines)
    console.log(
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

/** A hint on standard error, where it does not mix with results. */
export function hint(text: string, json?: boolean): void {
  if (!json) console.error(text);
}

function show(value: Cell | readonly string[]): string {
  if (value === null) return "–";
  return Array.isArray(value) ? value.join(" ") : String(value);
}
