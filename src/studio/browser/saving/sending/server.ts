import type { PostFacts, Texts } from "../../ports.ts";

interface Copy {
  readonly texts: Texts;
  readonly version: number;
  readonly baseVersion: number;
  /** The person who saved last; null if not known. */
  readonly by: string | null;
}

/** A post as the server has it at one moment. */
export interface Snapshot {
  readonly facts: PostFacts;
  /** Text of the post. Its slug and excerpt are null: they stay what the post has. */
  readonly applied: Texts;
  /** Excerpt of the post, written or derived. */
  readonly excerpt: string;
  readonly copy: Copy | null;
  /** Text of the post from which the copy was written on; null where the history no longer has it. */
  readonly origin: Texts | null;
  readonly canUpdate: boolean;
}

export interface SaveRequest {
  readonly id: string;
  /** Parts that changed since the working version named below. */
  readonly parts: Partial<Texts>;
  readonly workingVersion: number;
  readonly baseVersion: number;
  readonly keepalive?: boolean;
}

interface Saved {
  readonly facts: PostFacts;
  readonly copy: {
    readonly version: number;
    readonly baseVersion: number;
    readonly slug: string | null;
    readonly excerpt: string | null;
  };
}

/** Requests of saving to the server. Every method rejects with an ApiFailure. */
export interface Server {
  /** null: deleted, or not the person's to see. */
  find(id: string): Promise<Snapshot | null>;
  /** A draft. The same key gives the same post, however often it is sent. */
  create(
    texts: Texts,
    key: string,
  ): Promise<{ readonly facts: PostFacts; readonly applied: Texts; readonly excerpt: string }>;
  save(request: SaveRequest): Promise<Saved>;
  /** Removes the working copy, and keeps its text in the history. */
  setAside(id: string, workingVersion: number): Promise<PostFacts>;
}
