import { type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure } from "../ports.ts";
import type { SessionStore } from "./stored-session.ts";

/** An access token, which no storage sees. */
export interface AccessToken {
  readonly token: string;
  /** Milliseconds of Unix time. */
  readonly expiresAt: number;
  readonly personId: string;
}

/** Messages between the tabs of a browser. */
export type SessionMessage =
  | { readonly type: "token"; readonly token: AccessToken }
  | { readonly type: "ask" }
  | { readonly type: "signed-in"; readonly token: AccessToken }
  | { readonly type: "signed-out" };

/** The authorization server refused: the session is over. */
export class RefreshRefused extends Error {}

export interface TokenPorts {
  readonly store: Pick<SessionStore, "readSession" | "changeSession">;
  /**
   * Redeems a refresh token. @returns the next one too
   * @throws RefreshRefused, ApiFailure where there was no answer
   */
  refresh(
    refreshToken: string,
  ): Promise<{ readonly token: string; readonly expiresIn: number; readonly refreshToken: string }>;
  /** One tab at a time (Web Locks). */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether the browser has other tabs of the studio. */
  hasOthers(): Promise<boolean>;
  tell(message: SessionMessage): void;
  /** Milliseconds of Unix time. */
  now(): number;
  /** Waits milliseconds. */
  wait(time: number): Promise<void>;
}

/** Milliseconds before its end at which a token is replaced. */
const MARGIN = 60_000;
/** Milliseconds that another tab has to hand over its token. */
const LOAN_TIME = 120;

/** The access token of one person in one tab. Only a refused refresh ends a session, never the end of an access token. */
export class Tokens {
  readonly #ports: TokenPorts;
  readonly #personId: string;
  readonly #isSignedIn = signal(true);
  #held: AccessToken | null;
  #renewing: Promise<AccessToken> | null = null;

  constructor(ports: TokenPorts, personId: string, held: AccessToken | null = null) {
    this.#ports = ports;
    this.#personId = personId;
    this.#held = held;
  }

  get isSignedIn(): ReadonlySignal<boolean> {
    return this.#isSignedIn;
  }

  /** @throws ApiFailure "signed-out" or "offline" */
  async get(): Promise<AccessToken> {
    if (this.#held !== null && this.#isFresh(this.#held)) return this.#held;
    return this.#renew(null);
  }

  /** A token in place of one that the API did not accept. @throws as `get` */
  async replace(refused: AccessToken): Promise<AccessToken> {
    if (this.#held !== null && this.#held.token !== refused.token && this.#isFresh(this.#held)) return this.#held;
    return this.#renew(refused);
  }

  /** Hears another tab. */
  hear(message: SessionMessage): void {
    if (message.type === "ask") {
      if (this.#held !== null && this.#isFresh(this.#held) && this.#isSignedIn.value)
        this.#ports.tell({ type: "token", token: this.#held });
    } else if (message.type === "signed-out") this.#end();
    else if (message.token.personId === this.#personId) {
      if (message.type === "signed-in") this.#isSignedIn.value = true;
      if (this.#isSignedIn.value) this.#held = message.token;
    } else if (message.type === "signed-in") this.#end();
  }

  /** The session was ended here. */
  end(): void {
    this.#end();
    this.#ports.tell({ type: "signed-out" });
  }

  #isFresh({ expiresAt }: AccessToken, margin = MARGIN): boolean {
    return expiresAt - margin > this.#ports.now();
  }

  #renew(refused: AccessToken | null): Promise<AccessToken> {
    if (!this.#isSignedIn.value) return Promise.reject(signedOut());
    this.#renewing ??= this.#renewAlone(refused).finally(() => {
      this.#renewing = null;
    });
    return this.#renewing;
  }

  async #renewAlone(refused: AccessToken | null): Promise<AccessToken> {
    const { store, exclusive } = this.#ports;
    try {
      return await exclusive(async () => {
        const lent = await this.#borrow(refused);
        if (lent !== null) return lent;
        const session = await store.readSession();
        if (session === null || session.personId !== this.#personId) throw new RefreshRefused();
        const answer = await this.#ports.refresh(session.refreshToken);
        const token = {
          token: answer.token,
          expiresAt: this.#ports.now() + answer.expiresIn * 1_000,
          personId: this.#personId,
        };
        // Before anybody hears of the token: a tab that closes now must not leave the old refresh token behind.
        await store.changeSession((present) => {
          const isOurs = present?.personId === this.#personId && present.refreshToken === session.refreshToken;
          return isOurs ? { ...present, refreshToken: answer.refreshToken } : present;
        });
        this.#held = token;
        this.#ports.tell({ type: "token", token });
        return token;
      });
    } catch (error) {
      if (error instanceof RefreshRefused) {
        this.#end();
        throw signedOut();
      }
      // Not reached, and the token still works for some seconds.
      if (this.#held !== null && this.#held !== refused && this.#isFresh(this.#held, 0)) return this.#held;
      throw error;
    }
  }

  /** Another tab may have renewed while this one waited for the lock. */
  async #borrow(refused: AccessToken | null): Promise<AccessToken | null> {
    const usable = () =>
      this.#held !== null && this.#held.token !== refused?.token && this.#isFresh(this.#held) ? this.#held : null;
    if (usable() === null && (await this.#ports.hasOthers())) {
      this.#ports.tell({ type: "ask" });
      for (let waited = 0; waited < LOAN_TIME && usable() === null; waited += 20) await this.#ports.wait(20);
    }
    return usable();
  }

  #end(): void {
    this.#held = null;
    this.#isSignedIn.value = false;
  }
}

function signedOut(): ApiFailure {
  return new ApiFailure({ kind: "signed-out", message: "You are signed out. Sign in to go on." });
}
