import type { HistoryEntry } from "../../documents/history.ts";
import { dayAndTime } from "../schedule/schedule-words.ts";
import { ownZone } from "../schedule/zones.ts";

const KINDS: Readonly<Record<HistoryEntry["kind"], string>> = {
  CREATED: "Created",
  APPLIED: "Changed",
  PUBLISHED: "Published",
  UNPUBLISHED: "Unpublished",
  ARCHIVED: "Archived",
  SCHEDULED: "Scheduled",
  RESTORED: "Restored an earlier version",
  MERGED: "Set aside",
};

/** Change in words: `Published`. */
export function kindWords(kind: HistoryEntry["kind"]): string {
  return KINDS[kind];
}

/** `Version 7, Tue 5 Jan 2027, 09:00, Ben`, and with a name `Before the review: version 7, …`. */
export function revisionName({ version, createdAt, person, name }: HistoryEntry, locale?: string): string {
  const when = dayAndTime(Date.parse(createdAt), ownZone(), locale);
  const which = name === null ? `Version ${version}` : `${name}: version ${version}`;
  return `${which}, ${when}${person === null ? "" : `, ${person.name}`}`;
}

/** The person and the program behind a change: `Ben, with claude`. */
export function makerWords({ person, clientId }: Pick<HistoryEntry, "person" | "clientId">): string {
  if (person === null) return clientId === null ? "The server" : `A deleted person, with ${clientId}`;
  return clientId === null || clientId === "studio" ? person.name : `${person.name}, with ${clientId}`;
}
