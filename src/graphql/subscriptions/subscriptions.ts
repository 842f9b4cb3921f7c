import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import type { ContentEvent, EventFeed, EventFollower } from "../../domain/events/event.ts";
import { audienceOf, type PostEvent, readPostEvent } from "../../domain/events/post-event.ts";
import type { Id } from "../../domain/id.ts";
import type { EditingFeed } from "../../domain/posts/editing.ts";
import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import type { Log } from "../../observe/log.ts";
import { errorEntry } from "../documents/errors.ts";
import { type CopySubscription, openCopyEvents } from "../execution/copy-events.ts";
import { type EventSubscription, valuesFor, writeEvent } from "../execution/post-events.ts";

/** Milliseconds for which an answer serves other subscribers. */
const FRESH = 1_000;
/** Characters of answers that are kept for other subscribers. */
const KEPT = 8 * 1024 * 1024;
/** Milliseconds after which a post is read again when the database was away. */
const RETRY = 250;

/** The receiver of one subscription's answers. */
export interface Sink extends Omit<EventFollower, "take"> {
  /**
   * @param event to go on from after a break; null where the state is told anew
   * @param json an execution result
   */
  next(event: Id | null, json: string): void;
}

export interface SubscriptionsOptions {
  readonly feed: EventFeed;
  /** Posts that are being written. */
  readonly editing: EditingFeed;
  /** How many may be open at the same time. */
  readonly most: number;
  readonly log: Log;
}

/**
 * Open subscriptions of this process. An event is answered once for each document and each audience of it (see
 * post-event.ts), however many have subscribed.
 */
export class Subscriptions {
  readonly feed: EventFeed;
  readonly #editing: EditingFeed;
  readonly #most: number;
  readonly #log: Log;
  /** Numbers of planned fields, for keys. */
  readonly #plans = new WeakMap<EventSubscription["field"], number>();
  #planned = 0;
  readonly #facts = new WeakMap<ContentEvent, { readonly event: PostEvent | null }>();
  #size = 0;
  readonly #answers = new Map<string, string | Promise<string>>();
  #characters = 0;
  /** The newest event, and the time when the cached answers were last dropped. */
  #newest: Id | "" = "";
  #since = 0;

  constructor({ feed, editing, most, log }: SubscriptionsOptions) {
    this.feed = feed;
    this.#editing = editing;
    this.#most = most;
    this.#log = log;
  }

  /** How many are open. */
  get size(): number {
    return this.#size;
  }

  /**
   * For who holds the feed.
   * @returns how to end it
   * @throws AppError UNAVAILABLE where there are too many already
   */
  open(subscription: EventSubscription | CopySubscription, sink: Sink): () => void {
    if (this.#size >= this.#most)
      throw new AppError("UNAVAILABLE", "Too many subscriptions are open. Try again shortly.", { retryAfter: 5 });
    this.#size++;
    let isOver = false;
    const end =
      "postId" in subscription
        ? this.#followCopy(subscription, sink)
        : this.#followEvents(subscription, sink, () => isOver);
    return () => {
      if (isOver) return;
      isOver = true;
      this.#size--;
      end();
    };
  }

  #followEvents(subscription: EventSubscription, sink: Sink, isOver: () => boolean): () => void {
    const group = this.#groupOf(subscription);
    return this.feed.follow(subscription.after, {
      hasRoom: () => sink.hasRoom(),
      untilRoom: () => sink.untilRoom(),
      take: (event) => {
        const answer = this.#answer(subscription, group, event);
        if (answer === null) return;
        if (!(answer instanceof Promise)) return sink.next(event.id, answer);
        return answer.then((json) => {
          if (!isOver()) sink.next(event.id, json);
        });
      },
    });
  }

  /** A client that does not read gets the newest state when it does. */
  #followCopy(subscription: CopySubscription, sink: Sink): () => void {
    const write = openCopyEvents(subscription);
    return this.#editing.follow(subscription.postId, (post) => {
      const json = sink.hasRoom() ? write(post) : null;
      if (json !== null) sink.next(null, json);
    });
  }

  /** The same for subscriptions that get the same answers. */
  #groupOf({ field, values }: EventSubscription): string {
    let plan = this.#plans.get(field);
    if (plan === undefined) {
      plan = this.#planned++;
      this.#plans.set(field, plan);
    }
    return `${plan} ${JSON.stringify(values.slice(2))}`;
  }

  /** null for subscribers who must not see the event. Never rejects. */
  #answer(subscription: EventSubscription, group: string, content: ContentEvent): string | Promise<string> | null {
    this.#forgetOld(content.id);
    const event = this.#read(content);
    if (event === null || !subscription.matches(event)) return null;
    const audience = audienceOf(subscription.viewer, event);
    if (audience === null) return null;
    const key = `${event.id} ${audience} ${group}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const values = valuesFor(audience, event, subscription.values);
    const answer = writeEvent(
      subscription.field,
      event,
      ({ read }) => untilThere(read, values),
      (error, place) => errorEntry(error, place, event.id, this.#log),
    );
    this.#answers.set(key, answer);
    return answer.then((json) => {
      if (this.#answers.get(key) === answer) {
        this.#answers.set(key, json);
        this.#characters += json.length;
        if (this.#characters > KEPT) this.#forget();
      }
      return json;
    });
  }

  #read(content: ContentEvent): PostEvent | null {
    let facts = this.#facts.get(content);
    if (facts === undefined) {
      facts = { event: readPostEvent(content) };
      this.#facts.set(content, facts);
    }
    return facts.event;
  }

  /** Each change of a post is an event: what was read of it before is not shown after. */
  #forgetOld(id: Id): void {
    const now = performance.now();
    if (id <= this.#newest && now - this.#since < FRESH) return;
    if (id > this.#newest) this.#newest = id;
    this.#since = now;
    this.#forget();
  }

  #forget(): void {
    this.#answers.clear();
    this.#characters = 0;
  }
}

/** While the database is away, subscribers wait: an event without its post would be taken for one of a post that is gone. */
async function untilThere(read: PreparedRead, values: Parameters<PreparedRead["run"]>[0]): Promise<string> {
  for (;;) {
    try {
      return await read.run(values, true);
    } catch (error) {
      if (!(error instanceof AppError && error.code === "UNAVAILABLE")) throw error;
      await pause(RETRY, undefined, { ref: false });
    }
  }
}
