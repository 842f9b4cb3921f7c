import { type IDBPDatabase, openDB } from "idb";
import type { Person, ServerInfo } from "../ports.ts";

/** Lock of the tab that refreshes; the refresh token is read and replaced under it alone. */
export const TOKEN_LOCK = "studio-token";

/** The stored part of a sign-in. The access token stays in memory. */
export interface StoredSession {
  readonly personId: string;
  readonly refreshToken: string;
  /** As the API said last, so that the page shows something before it answers; null until then. */
  readonly person: Person | null;
  readonly server: ServerInfo | null;
}

/** A sign-in that has begun: what the page needs when it comes back from the authorization server. */
export interface SignInRequest {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Path below the studio's. */
  readonly returnTo: string;
  readonly isPopup: boolean;
  /** Milliseconds of Unix time. */
  readonly startedAt: number;
}

/** Requests that nobody came back for are forgotten after this time. */
const REQUEST_LIFETIME = 60 * 60 * 1_000;

/** IndexedDB, which all tabs share. */
export interface SessionStore {
  readSession(): Promise<StoredSession | null>;
  /** @param change of what is there now; null removes the session */
  changeSession(change: (present: StoredSession | null) => StoredSession | null): Promise<StoredSession | null>;
  /** The key that tokens are bound to. Made when it is first asked for; scripts cannot read its private half. */
  keys(make: () => Promise<CryptoKeyPair>): Promise<CryptoKeyPair>;
  forgetKeys(): Promise<void>;
  keepRequest(request: SignInRequest): Promise<void>;
  /** Each is given once. */
  takeRequest(state: string): Promise<SignInRequest | null>;
  close(): void;
}

export function openSessionStore(now: () => number = Date.now): SessionStore {
  let opened: Promise<IDBPDatabase> | undefined;
  const database = () => {
    opened ??= open(() => {
      opened = undefined;
    });
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    readSession: async () => (await (await database()).get("session", "session")) ?? null,
    async changeSession(change) {
      const transaction = (await database()).transaction("session", "readwrite");
      const next = change((await transaction.store.get("session")) ?? null);
      await (next === null ? transaction.store.delete("session") : transaction.store.put(next, "session"));
      await transaction.done;
      return next;
    },
    async keys(make) {
      const known = await (await database()).get("session", "keys");
      if (known !== undefined) return known;
      const made = await make();
      const transaction = (await database()).transaction("session", "readwrite");
      const other = await transaction.store.get("keys"); // another tab was faster
      if (other === undefined) await transaction.store.put(made, "keys");
      await transaction.done;
      return other ?? made;
    },
    forgetKeys: async () => (await database()).delete("session", "keys"),
    async keepRequest(request) {
      const transaction = (await database()).transaction("requests", "readwrite");
      for (const old of await transaction.store.getAll())
        if (now() - old.startedAt > REQUEST_LIFETIME) await transaction.store.delete(old.state);
      await transaction.store.put(request);
      await transaction.done;
    },
    async takeRequest(state) {
      const transaction = (await database()).transaction("requests", "readwrite");
      const request: SignInRequest | undefined = await transaction.store.get(state);
      await transaction.store.delete(state);
      await transaction.done;
      return request ?? null;
    },
    close() {
      void opened?.then((database) => database.close());
      opened = undefined;
    },
  };
}

/** @throws Error with a sentence for the person */
async function open(terminated: () => void): Promise<IDBPDatabase> {
  try {
    return await openDB("studio-session", 1, {
      upgrade(database) {
        database.createObjectStore("session");
        database.createObjectStore("requests", { keyPath: "state" });
      },
      terminated,
    });
  } catch (cause) {
    const reason = "This browser lets the studio store nothing. The studio needs storage to sign you in.";
    throw new Error(`${reason} A private window may be why: try another window or browser.`, { cause });
  }
}
