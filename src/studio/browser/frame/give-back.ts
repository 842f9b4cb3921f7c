/**
 * Gives the focus back to the element that had it. Where that is gone or hidden, as an entry of a menu that has closed, the button of
 * the menu gets it, or else the heading of the page: never the page's beginning.
 */
export function giveBack(opener: HTMLElement): void {
  for (const element of candidates(opener)) {
    element.focus({ preventScroll: true });
    if (document.activeElement === element) return;
  }
}

function* candidates(opener: HTMLElement): Generator<HTMLElement> {
  if (opener.isConnected && opener !== document.body) {
    yield opener;
    for (
      let panel = opener.parentElement?.closest("[id]");
      panel != null;
      panel = panel.parentElement?.closest("[id]")
    ) {
      const button = document.querySelector<HTMLElement>(`[aria-controls="${CSS.escape(panel.id)}"]`);
      if (button !== null) yield button;
    }
  }
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading === null) return;
  if (!heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  yield heading;
}
