import { generateRandomState } from "oauth4webapi";

/** A window of the browser in which the person signs in. */
export interface SignInWindow {
  /** Stands in the `state` of its request, so that the answer of another window is not taken for that of this one. */
  readonly id: string;
  /** @returns the URL that it came back to; null if another window took its place */
  visit(address: URL): Promise<URL | null>;
  close(): void;
}

const channelOf = (id: string) => new BroadcastChannel(`studio-sign-in.${id}`);

/** Ends the wait for a window that is no longer there, because the next one took its place. */
let endLast = () => {};

/** A value of `state` whose answer comes to the tab that opened the window, see `handBack`. */
export function newStateFor(windowId: string): string {
  return `window.${windowId}.${generateRandomState()}`;
}

/** Opens a window for a sign-in. In the same turn as a click, or browsers keep it from opening. */
export function openSignInWindow(): SignInWindow | null {
  endLast();
  const popup = window.open("about:blank", "_blank", "popup,width=480,height=760");
  if (popup === null) return null;
  const id = generateRandomState();
  // Whether the person closed the window is not known: with pages of the authorization server in it, it is cut off from this one.
  const channel = channelOf(id);
  const answer = new Promise<URL | null>((resolve) => {
    const end = (url: URL | null) => {
      channel.close();
      resolve(url);
    };
    endLast = () => {
      popup.close();
      end(null);
    };
    channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      const url = URL.parse(String(data));
      if (url !== null && windowOf(url) === id) end(url);
    });
  });
  return {
    id,
    visit(address) {
      popup.location.replace(address);
      return answer;
    },
    close() {
      channel.close();
      popup.close();
    },
  };
}

/** Whether a tab waits for this URL, in a window that it opened. */
export function isOfWindow(address: URL): boolean {
  return windowOf(address) !== null;
}

/** In the window: hands the URL that it came back to to the tab that opened it. */
export function handBack(address: URL): void {
  const id = windowOf(address);
  if (id === null) return;
  const channel = channelOf(id);
  channel.postMessage(address.href);
  channel.close();
}

function windowOf({ searchParams }: URL): string | null {
  return /^window\.([^.]+)\./.exec(searchParams.get("state") ?? "")?.[1] ?? null;
}

/**
 * Asks the authorization server with the cookies of the browser, without a page.
 *
 * @returns the URL of the answer; null for any other than `redirectUri`
 */
export async function visitQuietly(address: URL, redirectUri: string): Promise<URL | null> {
  // Cookies of another origin are not sent: there, only a page can answer.
  if (address.origin !== location.origin) return null;
  const answer = await fetch(address, { credentials: "same-origin", cache: "no-store", referrerPolicy: "no-referrer" });
  await answer.body?.cancel();
  const url = new URL(answer.url);
  return url.origin + url.pathname === redirectUri ? url : null;
}
