import { generateRandomState } from "oauth4webapi";
import { TAB_ID, tabOf } from "./authorization.ts";
import type { SignInWindow } from "./elevation.ts";

const channelOf = (tab: string) => new BroadcastChannel(`studio-sign-in.${tab}`);

/** Ends the wait for a window that is no longer there, because the next one took its place. */
let endLast = () => {};

/** A value of `state` whose answer this tab gets, see `handBack`. */
export function newStateForTab(): string {
  return `tab.${TAB_ID}.${generateRandomState()}`;
}

/** Opens a window for a sign-in. In the same turn as a click, or browsers keep it from opening. */
export function openSignInWindow(): SignInWindow | null {
  endLast();
  const popup = window.open("about:blank", "studio-elevation", "popup,width=480,height=760");
  if (popup === null) return null;
  return {
    visit(address) {
      return new Promise((resolve) => {
        // Whether the window was closed is not known: with other pages in it, it is cut off from this one.
        const channel = channelOf(TAB_ID);
        const end = (answer: URL | null) => {
          channel.close();
          resolve(answer);
        };
        endLast = () => end(null);
        channel.addEventListener("message", ({ data }: MessageEvent<string>) => end(new URL(data)));
        popup.location.replace(address);
      });
    },
    close: () => popup.close(),
  };
}

/**
 * In the window: hands the address that it came back to to the tab that asked.
 * @returns whether the address is for another tab
 */
export function handBack(address: URL): boolean {
  const tab = tabOf(address);
  if (tab === null) return false;
  const channel = channelOf(tab);
  channel.postMessage(address.href);
  channel.close();
  return true;
}

/** Asks the authorization server with the cookies of the browser, without a page. */
export async function visitQuietly(address: URL): Promise<URL | null> {
  // Cookies of another origin are not sent: there, only a page can answer.
  if (address.origin !== location.origin) return null;
  const answer = await fetch(address, { credentials: "same-origin", cache: "no-store" });
  await answer.body?.cancel();
  return answer.redirected ? new URL(answer.url) : null;
}
