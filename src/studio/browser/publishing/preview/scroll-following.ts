/** The frame's scroll position, tied to that of the editor. */
export interface Scrolled {
  /** Puts the frame where the editor is, after its text changed. */
  restore(): void;
  close(): void;
}

/** Lets the frame scroll along with whatever scrolls the text: the page, or the editor within it. */
export function followScroll(frame: HTMLIFrameElement): Scrolled {
  let share = 0;

  function restore(): void {
    const inner = frame.contentDocument?.scrollingElement;
    if (inner == null) return;
    inner.scrollTop = share * (inner.scrollHeight - inner.clientHeight);
  }

  function follow({ target }: Event): void {
    const element = target === document ? document.scrollingElement : target;
    if (!(element instanceof Element) || !isEditor(element)) return;
    const range = element.scrollHeight - element.clientHeight;
    share = range <= 0 ? 0 : Math.min(1, Math.max(0, element.scrollTop / range));
    restore();
  }

  document.addEventListener("scroll", follow, { capture: true, passive: true });
  return { restore, close: () => document.removeEventListener("scroll", follow, { capture: true }) };
}

function isEditor(element: Element): boolean {
  return element === document.scrollingElement || element.matches(".cm-scroller, textarea, [data-scrolls-text]");
}
