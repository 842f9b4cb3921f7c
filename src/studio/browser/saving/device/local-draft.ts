import type { PostFacts, Texts } from "../../ports.ts";
import { isBlank, isSame } from "./texts.ts";

/** Raised when the shape changes. A program that knows a lower number only reads the text (S96). */
export const SCHEMA = 1;

/** The server's state from which a text was written on. */
export interface Base {
  /** Version of the post. */
  readonly version: number;
  /** Version of the working copy; 0 for none. */
  readonly workingVersion: number;
  /** Version of the post from which the copy was written on. */
  readonly baseVersion: number;
  /** Text of the working copy, or of the post without one. */
  readonly texts: Texts;
  /** Text of the post itself. */
  readonly applied: Texts;
}

/** A request for a new post that may have been sent. It is repeated with the same key and text until it is answered. */
export interface Creation {
  readonly key: string;
  readonly texts: Texts;
}

/** Steps that bring the losing texts of a resolved conflict into the history of the post, in this order. */
export interface Resolution {
  /** The present working copy goes into the history first. */
  readonly setAside: boolean;
  /** Then each of these texts becomes the working copy, and goes into the history too. */
  readonly losers: readonly Texts[];
  /** Keys of the local drafts that keep the losing texts until then. */
  readonly asideKeys: readonly string[];
}

/** A text as this device keeps it. */
export interface LocalDraft {
  readonly schema: number;
  readonly personId: string;
  readonly personName: string;
  /** The post's id, or a key of its own before there is a post, or for a text that lost a conflict. */
  readonly key: string;
  readonly postId: string | null;
  readonly facts: PostFacts | null;
  readonly base: Base | null;
  readonly texts: Texts;
  /** Texts that were sent without an answer: the server may have any of them. */
  readonly unanswered: readonly Texts[];
  readonly creation: Creation | null;
  readonly resolution: Resolution | null;
  /** A text of this writing that is being saved as another post. */
  readonly asNew: Creation | null;
  /** Milliseconds since 1970 of the last change by hand. */
  readonly changedAt: number;
  /** Set aside: a text that is not written on, until it is in the history of the post. */
  readonly isAside: boolean;
}

/** A draft that is kept beside the one that is written on. */
export function asideOf(draft: LocalDraft, key: string): LocalDraft {
  return { ...draft, key: `aside:${key}`, creation: null, resolution: null, isAside: true };
}

/** The storage of texts in this browser. Every method rejects if the browser does. */
export interface Device {
  read(personId: string, key: string): Promise<LocalDraft | null>;
  /** `instead` is removed in the same transaction. */
  write(draft: LocalDraft, instead?: string): Promise<void>;
  remove(personId: string, key: string): Promise<void>;
  list(): Promise<LocalDraft[]>;
}

/** Whether the device has something that the server may lack. */
export function isUnsent(draft: LocalDraft): boolean {
  if (draft.isAside || draft.resolution !== null) return true;
  if (draft.base === null) return !isBlank(draft.texts);
  return !isSame(draft.base.texts, draft.texts);
}

/** A record of any version of the studio, as far as this one can read it; null for anything else. */
export function readRecord(record: unknown): LocalDraft | null {
  if (typeof record !== "object" || record === null) return null;
  const draft = record as LocalDraft;
  if (typeof draft.schema !== "number" || typeof draft.personId !== "string" || typeof draft.key !== "string")
    return null;
  const { title, body, slug, excerpt } = (draft.texts ?? {}) as Partial<Texts>;
  if (typeof title !== "string" || typeof body !== "string") return null;
  if (draft.schema === SCHEMA) return draft;
  return {
    schema: draft.schema,
    personId: draft.personId,
    personName: typeof draft.personName === "string" ? draft.personName : "",
    key: draft.key,
    postId: typeof draft.postId === "string" ? draft.postId : null,
    facts: null,
    base: null,
    texts: {
      title,
      body,
      slug: typeof slug === "string" ? slug : null,
      excerpt: typeof excerpt === "string" ? excerpt : null,
    },
    unanswered: [],
    creation: null,
    resolution: null,
    asNew: null,
    changedAt: typeof draft.changedAt === "number" ? draft.changedAt : 0,
    isAside: draft.isAside === true,
  };
}
