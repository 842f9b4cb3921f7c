import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { Find, type FindData } from "../../documents/frame.ts";
import { searchWords } from "../../frame/text/search-words.ts";
import { type Api, ApiFailure } from "../../ports.ts";
import type { OpenStudio } from "../program/start.ts";
import type { PaletteEntry } from "./entries.ts";

/** Milliseconds after the last key. */
const TYPING = 150;
/** Characters of a name that the API looks for. */
const MOST = 200;

const KINDS = { DRAFT: "Draft", PUBLISHED: "Published", ARCHIVED: "Archived" } as const;

export interface PaletteSearch {
  readonly found: ReadonlySignal<readonly PaletteEntry[]>;
  readonly failure: ReadonlySignal<string | null>;
  find(text: string): void;
  close(): void;
}

/** The API of administrators, as long as their door is open. */
interface AdministrationDoor {
  readonly api: Api;
  readonly isOpen: ReadonlySignal<boolean>;
}

/** The door as far as the palette goes through it: it never opens one. */
export function administrationOf({ doors }: Pick<OpenStudio, "doors">): AdministrationDoor {
  const { elevation, studio } = doors.administration;
  return { api: studio.api, isOpen: computed(() => elevation.state.value === "open") };
}

/**
 * Searches posts while somebody types; people and clients too, for administrators whose door is open. Answers to what was typed
 * before are dropped.
 */
export function openPaletteSearch(api: Api, administration: AdministrationDoor): PaletteSearch {
  const found = signal<readonly PaletteEntry[]>([]);
  const failure = signal<string | null>(null);
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let typed = "";
  const stop = () => {
    clearTimeout(timer);
    running.abort();
    running = new AbortController();
  };
  async function ask(text: string, abort: AbortSignal): Promise<void> {
    const isAdministrator = administration.isOpen.peek();
    const variables = { search: searchWords(text), name: text.trim().slice(0, MOST), isAdministrator };
    try {
      const data = await (isAdministrator ? administration.api : api).run(Find, variables, { signal: abort });
      if (abort.aborted) return;
      failure.value = null;
      found.value = entriesOf(data);
    } catch (error) {
      if (abort.aborted) return;
      if (!(error instanceof ApiFailure)) throw error;
      failure.value = error.message;
    }
  }
  function find(text: string): void {
    stop();
    typed = text;
    const { signal: abort } = running;
    if (text.trim() === "") found.value = [];
    else timer = setTimeout(() => void ask(text, abort), TYPING);
  }
  // A door that closes keeps its requests until it opens again: posts are found without it.
  const end = administration.isOpen.subscribe((isOpen) => {
    if (!isOpen) find(typed);
  });
  return {
    ...{ found, failure, find },
    close() {
      end();
      stop();
    },
  };
}

function entriesOf({ postsConnection, accounts, clients }: FindData): readonly PaletteEntry[] {
  const posts = postsConnection.edges.map(({ node, highlight }) => ({
    ...{ key: node.id, name: node.title, kind: KINDS[node.status] },
    ...(highlight !== null && { highlight }),
    run: (studio: OpenStudio) => studio.go(`/posts/${node.id}`),
  }));
  const people = (accounts?.nodes ?? []).map(({ id, name, email }) => ({
    ...{ key: `person ${id}`, name: email === "" ? name : `${name}, ${email}`, kind: "Person" },
    run: (studio: OpenStudio) => studio.go(`/people/${id}`),
  }));
  const programs = (clients ?? []).map(({ id, name }) => ({
    ...{ key: `client ${id}`, name, kind: "Client" },
    run: (studio: OpenStudio) => studio.go(`/clients/${encodeURIComponent(id)}`),
  }));
  return [...posts, ...people, ...programs];
}
