import { signal } from "@preact/signals";

/** Whether the details stand beside the text, where there is room. It lasts as long as the page. */
export const detailsShown = signal(true);
