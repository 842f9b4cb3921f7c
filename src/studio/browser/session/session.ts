import { type ReadonlySignal, signal } from "@preact/signals";
import { type Authorization, openAuthorization } from "./authorization.ts";
import { type Demand, Elevation } from "./elevation.ts";
import type { Settings } from "./settings.ts";
import { openSignInWindow, visitQuietly } from "./sign-in-window.ts";
import { openSessionStore, type SessionStore, type StoredSession, TOKEN_LOCK } from "./stored-session.ts";
import { type AccessToken, type SessionMessage, Tokens } from "./tokens.ts";

const CHANNEL = "studio-session";
const TAB_LOCK = "studio-tab";

/** A person's session in this tab. */
export interface Session {
  readonly personId: string;
  readonly kept: StoredSession;
  readonly tokens: Tokens;
  readonly authorization: Authorization;
  /** Id of somebody else who has signed in in this browser since; null for nobody. */
  readonly otherPersonId: ReadonlySignal<string | null>;
  /** Keeps what the API says of the person, for the next start. */
  remember(facts: Pick<StoredSession, "person" | "server">): Promise<void>;
  /** Opens the sign-in in a second window, or in place of the page where the browser allows none. */
  signIn(returnTo: string, beforeLeaving: () => Promise<void>): Promise<void>;
  /** A second access token, for more than the usual one may do. @param scope space-separated @param entry how recent the sign-in must be */
  elevate(scope: string, entry: Demand): Elevation;
  /**
   * Revokes and forgets everything, and leaves for the page that ends the session of the authorization server.
   *
   * @param wipe removes what else this browser keeps of the person
   */
  signOut(wipe: () => Promise<void>): Promise<void>;
}

export interface Doorway {
  readonly store: SessionStore;
  readonly authorization: Authorization;
  readonly channel: BroadcastChannel;
  readonly redirectUri: string;
}

export function openDoorway(settings: Settings): Doorway {
  const store = openSessionStore();
  // Held for as long as the tab lives, so that others know of it.
  void navigator.locks.request(TAB_LOCK, { mode: "shared" }, () => new Promise(() => {}));
  return {
    ...{ store, authorization: openAuthorization(settings, store), channel: new BroadcastChannel(CHANNEL) },
    redirectUri: settings.redirectUri,
  };
}

/** Leaves for the sign-in page. @throws ApiFailure, SignInFailed */
export async function leaveForSignIn({ authorization }: Doorway, returnTo: string): Promise<void> {
  location.assign(await authorization.begin({ returnTo, isPopup: false }));
}

/**
 * Finishes a sign-in at the address that the person came back to.
 * @returns the path to go to; null in a window that was opened for the sign-in alone
 * @throws ApiFailure, SignInFailed
 */
export async function finishSignIn(
  door: Doorway,
  address: URL,
): Promise<{ returnTo: string | null; token: AccessToken | null }> {
  const { grant, personId, request } = await door.authorization.finish(address);
  await door.store.changeSession((present) => ({
    person: null,
    server: null,
    ...(present?.personId === personId ? present : {}),
    personId,
    refreshToken: grant.refreshToken,
  }));
  const token = { token: grant.token, expiresAt: Date.now() + grant.expiresIn * 1_000, personId };
  door.channel.postMessage({ type: "signed-in", token } satisfies SessionMessage);
  return { returnTo: request.isPopup ? null : request.returnTo, token };
}

/** The session that this browser has; null where nobody is signed in. */
export async function openSession(door: Doorway, held: AccessToken | null): Promise<Session | null> {
  const { store, authorization, channel } = door;
  const kept = await store.readSession();
  if (kept === null) return null;
  const { personId } = kept;
  const tokens = new Tokens(
    {
      store,
      refresh: (refreshToken) => authorization.refresh(refreshToken),
      exclusive: (work) => navigator.locks.request(TOKEN_LOCK, work),
      hasOthers: async () => {
        const { held: locks = [] } = await navigator.locks.query();
        return locks.filter(({ name }) => name === TAB_LOCK).length > 1;
      },
      tell: (message) => channel.postMessage(message),
      now: Date.now,
      wait: (time) => new Promise((resolve) => setTimeout(resolve, time)),
    },
    personId,
    held,
  );
  const otherPersonId = signal<string | null>(null);
  channel.addEventListener("message", ({ data }: MessageEvent<SessionMessage>) => {
    if (data.type === "signed-in") otherPersonId.value = data.token.personId === personId ? null : data.token.personId;
    tokens.hear(data);
  });
  const elevations: Elevation[] = [];
  return {
    ...{ personId, kept, tokens, authorization, otherPersonId },
    async remember(facts) {
      await store.changeSession((present) => (present?.personId === personId ? { ...present, ...facts } : present));
    },
    async signIn(returnTo, beforeLeaving) {
      // In the same turn as the click, or browsers keep the window from opening.
      const popup = window.open("about:blank", "studio-sign-in", "popup,width=480,height=760");
      if (popup === null) {
        await beforeLeaving();
        return leaveForSignIn(door, returnTo);
      }
      try {
        popup.location.replace(await authorization.begin({ returnTo, isPopup: true }));
      } catch (error) {
        popup.close();
        throw error;
      }
    },
    elevate(scope, entry) {
      const elevation = new Elevation(
        {
          ...{ authorization, personId, openWindow: openSignInWindow, now: Date.now },
          visitQuietly: (address) => visitQuietly(address, door.redirectUri),
        },
        ...([scope, entry] as const),
      );
      elevations.push(elevation);
      return elevation;
    },
    async signOut(wipe) {
      const present = await store.readSession();
      const address = authorization.signOutUrl();
      if (present?.personId === personId) {
        await authorization.revoke(present.refreshToken);
        await store.changeSession(() => null);
        await store.forgetKeys();
      }
      await Promise.all(elevations.map((one) => one.end()));
      await wipe();
      tokens.end();
      location.assign(address);
    },
  };
}
