import type { Tab } from "./list-address.ts";
import type { Row } from "./post-list.ts";

/** Milliseconds after which a scheduled post that is still a draft, or an update that was not made, is late. */
const LATE = 60_000;

/** The title that its writers see: a draft has that of the text being written. */
export function titleOf({ status, title, workingCopy }: Pick<Row, "status" | "title" | "workingCopy">): string {
  if (status === "PUBLISHED" || workingCopy === null) return title;
  return workingCopy.title.trim() === "" ? "Untitled" : workingCopy.title;
}

export type State = "draft" | "scheduled" | "late" | "published" | "archived";

/** @param now milliseconds of Unix time */
export function stateOf(
  { status, publishAt }: Pick<Row, "status" | "publishAt">,
  now: number,
): { state: State; words: string } {
  if (status === "PUBLISHED") return { state: "published", words: "Published" };
  if (status === "ARCHIVED") return { state: "archived", words: "Archived" };
  if (publishAt === null) return { state: "draft", words: "Draft" };
  return Date.parse(publishAt) + LATE < now
    ? { state: "late", words: "Late" }
    : { state: "scheduled", words: "Scheduled" };
}

/** The planned update of a published post, in words; null without one. @param now milliseconds of Unix time */
export function updateOf(
  { status, plannedUpdate }: Pick<Row, "status" | "plannedUpdate">,
  now: number,
): { state: "scheduled" | "late"; words: string } | null {
  if (status !== "PUBLISHED" || plannedUpdate === null) return null;
  if (plannedUpdate.heldBecause !== null) return { state: "late", words: "Update held back" };
  return Date.parse(plannedUpdate.publishAt) + LATE < now
    ? { state: "late", words: "Update late" }
    : { state: "scheduled", words: "Update planned" };
}

/** The moment that the list of this tab is about. */
export function timeOf(
  row: Pick<Row, "updatedAt" | "publishAt" | "publishedAt" | "plannedUpdate" | "workingCopy">,
  tab: Tab,
): string | null {
  if (tab === "scheduled") return row.publishAt ?? row.plannedUpdate?.publishAt ?? null;
  if (tab === "published") return row.publishedAt;
  const written = row.workingCopy?.updatedAt ?? "";
  return [written, row.updatedAt].sort().at(-1) ?? null; // RFC 3339 in UTC sorts as text
}
