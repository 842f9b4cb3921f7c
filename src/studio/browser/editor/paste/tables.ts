/** Elements of a cell that would break its line. */
const BREAKS = /\s*\n\s*/g;

/**
 * A table as Markdown has it: one line a row, and a heading row, which is the first one. Joined cells keep their text in the
 * first of them. Tables that only lay a page out, with one column, are their text.
 */
export function tableToMarkdown(table: HTMLTableElement, convert: (cell: HTMLElement) => string): string {
  const rows = gridOf(table, convert).filter((row) => row.some((cell) => cell !== ""));
  const width = lastFilled(rows);
  if (width === 0) return "";
  if (width === 1) return `\n\n${rows.map(([cell]) => cell).join("\n\n")}\n\n`;
  const lines = rows.map((row) => line(Array.from({ length: width }, (_, index) => row[index] ?? "")));
  const marks = line(Array.from({ length: width }, (_, index) => alignment(table, index)));
  return `\n\n${[lines[0], marks, ...lines.slice(1)].join("\n")}\n\n`;
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => (cell === "" ? " " : cell)).join(" | ")} |`.replaceAll(/ {3}(?=\|)/g, "  ");
}

/** The cells by row and column, joined ones counted. */
function gridOf(table: HTMLTableElement, convert: (cell: HTMLElement) => string): string[][] {
  const grid: string[][] = [];
  [...table.rows].forEach((row, index) => {
    grid[index] ??= [];
    let column = 0;
    for (const cell of row.cells) {
      while (grid[index]?.[column] !== undefined) column++;
      const text = cellText(cell, index === 0 || cell.localName === "th", convert);
      for (let down = 0; down < span(cell.rowSpan) && index + down < table.rows.length; down++)
        for (let right = 0; right < span(cell.colSpan); right++) {
          const joined = grid[index + down] ?? [];
          joined[column + right] = down + right === 0 ? text : "";
          grid[index + down] = joined;
        }
      column += span(cell.colSpan);
    }
  });
  return grid.map((row) => Array.from(row, (cell) => cell ?? ""));
}

/** Spreadsheets join whole rows; more than this is a mistake. */
function span(value: number): number {
  return Math.min(Math.max(value, 1), 100);
}

function cellText(cell: HTMLTableCellElement, isHeading: boolean, convert: (cell: HTMLElement) => string): string {
  // A cell apart from its table is a block like others, so that the converter does not take it for a row.
  const block = cell.ownerDocument.createElement("div");
  for (const node of cell.childNodes) block.append(node.cloneNode(true));
  // Headings of columns are bold anyway.
  if (isHeading) for (const bold of block.querySelectorAll("b, strong")) bold.replaceWith(...bold.childNodes);
  const text = convert(block).trim();
  return text
    .replaceAll("\\\n", " ")
    .replaceAll(BREAKS, " ")
    .replaceAll(/(?<!\\)\|/g, "\\|");
}

function lastFilled(rows: readonly (readonly string[])[]): number {
  return Math.max(0, ...rows.map((row) => row.findLastIndex((cell) => cell !== "") + 1));
}

/** Right for columns of numbers that are right in the source, as spreadsheets say with `align` or a style. */
function alignment(table: HTMLTableElement, column: number): string {
  const sides = [...table.rows].slice(1).map((row) => {
    const cell = row.cells[column];
    return (
      cell?.getAttribute("align") ??
      /text-align:\s*(\w+)/i.exec(cell?.getAttribute("data-style") ?? "")?.[1] ??
      ""
    ).toLowerCase();
  });
  const [first] = sides;
  if (first === undefined || !sides.every((side) => side === first)) return "---";
  return first === "right" ? "---:" : first === "center" ? ":---:" : "---";
}
