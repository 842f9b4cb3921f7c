import { type ReadonlySignal, signal } from "@preact/signals";
import { FindPosts } from "../../documents/documents.ts";
import { searchWords } from "../../frame/text/search-words.ts";
import { type Api, ApiFailure } from "../../ports.ts";
import type { PaletteEntry } from "./entries.ts";

/** Milliseconds after the last key. */
const TYPING = 150;

const KINDS = { DRAFT: "Draft", PUBLISHED: "Published", ARCHIVED: "Archived" } as const;

export interface PaletteSearch {
  readonly posts: ReadonlySignal<readonly PaletteEntry[]>;
  readonly failure: ReadonlySignal<string | null>;
  find(text: string): void;
  close(): void;
}

/** Searches posts while somebody types. Answers to what was typed before are dropped. */
export function openPaletteSearch(api: Api): PaletteSearch {
  const posts = signal<readonly PaletteEntry[]>([]);
  const failure = signal<string | null>(null);
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  };
  async function ask(text: string, abort: AbortSignal): Promise<void> {
    try {
      const { postsConnection } = await api.run(FindPosts, { search: searchWords(text) }, { signal: abort });
      if (abort.aborted) return;
      failure.value = null;
      posts.value = postsConnection.edges.map(({ node, highlight }) => ({
        ...{ key: node.id, name: node.title, kind: KINDS[node.status] },
        ...(highlight !== null && { highlight }),
        run: (studio) => studio.go(`/posts/${node.id}`),
      }));
    } catch (error) {
      if (abort.aborted) return;
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error.message;
    }
  }
  return {
    ...{ posts, failure },
    find(text) {
      stop();
      const { signal: abort } = running;
      if (text.trim() === "") posts.value = [];
      else timer = setTimeout(() => void ask(text, abort), TYPING);
    },
    close: stop,
  };
}
