import type { ReadonlySignal, Signal } from "@preact/signals";

/** A document of the studio, from `documents/*.graphql`, with the types of its variables and its answer. */
export interface StudioDocument<Data, Variables> {
  readonly text: string;
  /** `sha256:` and the digest of the text (GraphQL over HTTP, appendix A). */
  readonly id: string;
  /** Carries the types alone. */
  readonly types?: (variables: Variables) => Data;
}

export interface RunOptions {
  /** Idempotency-Key, so that a request that is sent again changes nothing twice. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** Lets the request outlive the page. Its body may have 64 KiB at most. */
  readonly keepalive?: boolean;
}

/** The API under the person's token. It refreshes the token, and never signs out because an access token expired. */
export interface Api {
  /** @throws ApiFailure, also for the first entry of a payload's `errors` */
  run<Data, Variables>(
    document: StudioDocument<Data, Variables>,
    variables: Variables,
    options?: RunOptions,
  ): Promise<Data>;
}

export type FailureKind =
  /** No answer came: whether the server did it is not known. */
  | "offline"
  /** The server rejected the refresh token, or there is none. */
  | "signed-out"
  /** The person must sign in again for this (RFC 9470). Nothing was done. */
  | "recent-sign-in"
  /** 429 and 503: try again after `retryAfter` seconds. */
  | "busy"
  | "conflict"
  | "forbidden"
  | "not-found"
  | "bad-input"
  | "failed";

export interface Failure {
  readonly kind: FailureKind;
  /** A sentence for the person. */
  readonly message: string;
  /** `extensions.code`, where the server answered. */
  readonly code: string | null;
  /** The argument that was wrong, such as `input.slug`. */
  readonly field: string | null;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  /** Seconds. */
  readonly retryAfter: number | null;
}

export class ApiFailure extends Error implements Failure {
  readonly kind: FailureKind;
  readonly code: string | null;
  readonly field: string | null;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ kind, message, ...more }: Pick<Failure, "kind" | "message"> & Partial<Failure>) {
    super(message);
    this.name = "ApiFailure";
    this.kind = kind;
    this.code = more.code ?? null;
    this.field = more.field ?? null;
    this.extensions = more.extensions ?? {};
    this.requestId = more.requestId ?? null;
    this.retryAfter = more.retryAfter ?? null;
  }
}

/** The person who is signed in, as far as pages ask. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: "MEMBER" | "EDITOR" | "ADMIN";
}

/** State of a post that is being written. */
export interface CopyEvent {
  /** 0 without a copy. */
  readonly workingVersion: number;
  /** Names of other people who write the post now. */
  readonly names: readonly string[];
}

/** Input of every page. */
export interface Studio {
  readonly api: Api;
  readonly person: ReadonlySignal<Person>;
  readonly server: ReadonlySignal<ServerInfo>;
  /** False from the moment that a refresh was refused, or another tab signed out, until somebody signs in. */
  readonly isSignedIn: ReadonlySignal<boolean>;
  readonly isOnline: ReadonlySignal<boolean>;
  /** Opens the sign-in in a window of its own; the page stays as it is. */
  signIn(): void;
  /**
   * Goes to a page of the studio, by its path below `/studio`, such as `/posts/ID`.
   *
   * @param options `replace`: in place of this entry of the history, as while somebody types a search
   */
  go(path: string, options?: { readonly replace?: boolean }): void;
  /** Shows a sentence until it is read or followed by another. `undo` makes it a button for 10 seconds at least. */
  notify(message: string, undo?: { readonly label: string; run(): void | Promise<void> }): void;
  /** Hears of changes of posts, whoever made them. One stream serves all tabs of the browser. @returns how to end it */
  onPostEvent(
    listener: (event: { readonly type: string; readonly postId: string; readonly version: number | null }) => void,
  ): () => void;
  /**
   * Hears who writes a post, and which version its text has, in the tab that somebody looks at; null while that is not known.
   * @returns how to end it
   */
  onCopyEvent(postId: string, listener: (event: CopyEvent | null) => void): () => void;
}

export interface ServerInfo {
  readonly operatorName: string;
  readonly maxRequestBytes: number;
  readonly maxTitleLength: number;
  readonly maxBodyLength: number;
  /** IANA name. */
  readonly timeZone: string;
  readonly postUrl: string | null;
  readonly revisionDays: number;
  /** 0: deleted posts cannot be restored. */
  readonly deletedDays: number;
  /** Who registers clients. Missing in what an earlier version kept on the device. */
  readonly clientsBy?: "ADMINS" | "PEOPLE";
  readonly build: string;
}

/** The parts of a post that a person writes. */
export interface Texts {
  readonly title: string;
  readonly body: string;
  /** null: follows the title until the first publication, then stays. */
  readonly slug: string | null;
  /** null: derived from the body. */
  readonly excerpt: string | null;
}

/** A text that becomes the one of a published post at a time, besides the text itself. */
export interface PlannedUpdate {
  readonly publishAt: string;
  readonly publishAtZone: string | null;
  /** Set if the server could not make the update at its time. */
  readonly heldBecause: "POST_CHANGED" | "SLUG_TAKEN" | null;
  /** Version of the working copy with this text. */
  readonly workingVersion: number;
  /** Version of the post that it follows. */
  readonly baseVersion: number;
}

/** Facts about a post from the server, besides its text. */
export interface PostFacts {
  readonly id: string;
  readonly status: "DRAFT" | "PUBLISHED" | "ARCHIVED";
  readonly version: number;
  readonly slug: string;
  readonly url: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedAt: string | null;
  readonly publishAt: string | null;
  readonly publishAtZone: string | null;
  /** Missing in drafts that an earlier version kept on the device. */
  readonly plannedUpdate?: PlannedUpdate | null;
  readonly authorName: string | null;
}

/** How far what was written has come. It never claims more than is true. `isOnlyHere`: this browser refuses to keep the text. */
export type SaveState =
  | { readonly kind: "saved" }
  | { readonly kind: "saving" }
  /** In this browser's storage, and on its way as soon as the reason is gone. */
  | { readonly kind: "on-device"; readonly reason: "offline" | "signed-out" | "busy" | "waiting" }
  /** Not even in this browser's storage, or refused by the server. */
  | { readonly kind: "failed"; readonly message: string; readonly help: string; readonly isOnDevice: boolean }
  | { readonly kind: "conflict"; readonly conflict: Conflict; readonly isOnlyHere?: true }
  /** Another tab of this browser writes; this one shows its text. */
  | { readonly kind: "elsewhere" }
  /** Deleted, or no longer the person's to change. */
  | { readonly kind: "lost"; readonly reason: "deleted" | "forbidden"; readonly isOnlyHere?: true };

export interface Conflict {
  readonly base: Texts;
  readonly mine: Texts;
  readonly theirs: Texts;
  /** Name of who saved theirs; null if not known. */
  readonly by: string | null;
}

/** Changes of somebody else that were merged into the text. */
export interface Merged {
  readonly title: string;
  readonly before: Texts;
  readonly after: Texts;
}

/** A post being written, in one tab. Made by `saving/open-writing.ts`, used by the editor's page. */
export interface Writing {
  /** null until the first character has made the draft. */
  readonly id: ReadonlySignal<string | null>;
  /** null until the draft exists. */
  readonly post: ReadonlySignal<PostFacts | null>;
  /** Text of the post itself, which readers see once it is published. null until the draft exists. */
  readonly applied: ReadonlySignal<Texts | null>;
  readonly texts: ReadonlySignal<Texts>;
  readonly state: ReadonlySignal<SaveState>;
  /** Whether this tab may write (S37). */
  readonly isReadOnly: ReadonlySignal<boolean>;
  /** Merged changes that the person wants to see; null for none. */
  readonly merged: Signal<Merged | null>;
  /** Names of other people who write this post now (S38). */
  readonly others: ReadonlySignal<readonly string[]>;
  /** Versions of post and copy that the server had last; 0 for no copy. */
  readonly versions: ReadonlySignal<{ readonly version: number; readonly workingVersion: number }>;
  /** Called by the editor with each change. Cheap: it keeps a reference to the text. */
  change(part: Partial<Texts>): void;
  /** Held back while an input method composes: neither saving nor merging touches anything. */
  readonly isComposing: { value: boolean };
  /**
   * Waits until everything that was written is the working copy on the server.
   * @returns versions for `applyWorkingCopy` @throws ApiFailure
   */
  settle(): Promise<{ readonly id: string; readonly version: number; readonly workingVersion: number }>;
  /** Takes over what a mutation answered: after applying, publishing, restoring. */
  adopt(answer: {
    readonly post: PostFacts;
    readonly applied: Texts;
    readonly copy: (Texts & { readonly version: number; readonly baseVersion: number }) | null;
  }): void;
  /** Tells the editor that the text became another by something else than typing: merged, restored, taken from elsewhere. One undoable step. */
  onReplaced(listener: (texts: Texts, why: "merged" | "restored" | "taken" | "elsewhere") => void): () => void;
  resolve(conflict: Conflict, choice: "mine" | "theirs" | Texts): void;
  /** Keeps what was written as a post of its own. @returns its id */
  saveAsNewDraft(): Promise<string>;
  /** Makes this tab the one that writes. */
  editHere(): void;
  close(): Promise<void>;
}
