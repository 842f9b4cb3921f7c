import { type ReadonlySignal, signal } from "@preact/signals";
import type { Ask, Authorization } from "./authorization.ts";
import type { AccessToken } from "./tokens.ts";

/** A window of the browser in which the person signs in. */
export interface SignInWindow {
  /** @returns the address that it came back to; null if it was closed before */
  visit(address: URL): Promise<URL | null>;
  close(): void;
}

export interface ElevationPorts {
  readonly authorization: Pick<Authorization, "begin" | "finish">;
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
    const token = await this.#askQuietly(this.#entry).catch((error: Error) => {
      this.#failure.value = error.message;
      return null;
    });
    this.#state.value = token === null ? "sign-in" : "open";
    this.noticeUse();
  }

  /**
   * Opens the sign-in page in a window. Called in the same turn as a click.
   *
   * @returns whether the person signed in
   */
  async signIn(demand: Demand = this.#entry): Promise<boolean> {
    this.#failure.value = null;
    const opened = this.#ports.openWindow();
    if (opened === null) {
      this.#failure.value = "The browser opened no window. Allow windows of this site, then try again.";
      return false;
    }
    try {
      const address = await this.#begin(demand, false);
      const answer = await opened.visit(address);
      if (answer === null) return false;
      this.#held = await this.#finish(answer);
      this.#state.value = "open";
      this.noticeUse();
      return true;
    } catch (error) {
      this.#failure.value = (error as Error).message;
      return false;
    } finally {
      opened.close();
    }
  }

  /** The person is there. */
  noticeUse(): void {
    this.#usedAt = this.#ports.now();
  }

  /** Forgets the token after a time in which nobody was there. Called again and again. */
  checkUse(): void {
    if (this.#state.peek() === "open" && this.#ports.now() - this.#usedAt > IDLE_TIME) this.leave("idle");
  }

  leave(state: "closed" | "idle" | "sign-in" = "closed"): void {
    this.#held = null;
    this.#state.value = state;
  }

  /** Waits while the person has to sign in again, so that a request goes on by itself afterwards. @throws ApiFailure */
  async get(): Promise<AccessToken> {
    for (;;) {
      const held = this.#held;
      if (held !== null && held.expiresAt - MARGIN > this.#ports.now()) return held;
      if (this.#state.peek() !== "open") await this.#opened();
      // Whoever works goes on: only entering needs a recent sign-in.
      else if ((await this.#askQuietly({})) === null) this.leave("sign-in");
    }
  }

  /** A token in place of one that the API did not accept. @throws as `get` */
  async replace(refused: AccessToken): Promise<AccessToken> {
    if (this.#held === refused) this.#held = null;
    return this.get();
  }

  #opened(): Promise<void> {
    return new Promise((resolve) => {
      const end = this.#state.subscribe((state) => {
        if (state !== "open") return;
        queueMicrotask(() => end());
        resolve();
      });
    });
  }

  /** @returns null where the person must see a page @throws ApiFailure */
  #askQuietly(demand: Demand): Promise<AccessToken | null> {
    this.#asking ??= (async () => {
      const answer = await this.#ports.visitQuietly(await this.#begin(demand, true));
      if (answer === null || !answer.searchParams.has("code")) return null;
      this.#held = await this.#finish(answer);
      return this.#held;
    })().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  #begin(demand: Demand, isQuiet: boolean): Promise<URL> {
    const ask: Ask = { ...demand, scope: this.#scope, isQuiet, isForTab: true };
    return this.#ports.authorization.begin({ returnTo: "/", isPopup: !isQuiet, ask });
  }

  async #finish(answer: URL): Promise<AccessToken> {
    const { grant, personId } = await this.#ports.authorization.finish(answer);
    if (personId !== this.#ports.personId) throw new Error("Somebody else signed in. Sign in as yourself.");
    return { token: grant.token, expiresAt: this.#ports.now() + grant.expiresIn * 1_000, personId };
  }
}
