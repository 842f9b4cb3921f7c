/**
 * F6 goes to the next part of the page that has `data-region`, Shift+F6 to the one before: where the person was in it last, or
 * its first field or button.
 */
export function walkRegions(event: KeyboardEvent): void {
  if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")].filter((part) => part.checkVisibility());
  if (regions.length === 0) return;
  const at = regions.findIndex((part) => part.contains(document.activeElement));
  for (let step = 1; step <= regions.length; step++) {
    const index = at < 0 && event.shiftKey ? regions.length - step : at + (event.shiftKey ? -step : step);
    const target = firstFocusable(regions[(index + 2 * regions.length) % regions.length]);
    if (target === undefined) continue;
    event.preventDefault();
    target.focus();
    return;
  }
}

function firstFocusable(region: HTMLElement | undefined): HTMLElement | undefined {
  const all = region?.querySelectorAll<HTMLElement>(
    'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, iframe, [contenteditable="true"], [tabindex="0"]',
  );
  return [...(all ?? [])].find((element) => element.tabIndex >= 0 && element.checkVisibility());
}
