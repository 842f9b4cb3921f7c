/** Texts whose summaries are kept. */
const MOST = 512;
/** Characters of a text in the log and in traces. */
const MOST_TEXT = 8_192;

const summaries = new Map<string, string>();

/** Its command and its first table, such as `SELECT posts`: `db.query.summary`, of which there are few. */
export function statementSummary(text: string): string {
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const command = /^\s*(?:\/\*.*?\*\/\s*)*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? "SQL";
  const table = /\b(?:from|into|update|table)\s+(?:only\s+)?"?([a-z_]\w*)"?/i.exec(text)?.[1];
  const summary = table === undefined ? command : `${command} ${table}`;
  if (summaries.size >= MOST) summaries.clear();
  summaries.set(text, summary);
  return summary;
}

/** The text without the end of one that is very long. Its values are parameters. */
export function shownStatement(text: string): string {
  return text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)} …`;
}
