import type { PlannedUpdate, PostFacts } from "../ports.ts";
import { dayAndTime, momentInZone, timeOnly } from "./schedule/schedule-words.ts";
import { knownZone, ownZone } from "./schedule/zones.ts";

/** A state in words. */
export interface StateWords {
  readonly name: string;
  readonly detail: string;
}

/** @param timeZone that of the installation, for posts whose schedule names none */
export function stateWords(post: PostFacts | null, timeZone: string, locale?: string): StateWords {
  if (post === null) return { name: "Not saved yet", detail: "The first character that you type makes the draft." };
  if (post.status === "PUBLISHED") {
    if (post.publishedAt === null) return { name: "Published", detail: "Readers see it." };
    return {
      name: "Published",
      detail: `Public since ${dayAndTime(Date.parse(post.publishedAt), ownZone(), locale)}.`,
    };
  }
  if (post.status === "ARCHIVED")
    return { name: "Archived", detail: "Readers do not see it. To publish it again, make it a draft." };
  if (post.publishAt !== null)
    return {
      name: "Scheduled",
      detail: `Goes live ${momentInZone(Date.parse(post.publishAt), knownZone(post.publishAtZone ?? timeZone), locale)}.`,
    };
  return { name: "Draft", detail: "Only its author, editors and administrators see it." };
}

type Planned = Pick<PostFacts, "publishAt" | "publishAtZone" | "plannedUpdate">;

/** The time at which a scheduled draft goes live, or the update of a published post. */
export function plannedTime(post: Planned | null): Pick<PostFacts, "publishAt" | "publishAtZone"> | null {
  if (post === null) return null;
  return post.publishAt === null ? (post.plannedUpdate ?? null) : post;
}

/** `09:00`, of a scheduled post or update, in the zone in which the time was chosen. */
export function goLiveTime(post: Planned, timeZone: string, locale?: string): string | null {
  const time = plannedTime(post);
  if (time?.publishAt == null) return null;
  return timeOnly(Date.parse(time.publishAt), knownZone(time.publishAtZone ?? timeZone), locale);
}

/** Milliseconds after which an update that was not made is late. */
const LATE = 60_000;

/** The state of a planned update in words. */
export interface UpdateWords {
  readonly text: string;
  /** Whether a person should look at it. */
  readonly isTrouble: boolean;
}

/** @param version of the post @param now milliseconds of Unix time */
export function updateWords(
  { publishAt, publishAtZone, heldBecause, baseVersion }: PlannedUpdate,
  version: number,
  timeZone: string,
  now: number,
  locale?: string,
): UpdateWords {
  const at = Date.parse(publishAt);
  const time = momentInZone(at, knownZone(publishAtZone ?? timeZone), locale);
  const held = `The update for ${time} was held back.`;
  if (heldBecause === "POST_CHANGED")
    return {
      text: `${held} Somebody else changed the post before it. Check the text, then update now or at another time.`,
      isTrouble: true,
    };
  if (heldBecause === "SLUG_TAKEN")
    return {
      text: `${held} Another post has its address. Choose another address, then update now or at another time.`,
      isTrouble: true,
    };
  if (baseVersion !== version)
    return {
      text: `The update for ${time} will be held back, because somebody else changed the post. Check the text, then plan the update again.`,
      isTrouble: true,
    };
  if (at + LATE < now)
    return { text: `The update for ${time} is late. The server makes it as soon as it can.`, isTrouble: true };
  return { text: `Your changes go live ${time}. Until then, readers see the present text.`, isTrouble: false };
}

/** The question that a person confirms, and the consequences for readers and for programs that receive webhooks. */
export interface EndingWords {
  readonly title: string;
  readonly button: string;
  readonly sentences: readonly string[];
  readonly done: string;
}

export type Ending = "unpublish" | "archive" | "delete" | "unschedule" | "cancel-update" | "discard";

/** @param deletedDays days for which a deleted post can be restored */
export function endingWords(ending: Ending, post: PostFacts, deletedDays = 0): EndingWords {
  const isPublic = post.status === "PUBLISHED";
  const planned = post.plannedUpdate == null ? [] : ["The planned update is removed too."];
  switch (ending) {
    case "unpublish":
      return {
        title: isPublic ? "Unpublish this post?" : "Make this post a draft?",
        button: isPublic ? "Unpublish" : "Make it a draft",
        sentences: [
          ...(isPublic
            ? ["Readers and apps no longer find the post. Links to it lead nowhere until you publish it again."]
            : []),
          "The post becomes a draft. Its text and its history stay.",
          ...planned,
          "Webhooks are called with post.unpublished.",
        ],
        done: "The post is a draft now.",
      };
    case "archive":
      return {
        title: "Archive this post?",
        button: "Archive",
        sentences: [
          "Readers and apps no longer find the post. Links to it lead nowhere.",
          "The post moves to Archived. You can make it a draft again.",
          ...planned,
          "Webhooks are called with post.archived.",
        ],
        done: "The post is archived.",
      };
    case "delete":
      return {
        title: "Delete this post?",
        button: "Delete",
        sentences: [
          isPublic
            ? "Readers and apps no longer find the post. Links to it lead nowhere."
            : "Readers do not see it now, so nothing changes for them.",
          ...afterDeletion(deletedDays),
          ...planned,
          `Webhooks ${isPublic ? "" : "that include drafts "}are called with post.deleted.`,
        ],
        done: "The post is deleted.",
      };
    case "unschedule":
      return {
        title: "Take this post off the schedule?",
        button: "Take off the schedule",
        sentences: ["The post stays a draft until somebody publishes it."],
        done: "The post is off the schedule.",
      };
    case "cancel-update":
      return {
        title: "Remove the planned update?",
        button: "Do not update",
        sentences: [
          "Readers go on seeing the present text.",
          "Your changes stay here until you update or discard them.",
        ],
        done: "The planned update is removed. Your changes are not public.",
      };
    case "discard":
      return {
        title: "Discard your changes?",
        button: "Discard changes",
        sentences: [
          `The text goes back to what ${isPublic ? "readers see" : "the post has"}.`,
          "The text that you discard stays in the history.",
          ...planned,
        ],
        done: "The changes are discarded. Their text is in the history.",
      };
  }
}

function afterDeletion(days: number): readonly string[] {
  if (days === 0) return ["The text, its history and its preview links are deleted too. Nobody can bring them back."];
  return [
    `For ${dayCount(days)} you find the post under Deleted, and can restore it with its history. Then it is gone for good.`,
    "Its preview links end for good.",
  ];
}

/** "1 day", "30 days". */
export function dayCount(days: number): string {
  return days === 1 ? "1 day" : `${days.toLocaleString()} days`;
}

/** The sentence for readers in the dialog before publishing. */
export function audienceWords(isLater: boolean, isUpdate: boolean): string {
  if (isLater && isUpdate)
    return "Until that time, readers see the present text. After it, all readers and apps see the new one.";
  return isLater
    ? "Until that time, only its author, editors and administrators see it. After it, all readers and apps do."
    : "All readers see it immediately, and so do apps that read posts. Webhooks are called.";
}
