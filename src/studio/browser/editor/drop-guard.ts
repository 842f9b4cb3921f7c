const WRITABLE = "textarea, input, [contenteditable='true']";

/**
 * Keeps the browser from leaving the page for a file or a link that is dropped: text may be dropped into fields, nothing else
 * anywhere. @returns how to end it
 */
export function guardDrops(): () => void {
  const stop = new AbortController();
  function refuse(event: DragEvent): void {
    const isText = event.dataTransfer?.types.includes("Files") !== true;
    if (isText && event.target instanceof Element && event.target.closest(WRITABLE) !== null) return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
  }
  addEventListener("dragover", refuse, { signal: stop.signal });
  addEventListener("drop", refuse, { signal: stop.signal });
  return () => stop.abort();
}
