import type { Studio } from "./ports.ts";

/** Input of a page. */
export interface PageProps {
  readonly studio: Studio;
  /** The part of the address that names a post or another thing; null where there is none. */
  readonly id: string | null;
  /** Query of the URL. It changes with each filter, while the page stays. */
  readonly query: URLSearchParams;
}
