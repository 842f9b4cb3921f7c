import type { Socket } from "node:net";
import pg from "pg";
import { CHANGE_KINDS, type Change, type ChangeKind, type ChangeListener } from "../../domain/change.ts";

/** `application_name` of the connection on which a process listens. */
export const LISTENING = "content-api changes";
/** The channel for changes. PostgreSQL keeps channels of databases separate. */
export const CHANNEL = "content_api_changes";
/** The share of the time between two ticks that is random, so that processes do not ask at the same moment. */
const JITTER = 0.25;
/** Milliseconds after which a connection that does not answer is closed. */
const ANSWER_TIMEOUT = 5_000;
/** Bytes that PostgreSQL takes in a notification, with some to spare. */
const MAX_PAYLOAD = 7_000;

/** An id that is too long for a notification is left out. */
export function writeChange({ kind, id }: Change): string {
  return id === null || Buffer.byteLength(id) > MAX_PAYLOAD ? kind : `${kind} ${id}`;
}

function readChange(payload: string): Change | null {
  const [word = ""] = payload.split(" ", 1);
  const kind = CHANGE_KINDS.find((known) => known === word);
  if (kind === undefined) return null; // of another version of the program
  return { kind, id: payload.length > word.length ? payload.slice(word.length + 1) : null };
}

const TICKED: readonly ChangeKind[] = CHANGE_KINDS.filter((kind) => kind !== "event");

/**
 * Hears what other nodes announce, on a connection of its own, which is replaced when it breaks. Beside it, and without
 * it, every change counts as possible each time that `DATABASE_POLL` names.
 */
export class PostgresListener {
  readonly #config: pg.ClientConfig;
  readonly #tell: ChangeListener;
  readonly #every: number;
  #ticking: NodeJS.Timeout | null = null;
  #client: pg.Client | null = null;
  /** When the question that is under way was asked: `performance.now()`. */
  #askedAt: number | null = null;
  /** Whether PostgreSQL has confirmed that it tells this connection of changes. */
  #isHearing = false;

  /**
   * @param hears false where a pooler stands between, on whose connections nothing is heard
   * @param every milliseconds at most until everything counts as changed: the longest effect of a lost notification
   */
  constructor(config: pg.ClientConfig, { hears, every }: { hears: boolean; every: number }, tell: ChangeListener) {
    this.#config = config;
    this.#tell = tell;
    this.#every = every;
    this.#tickLater(hears);
    if (hears) this.#connect();
  }

  get isHearing(): boolean {
    return this.#isHearing;
  }

  close(): void {
    if (this.#ticking !== null) clearTimeout(this.#ticking);
    this.#drop();
  }

  #tickLater(hears: boolean): void {
    const wait = this.#every * (1 - Math.random() * JITTER);
    this.#ticking = setTimeout(() => {
      if (hears) this.#look();
      this.#tellAll();
      this.#tickLater(hears);
    }, wait).unref();
  }

  #tellAll(): void {
    for (const kind of TICKED) this.#tell({ kind, id: null });
  }

  /** A connection can be dead without a sign of it, so it is asked something. */
  #look(): void {
    if (this.#client === null) this.#connect();
    else if (this.#askedAt === null) this.#ask(this.#client, "select 1");
    else if (performance.now() - this.#askedAt > ANSWER_TIMEOUT) this.#drop();
  }

  #connect(): void {
    const client = new pg.Client(this.#config);
    this.#client = client;
    this.#askedAt = performance.now();
    const lost = () => {
      if (this.#client === client) this.#drop();
    };
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload = "" }) => {
      const change = readChange(payload);
      if (change !== null) this.#tell(change);
    });
    client.connect().then(() => {
      if (this.#client !== client) return;
      socketOf(client).unref(); // it does not keep a process alive
      this.#ask(client, `listen ${CHANNEL}`, () => {
        this.#isHearing = true;
        this.#tellAll();
      });
    }, lost);
  }

  #ask(client: pg.Client, text: string, answered = () => {}): void {
    this.#askedAt = performance.now();
    client.query(text).then(
      () => {
        if (this.#client !== client) return;
        this.#askedAt = null;
        answered();
      },
      () => {
        if (this.#client === client) this.#drop();
      },
    );
  }

  #drop(): void {
    const client = this.#client;
    this.#client = null;
    this.#isHearing = false;
    if (client !== null) socketOf(client).destroy();
  }
}

function socketOf(client: pg.Client): Socket {
  return client.connection.stream as Socket;
}
