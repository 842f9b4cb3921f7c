import { decodeCursor, encodeCursor } from "../../src/domain/reading/cursor.ts";
import { renderMarkdown } from "../../src/markdown/html.ts";
import { sanitized } from "../../src/markdown/safe-html.ts";
import type { Installation } from "./installation.ts";
import { faultsOf, MOST_TIME } from "./judge.ts";
import { sendMessages } from "./messages.ts";
import { readRequest } from "./mutate-request.ts";
import { render } from "./render.ts";
import { repeatFaults, senderOf } from "./repeats.ts";
import type { Target } from "./targets.ts";

/** Milliseconds after which an answer is missing, on however busy a machine. */
const LIMIT = 60_000;

/** Errors that no answer shows. */
const uncaught: string[] = [];

/** From now on such an error is a fault of the input, and does not end the tests. */
export function watchProcess(): () => void {
  const note = (error: unknown) => void uncaught.push(error instanceof Error ? String(error.stack) : String(error));
  process.on("uncaughtException", note).on("unhandledRejection", note);
  return () => void process.off("uncaughtException", note).off("unhandledRejection", note);
}

/**
 * Tries one input, and says everything that is wrong.
 *
 * @param isOriginal whether it is as the corpus has it: then it is whole, and has to be answered
 */
export async function tryInput(on: Installation, target: Target, text: string, isOriginal: boolean): Promise<string[]> {
  const began = process.cpuUsage();
  const faults = await askFor(on, target, render(text, on), isOriginal).catch((error: Error) => [String(error.stack)]);
  const { user, system } = process.cpuUsage(began);
  const time = (user + system) / 1_000 / (target.isRepeated === true ? 6 : 1);
  if (time > MOST_TIME) faults.push(`took ${Math.round(time)} ms of processor time`);
  return [
    ...faults,
    ...on.takeErrors().map((line) => `log: ${line}`),
    ...uncaught.splice(0).map((error) => `uncaught: ${error}`),
  ];
}

async function askFor(on: Installation, target: Target, text: string, isOriginal: boolean): Promise<string[]> {
  switch (target.kind) {
    case "request":
      return askRequest(on, text, isOriginal, target.isRepeated === true);
    case "messages":
      return messageFaults(await sendMessages(on.port, text, LIMIT));
    case "markdown":
      return markdownFaults(Buffer.from(text, "latin1").toString());
    case "cursor":
      return cursorFaults(Buffer.from(text, "latin1").toString());
  }
}

async function askRequest(on: Installation, text: string, isOriginal: boolean, isRepeated: boolean): Promise<string[]> {
  const { head, body } = readRequest(text);
  const isWhole = isOriginal && !/^(content-length|transfer-encoding):/im.test(head);
  const send = senderOf(on.port, isWhole, LIMIT);
  const answer = await send(head, body);
  if (answer === null) return isWhole ? ["the connection closed without an answer"] : [];
  const faults = faultsOf(head, body, answer);
  if (!isRepeated) return faults;
  return [...faults, ...(await repeatFaults({ head, body }, answer, send, (query) => write(on, query)))];
}

/** As Ada, who is an administrator. */
async function write({ port, values }: Installation, mutation: string): Promise<void> {
  const head = `POST /graphql HTTP/1.1\nHost: ${values.get("host")}\nAuthorization: Bearer ${values.get("token")}`;
  const query = mutation.replace("POST", values.get("post1") ?? "").replace("OTHER", values.get("post3") ?? "");
  const answer = await senderOf(
    port,
    true,
    LIMIT,
  )(`${head}\nContent-Type: application/json`, JSON.stringify({ query }));
  if (answer?.body.includes('"errors":[]') !== true) throw new Error(`the write failed: ${answer?.body}`);
}

function messageFaults(heard: readonly string[]): string[] {
  const shown = heard.join("\n");
  return /"code":"INTERNAL"|^closed 1011/m.test(shown) ? [shown.slice(0, 1_000)] : [];
}

function markdownFaults(markdown: string): string[] {
  const { html } = renderMarkdown(markdown);
  const faults = spelled(html) === spelled(sanitized(html)) ? [] : ["HTML that a sanitizer changes"];
  const bare = html.replaceAll(/"[^"]*"/g, '""'); // a value may say anything
  if (/<script|<[^>]*\son\w+=/i.test(bare) || /(?:href|src)="\s*javascript:/i.test(html))
    faults.push(`a script: ${html.slice(0, 500)}`);
  return faults;
}

/** Without differences in how quotes and empty elements are written. */
function spelled(html: string): string {
  return html.replaceAll("&quot;", '"').replaceAll(/<([bh]r) ?\/?>/g, "<$1>");
}

function cursorFaults(cursor: string): string[] {
  const place = decodeCursor("posts.createdAt.desc", cursor);
  if (place === null) return [];
  return encodeCursor("posts.createdAt.desc", place) === cursor ? [] : ["a cursor that is not the one of its place"];
}
