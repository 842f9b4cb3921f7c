import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../ports.ts";
import type { Ask, Authorization } from "./authorization.ts";
import type { SignInWindow } from "./sign-in-window.ts";
import type { AccessToken } from "./tokens.ts";

export interface ElevationPorts {
  readonly authorization: Pick<Authorization, "begin" | "finish" | "revoke">;
  readonly personId: string;
  /** Asks without a page. @returns the address that the answer came to; null where only a page can answer */
  visitQuietly(address: URL): Promise<URL | null>;
  /** Called in the same turn as a click. @returns null where the browser opens no window */
  openWindow(): SignInWindow | null;
  /** Milliseconds of Unix time. */
  now(): number;
}

/** `closed`: nobody has asked yet. `sign-in`: the person must sign in again. `idle`: ended, because nobody was there. */
export type ElevationState = "closed" | "opening" | "open" | "sign-in" | "idle";

/** How a sign-in must have been (RFC 9470). */
export interface Demand {
  /** Seconds. */
  readonly maxAge?: number;
  readonly acrValues?: readonly string[];
}

/** Milliseconds without a key or a touch after which the token is forgotten. */
const IDLE_TIME = 15 * 60 * 1_000;
/** Milliseconds before its end at which a token is replaced. */
const MARGIN = 30_000;

/**
 * A second access token with scopes that the studio's usual one does not have. It is in this tab's memory alone, and has no
 * refresh token: while somebody works, the session at the authorization server gives the next one.
 */
export class Elevation {
  readonly #ports: ElevationPorts;
  readonly #scope: string;
  readonly #entry: Demand;
  readonly #state = signal<ElevationState>("closed");
  readonly #failure = signal<string | null>(null);
  #held: AccessToken | null = null;
  #asking: Promise<AccessToken | null> | null = null;
  #usedAt = 0;
  /** Another object each time the token is forgotten: answers to requests from before give none. */
  #turn = {};
  /** Another object each time the person signs out. */
  #stay = {};
  /** Rejects each request that waits for a sign-in. */
  readonly #waiting = new Set<() => void>();

  /** @param entry how recent the sign-in must be to enter */
  constructor(ports: ElevationPorts, scope: string, entry: Demand) {
    this.#ports = ports;
    this.#scope = scope;
    this.#entry = entry;
  }

  get state(): ReadonlySignal<ElevationState> {
    return this.#state;
  }
  /** Why the last attempt to sign in came to nothing; null where nothing went wrong. */
  get failure(): ReadonlySignal<string | null> {
    return this.#failure;
  }

  /** Enters without a page where the person has signed in lately. */
  async enter(): Promise<void> {
    if (this.#state.peek() === "open" || this.#state.peek() === "opening") return;
    this.#state.value = "opening";
    this.#failure.value = null;
    const turn = this.#turn;
    try {
      if ((await this.#askQuietly(this.#entry)) !== null) return this.#open();
    } catch (error) {
      if (turn === this.#turn) this.#failure.value = (error as Error).message;
    }
    if (turn === this.#turn) this.#state.value = "sign-in";
  }

  /**
   * Opens the sign-in page in a window. Called in the same turn as a click.
   *
   * @returns whether the person signed in
   */
  async signIn(demand: Demand = this.#entry): Promise<boolean> {
    this.#failure.value = null;
    const stay = this.#stay;
    const opened = this.#ports.openWindow();
    if (opened === null) {
      this.#failure.value = "The browser blocked the window. Allow pop-ups for this site, then try again.";
      return false;
    }
    try {
      const address = await this.#begin(demand, opened.id);
      const answer = await opened.visit(address);
      if (answer === null) return false;
      const token = await this.#finish(answer);
      if (stay !== this.#stay) return false;
      this.#forget();
      this.#held = token;
      this.#open();
      return true;
    } catch (error) {
      if (stay === this.#stay) this.#failure.value = (error as Error).message;
      return false;
    } finally {
      opened.close();
    }
  }

  /** The person is there. Somebody who comes back too late, as to a device that slept, finds the token forgotten. */
  noticeUse(): void {
    this.checkUse();
    this.#usedAt = this.#ports.now();
  }

  /** Forgets the token after a time in which nobody was there. Called again and again. */
  checkUse(): void {
    if (this.#state.peek() === "open" && this.#ports.now() - this.#usedAt > IDLE_TIME) this.#leave("idle");
  }

  /** For somebody who signs out: rejects what waits, and revokes the token, which belongs to no refresh token. Never throws. */
  async end(): Promise<void> {
    const held = this.#held;
    this.#leave("closed");
    this.#stay = {};
    this.giveUp();
    // Without a network, it expires within minutes, and nobody else has it.
    if (held !== null) await this.#ports.authorization.revoke(held.token).catch(() => undefined);
  }

  /** Rejects the requests that wait for a sign-in, so that none of them is sent when the person has gone elsewhere. */
  giveUp(): void {
    for (const reject of this.#waiting) reject();
  }

  /** Waits while the person has to sign in again, so that a request goes on by itself afterwards. @throws ApiFailure */
  async get(): Promise<AccessToken> {
    for (;;) {
      this.checkUse();
      const held = this.#held;
      if (held !== null && held.expiresAt - MARGIN > this.#ports.now()) return held;
      if (this.#state.peek() === "open") await this.#renew();
      else await this.#opened();
    }
  }

  /** Whoever works goes on: only entering needs a recent sign-in. @throws ApiFailure */
  async #renew(): Promise<void> {
    const turn = this.#turn;
    const token = await this.#askQuietly({}).catch((error: Error) => {
      if (error instanceof ApiFailure) throw error;
      if (turn === this.#turn) this.#failure.value = error.message;
      return null;
    });
    if (token === null && turn === this.#turn) this.#leave("sign-in");
  }

  /** A token in place of one that the API did not accept. @throws as `get` */
  async replace(refused: AccessToken): Promise<AccessToken> {
    if (this.#held === refused) this.#held = null;
    return this.get();
  }

  #leave(state: "closed" | "idle" | "sign-in"): void {
    this.#forget();
    this.#state.value = state;
  }

  #open(): void {
    this.#usedAt = this.#ports.now();
    this.#state.value = "open";
  }

  #forget(): void {
    this.#held = null;
    this.#asking = null;
    this.#turn = {};
  }

  /** @throws ApiFailure when it is given up */
  #opened(): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (work: () => void) => {
        this.#waiting.delete(giveUp);
        queueMicrotask(() => end());
        work();
      };
      const giveUp = () => finish(() => reject(notSignedIn()));
      this.#waiting.add(giveUp);
      const end = this.#state.subscribe((state) => {
        if (state === "open") finish(resolve);
      });
    });
  }

  /** @returns null where the person must see a page, or the token was forgotten meanwhile @throws ApiFailure, Error */
  #askQuietly(demand: Demand): Promise<AccessToken | null> {
    if (this.#asking !== null) return this.#asking;
    const turn = this.#turn;
    const asking = (async () => {
      const answer = await this.#ports.visitQuietly(await this.#begin(demand, null));
      if (answer === null || !answer.searchParams.has("code")) return null;
      const token = await this.#finish(answer);
      if (turn !== this.#turn) return null;
      this.#held = token;
      return token;
    })().finally(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }

  /** @param windowId null to ask without a page */
  #begin(demand: Demand, windowId: string | null): Promise<URL> {
    const how = windowId === null ? { isQuiet: true } : { windowId };
    const ask: Ask = { ...demand, scope: this.#scope, ...how };
    return this.#ports.authorization.begin({ returnTo: "/", isPopup: windowId !== null, ask });
  }

  async #finish(answer: URL): Promise<AccessToken> {
    const { grant, personId } = await this.#ports.authorization.finish(answer);
    if (personId !== this.#ports.personId) throw new Error("Somebody else signed in. Sign in as yourself.");
    return { token: grant.token, expiresAt: this.#ports.now() + grant.expiresIn * 1_000, personId };
  }
}

function notSignedIn(): ApiFailure {
  return new ApiFailure({ kind: "signed-out", message: "You did not sign in again. Nothing was changed." });
}
