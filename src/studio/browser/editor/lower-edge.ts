/**
 * Says in `--keyboard` how much of the page's lower edge the keyboard of a phone covers, and in `--foot` how high the foot is, so
 * that bars and notices can stand above both.
 *
 * @returns how to end it
 */
export function followEdge(foot: HTMLElement | null): () => void {
  const { style } = document.documentElement;
  const stop = new AbortController();
  const sizes = new ResizeObserver(([entry]) => {
    if (entry !== undefined) style.setProperty("--foot", `${Math.ceil(entry.target.getBoundingClientRect().height)}px`);
  });
  if (foot !== null) sizes.observe(foot);
  const shown = globalThis.visualViewport;
  const measure = () => {
    if (shown === null || shown === undefined) return;
    const covered = Math.max(0, innerHeight - shown.height - shown.offsetTop);
    // Zooming by hand makes the viewport smaller too, and no keyboard covers anything then.
    style.setProperty("--keyboard", `${shown.scale > 1.01 ? 0 : Math.round(covered)}px`);
  };
  measure();
  shown?.addEventListener("resize", measure, { signal: stop.signal });
  shown?.addEventListener("scroll", measure, { signal: stop.signal });
  return () => {
    stop.abort();
    sizes.disconnect();
    style.removeProperty("--foot");
    style.removeProperty("--keyboard");
  };
}
