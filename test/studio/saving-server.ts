import { ApiFailure, type FailureKind, type PostFacts, type Texts } from "../../src/studio/browser/ports.ts";
import type { SaveRequest, Server, Snapshot } from "../../src/studio/browser/saving/sending/server.ts";

interface StoredCopy {
  readonly texts: Texts;
  readonly version: number;
  readonly baseVersion: number;
  readonly by: string;
}

export interface StoredPost {
  readonly id: string;
  version: number;
  applied: Texts;
  copy: StoredCopy | null;
  /** Copies that end keep their number, so that no version ever names two texts. */
  copies: number;
  readonly history: { readonly version: number; readonly texts: Texts }[];
  /** Every text that the post or its copy ever had. */
  readonly ever: Texts[];
}

/** The rules of the schema for posts, copies and history, in memory, without any network. */
export class FakeServer {
  readonly posts = new Map<string, StoredPost>();
  readonly #answered = new Map<string, string>();

  textOf(id: string): Texts | null {
    const post = this.posts.get(id);
    return post === undefined ? null : (post.copy?.texts ?? post.applied);
  }

  create(texts: Texts, key: string): StoredPost {
    const known = this.#answered.get(key);
    if (known !== undefined) return this.#post(known);
    const applied = {
      title: texts.title === "" ? "Untitled" : texts.title,
      body: texts.body,
      slug: null,
      excerpt: null,
    };
    const id = `post-${this.posts.size + 1}`;
    const post = {
      id,
      version: 1,
      applied,
      copy: null,
      copies: 0,
      history: [{ version: 1, texts: applied }],
      ever: [applied],
    };
    this.posts.set(id, post);
    this.#answered.set(key, id);
    return post;
  }

  save({ id, parts, workingVersion, baseVersion }: Omit<SaveRequest, "keepalive">, by: string): StoredPost {
    const post = this.#expect(id, workingVersion);
    if (baseVersion < 1 || baseVersion > post.version) throw failure("bad-input", "baseVersion");
    post.copies += 1;
    const texts = { ...(post.copy?.texts ?? post.applied), ...parts };
    post.copy = { texts, version: post.copies, baseVersion, by };
    post.ever.push(texts);
    return post;
  }

  setAside(id: string, workingVersion: number): StoredPost {
    const post = this.#expect(id, workingVersion);
    if (post.copy !== null) post.history.push({ version: post.version, texts: post.copy.texts });
    post.copy = null;
    return post;
  }

  /** Applies the copy, as publishing does. */
  apply(id: string): void {
    const post = this.#post(id);
    if (post.copy !== null) post.applied = { ...post.copy.texts, slug: null, excerpt: null };
    post.copy = null;
    post.version += 1;
    post.history.push({ version: post.version, texts: post.applied });
    post.ever.push(post.applied);
  }

  /** Changes the post and not its copy, as clients do that know no copies. */
  update(id: string, parts: Partial<Texts>): void {
    const post = this.#post(id);
    post.applied = { ...post.applied, ...parts };
    post.version += 1;
    post.history.push({ version: post.version, texts: post.applied });
    post.ever.push(post.applied);
  }

  snapshot(id: string): Snapshot | null {
    const post = this.posts.get(id);
    if (post === undefined) return null;
    const { copy, applied, history } = post;
    const origin =
      copy === null ? applied : (history.filter(({ version }) => version <= copy.baseVersion).at(-1)?.texts ?? null);
    return { facts: factsOf(post), applied, excerpt: "", copy, origin, canUpdate: true };
  }

  #post(id: string): StoredPost {
    const post = this.posts.get(id);
    if (post === undefined) throw failure("not-found", "There is no such post.");
    return post;
  }

  #expect(id: string, workingVersion: number): StoredPost {
    const post = this.#post(id);
    if ((post.copy?.version ?? 0) !== workingVersion) throw failure("conflict", "The copy has another version.");
    return post;
  }
}

export function failure(kind: FailureKind, message: string, more: Partial<ApiFailure> = {}): ApiFailure {
  return new ApiFailure({ ...more, kind, message });
}

export function factsOf(post: StoredPost): PostFacts {
  return {
    id: post.id,
    status: "DRAFT",
    version: post.version,
    slug: post.id,
    url: null,
    createdAt: "2027-01-01T00:00:00.000Z",
    updatedAt: "2027-01-01T00:00:00.000Z",
    publishedAt: null,
    publishAt: null,
    publishAtZone: null,
    authorName: "Ada",
  };
}

/** What becomes of one request on its way. */
export type Fate =
  | "good"
  /** The server never gets it. */
  | "lost"
  /** The server does it, and the answer is lost. */
  | "unanswered"
  /** The caller gives up before the server gets it. */
  | "late"
  | "busy"
  | "signed-out"
  | "broken";

/** The network between one tab and the server. Counts requests in flight. */
export class Network implements Server {
  readonly #server: FakeServer;
  readonly #after: (milliseconds: number, run: () => void) => void;
  /** Fates of the next requests; after them, all are good. */
  fates: Fate[] = [];
  latency = 20;
  /** Requests of which the caller does not know the end yet. */
  inFlight = 0;
  most = 0;
  readonly calls: string[] = [];
  isCut = false;

  constructor(server: FakeServer, after: (milliseconds: number, run: () => void) => void) {
    this.#server = server;
    this.#after = after;
  }

  find(id: string): Promise<Snapshot | null> {
    return this.#send("find", () => this.#server.snapshot(id));
  }

  create(texts: Texts, key: string) {
    return this.#send("create", () => {
      const post = this.#server.create(texts, key);
      return { facts: factsOf(post), applied: post.applied, excerpt: "" };
    });
  }

  save(request: SaveRequest) {
    return this.#send(`save ${request.workingVersion} ${Object.keys(request.parts).join()}`, () => {
      const post = this.#server.save(request, "Ada");
      const copy = post.copy as StoredCopy;
      const { slug, excerpt } = copy.texts;
      return { facts: factsOf(post), copy: { version: copy.version, baseVersion: copy.baseVersion, slug, excerpt } };
    });
  }

  setAside(id: string, workingVersion: number): Promise<PostFacts> {
    return this.#send(`setAside ${workingVersion}`, () => factsOf(this.#server.setAside(id, workingVersion)));
  }

  #send<Answer>(name: string, act: () => Answer): Promise<Answer> {
    this.calls.push(name);
    const fate = this.isCut ? "lost" : (this.fates.shift() ?? "good");
    this.inFlight += 1;
    this.most = Math.max(this.most, this.inFlight);
    return new Promise<Answer>((resolve, reject) => {
      const end = (wait: number, run: () => void) =>
        this.#after(wait, () => {
          this.inFlight -= 1;
          run();
        });
      const refuse = (kind: FailureKind, wait = this.latency) => end(wait, () => reject(failure(kind, kind)));
      if (fate === "lost") return refuse("offline");
      if (fate === "busy") return refuse("busy");
      if (fate === "signed-out") return refuse("signed-out");
      if (fate === "broken") return refuse("failed");
      if (fate === "late") refuse("offline");
      this.#after(fate === "late" ? this.latency * 40 : this.latency, () => {
        let run: () => void;
        try {
          const answer = structuredClone(act());
          run = () => resolve(answer);
        } catch (error) {
          run = () => reject(error);
        }
        if (fate === "late") return;
        end(this.latency, fate === "unanswered" ? () => reject(failure("offline", "offline")) : run);
      });
    });
  }
}
