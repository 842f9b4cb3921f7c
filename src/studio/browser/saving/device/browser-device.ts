import { signal } from "@preact/signals";
import { type IDBPDatabase, openDB } from "idb";
import { type Device, type LocalDraft, readRecord, SCHEMA } from "./local-draft.ts";

const NAME = "studio-texts";
const STORE = "drafts";

/** False from the moment that this browser refuses to keep a text, as without space or in some private windows, until it keeps one. */
export const keepsTexts = signal(true);

let opened: Promise<IDBPDatabase> | undefined;

/** The one connection of this tab: browsers keep a connection that nobody closes for as long as the page lives. */
function database(): Promise<IDBPDatabase> {
  opened ??= open(() => {
    opened = undefined;
  });
  opened.catch(() => {
    opened = undefined;
    keepsTexts.value = false;
  });
  return opened;
}

/** Texts in this browser's IndexedDB, by person. Shared by all tabs, and by nothing that asks the API. */
export function browserDevice(): Device & { wipe(personId: string): Promise<void> } {
  /** Drafts of which it is known that no newer version of the studio wrote them. */
  const looked = new Set<string>();
  const write = async (draft: LocalDraft, instead?: string) => {
    const transaction = (await database()).transaction(STORE, "readwrite", { durability: "relaxed" });
    const name = `${draft.personId} ${draft.key}`;
    if (!looked.has(name)) await keepNewer(transaction.store, draft);
    looked.add(name);
    // All in one turn: a page that is being left has no other.
    const steps: Promise<unknown>[] = [transaction.store.put(draft)];
    if (instead !== undefined) steps.push(transaction.store.delete([draft.personId, instead]));
    transaction.commit();
    await Promise.all([...steps, transaction.done]);
  };
  return {
    async read(personId, key) {
      const draft = readRecord(await (await database()).get(STORE, [personId, key]));
      if (draft === null || draft.schema <= SCHEMA) looked.add(`${personId} ${key}`);
      return draft;
    },
    async write(draft, instead) {
      try {
        await write(draft, instead);
        keepsTexts.value = true;
      } catch (error) {
        keepsTexts.value = false;
        throw error;
      }
    },
    async remove(personId, key) {
      await (await database()).delete(STORE, [personId, key]);
    },
    async list() {
      // A browser that opens no storage has none.
      const present = await database().catch(() => null);
      const records = (await present?.getAll(STORE)) ?? [];
      return records.map(readRecord).filter((draft) => draft !== null);
    },
    async wipe(personId) {
      // A browser that opens no storage has nothing to remove.
      const present = await database().catch(() => null);
      await present?.delete(STORE, IDBKeyRange.bound([personId], [personId, []]));
    },
  };
}

interface DraftStore {
  get(key: [string, string]): Promise<LocalDraft | undefined>;
  put(draft: LocalDraft): Promise<unknown>;
}

/** A draft of a newer version of the studio is not written over by an older one: it is set aside (S96). */
async function keepNewer(store: DraftStore, { schema, personId, key }: LocalDraft): Promise<void> {
  const present = await store.get([personId, key]);
  if (present !== undefined && present.schema > schema)
    await store.put({ ...present, key: `aside:${key}:${present.changedAt}`, isAside: true });
}

async function open(closed: () => void): Promise<IDBPDatabase> {
  const settings = {
    upgrade(database: IDBPDatabase) {
      if (!database.objectStoreNames.contains(STORE))
        database.createObjectStore(STORE, { keyPath: ["personId", "key"] });
    },
    terminated: closed,
  };
  try {
    return await openDB(NAME, 1, settings);
  } catch (error) {
    // A newer version of the studio made it. Its drafts are read by what all versions share.
    if (error instanceof DOMException && error.name === "VersionError") return openDB(NAME, undefined, settings);
    throw error;
  }
}
