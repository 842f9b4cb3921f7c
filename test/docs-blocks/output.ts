import assert from "node:assert/strict";

/** Stands for whatever differs each time. */
const VARIES = "…";

/** Compares what a document shows with what really came out. @throws AssertionError with both */
export function assertOutput(shown: string, printed: string, language: string): void {
  if (language === "json") {
    const begin = printed.search(/[[{]/);
    assert.ok(begin >= 0, `no JSON came: ${printed}`);
    assert.ok(isLike(JSON.parse(shown), JSON.parse(printed.slice(begin))), `shown:\n${shown}\ncame:\n${printed}`);
    return;
  }
  const lines = shown.trimEnd().split("\n");
  const pattern = lines
    .map((line, at) => {
      const isLast = at === lines.length - 1;
      if (line.trim() === VARIES) return isLast ? ".*(?:\\n.*)*" : "(?:.*\\n)*?";
      return `${patternOf(line)}${isLast ? "" : "\\n"}`;
    })
    .join("");
  assert.match(lined(printed), new RegExp(`^${pattern}$`), `shown:\n${shown}\ncame:\n${printed}`);
}

function patternOf(line: string): string {
  const parts = line.trimEnd().split(VARIES);
  return parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/ +/g, " +")).join(".*?");
}

/** Without spaces at the ends of lines, and without the end of lines of HTTP. */
function lined(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Whether a value has the form that is shown: `…` is any text, and `"…": "…"` any more fields. */
function isLike(shown: unknown, value: unknown): boolean {
  if (typeof shown === "string" && shown.includes(VARIES))
    return (
      ["string", "number", "boolean"].includes(typeof value) &&
      new RegExp(`^${patternOf(shown)}$`, "s").test(String(value))
    );
  if (Array.isArray(shown))
    return Array.isArray(value) && value.length === shown.length && shown.every((one, i) => isLike(one, value[i]));
  if (shown === null || typeof shown !== "object") return shown === value;
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const { [VARIES]: more, ...fields } = shown as Record<string, unknown>;
  const given = value as Record<string, unknown>;
  const isComplete = more !== undefined || Object.keys(given).every((name) => Object.hasOwn(fields, name));
  return isComplete && Object.entries(fields).every(([name, field]) => isLike(field, given[name]));
}
