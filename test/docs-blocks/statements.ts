import { spawnSync } from "node:child_process";

/** A block of a shell, in parts that can be typed one after the other: later ones may need what earlier ones print. */
export function readStatements(text: string): string[] {
  const statements: string[] = [];
  let open = "";
  for (const line of text.split("\n")) {
    open += `${line}\n`;
    if (line.endsWith("\\") || !isWhole(open)) continue;
    if (open.trim() !== "") statements.push(open);
    open = "";
  }
  if (open.trim() !== "") throw new Error(`the block ends in the middle: ${open}`);
  return statements;
}

/** Whether bash would run the text, and not wait for the end of a quote or a here-document. */
function isWhole(text: string): boolean {
  const { status, stderr } = spawnSync("bash", ["-n"], { input: text, encoding: "utf8" });
  return status === 0 && !stderr.includes("here-document");
}

/** The command that starts the server, with its settings; null for everything else. */
export function startOf(statement: string): string | null {
  return /^(?:[A-Z_]+=(?:"[^"]*"|\S+) +)*npm start\b[^#\n]*/.exec(statement)?.[0].trim() ?? null;
}
