/// <reference lib="webworker" />
import { openSessionStore, TOKEN_LOCK } from "../session/stored-session.ts";

/**
 * Sends a form of the page, and sees a refresh to its end whatever becomes of the page: a page that is left or loaded again
 * meanwhile would leave a refresh token behind that was used already, and the person would be signed out. The tab holds the
 * lock; whoever waits for it comes after this, and finds the new token.
 */
export function sendForm(event: FetchEvent): void {
  const form = event.request.clone().text();
  // Without the page's signal, which would end it with the page.
  const answer = fetch(new Request(event.request, { signal: null }));
  const copy = answer.then((response) => response.clone());
  event.respondWith(answer);
  event.waitUntil(
    keepToken(form, copy).catch(() => {}), // what failed, the page hears of too
  );
}

async function keepToken(form: Promise<string>, answer: Promise<Response>): Promise<void> {
  const sent = new URLSearchParams(await form);
  if (sent.get("grant_type") !== "refresh_token") return;
  await navigator.locks.request(TOKEN_LOCK, async () => {
    const { refresh_token: refreshToken } = (await (await answer).json()) as { readonly refresh_token?: string };
    if (refreshToken === undefined) return;
    const store = openSessionStore();
    await store.changeSession((present) =>
      present !== null && present.refreshToken === sent.get("refresh_token") ? { ...present, refreshToken } : present,
    );
    store.close();
  });
}
