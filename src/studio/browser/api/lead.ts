/**
 * Runs work in one tab of the browser at a time: the one that got the focus last. When that tab is closed, the one that
 * waits longest goes on.
 *
 * @param work runs until its signal
 * @param end ends it for this tab
 */
export function leadWithFocus(name: string, work: (signal: AbortSignal) => Promise<void>, end: AbortSignal): void {
  let own = new AbortController();
  let isLeading = false;

  function claim(options: LockOptions): void {
    own.abort();
    const mine = new AbortController();
    own = mine;
    navigator.locks
      .request(name, "steal" in options ? options : { signal: mine.signal }, async () => {
        if (own !== mine || end.aborted) return;
        isLeading = true;
        await work(mine.signal);
      })
      .catch(() => undefined) // another tab took it, or this one no longer waits for it
      .finally(() => {
        if (own !== mine) return;
        isLeading = false;
        mine.abort();
        if (!end.aborted) claim({});
      });
  }

  const look = () => {
    if (!isLeading && document.visibilityState === "visible" && document.hasFocus()) claim({ steal: true });
  };
  addEventListener("focus", look, { signal: end });
  document.addEventListener("visibilitychange", look, { signal: end });
  end.addEventListener("abort", () => own.abort());
  claim(document.visibilityState === "visible" ? { steal: true } : {});
}
