import type { AuditRow } from "../../documents/audit.ts";
import type { LoadedPage } from "../../frame/list/paged-rows.ts";
import { ApiFailure } from "../../ports.ts";
import type { ExportFormat } from "./formats.ts";

/** Entries of one request: the most that the API gives. */
const PAGE = 100;
/** Entries of one file: as many as a browser and a spreadsheet bear. */
export const MOST_ENTRIES = 100_000;
/** Attempts in a row for one page, where the server is busy or gives no answer. */
const ATTEMPTS = 20;
/** Seconds before another attempt, where the server names none. */
const USUAL_WAIT = 2;

interface Walk {
  readonly format: ExportFormat;
  load(first: number, after: string | null): Promise<LoadedPage<AuditRow>>;
  /** @throws what `signal` was aborted with */
  wait(seconds: number): Promise<void>;
  readonly signal: AbortSignal;
  onProgress(count: number): void;
  readonly most?: number;
}

export interface WalkedEntries {
  /** Parts of the file, one after the other. */
  readonly parts: readonly string[];
  readonly count: number;
  /** Time of the oldest entry in the file where there are older ones; null where the file has all. RFC 3339. */
  readonly oldest: string | null;
}

/** Reads the entries page by page. @throws ApiFailure, and what `signal` was aborted with */
export async function walkEntries(walk: Walk): Promise<WalkedEntries> {
  const { format, signal, onProgress, most = MOST_ENTRIES } = walk;
  const parts = [format.head];
  let count = 0;
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const { rows, pageInfo } = await loadPatiently(walk, Math.min(PAGE, most - count), after);
    parts.push(rows.map((row) => format.line(row)).join(""));
    count += rows.length;
    onProgress(count);
    if (!pageInfo.hasNextPage) return { parts, count, oldest: null };
    if (count >= most) return { parts, count, oldest: rows.at(-1)?.at ?? null };
    after = pageInfo.endCursor;
  }
}

async function loadPatiently(
  { load, wait, signal }: Walk,
  first: number,
  after: string | null,
): Promise<LoadedPage<AuditRow>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await load(first, after);
    } catch (error) {
      signal.throwIfAborted();
      const isPassing = error instanceof ApiFailure && (error.kind === "busy" || error.kind === "offline");
      if (!isPassing || attempt >= ATTEMPTS) throw error;
      await wait(error.retryAfter ?? USUAL_WAIT);
    }
  }
}
