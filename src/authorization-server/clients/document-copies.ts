import { LRUCache } from "lru-cache";
import type { ArtifactStore } from "../../domain/store/artifacts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";

/** The kind of its artifacts. */
const COPY = "ClientDocument";

const DAY = 86_400_000;
/** Milliseconds for which a document counts while it cannot be read again. */
const KEPT = 7 * DAY;
/** Milliseconds after which a copy that has not changed is written again. */
const WRITTEN_AGAIN = DAY;
const MAX_WRITTEN = 500;

/** A document that was read, as its text. */
export interface DocumentCopy {
  readonly text: string;
  /** Milliseconds of Unix time. */
  readonly readAt: number;
}

/** Whether a copy still counts. In both directions: a clock that is set back must not make it last (F14). */
export function isUsable({ readAt }: DocumentCopy, now: number): boolean {
  return Math.abs(now - readAt) < KEPT;
}

/** The last good copies of documents, in the database: a restart loses none, and every process has them. */
export interface DocumentCopies {
  /** Null without one that counts. */
  find(id: string): Promise<DocumentCopy | null>;
  /** Writes a copy where the stored one differs, or is a day older. */
  put(id: string, copy: DocumentCopy): Promise<void>;
  remove(id: string): Promise<void>;
}

export function openDocumentCopies(
  artifacts: Pick<ArtifactStore, "find" | "put" | "destroy">,
  sealer: Sealer,
  now: () => number,
): DocumentCopies {
  /** As this process has written them. */
  const written = new LRUCache<string, DocumentCopy>({ max: MAX_WRITTEN });
  return {
    async find(id) {
      const idHash = hashToken(id);
      const artifact = await artifacts.find(COPY, idHash);
      const opened = artifact === null ? null : sealer.open(artifact.payload, `${COPY} ${idHash}`);
      const copy = opened === null ? null : (JSON.parse(opened) as DocumentCopy);
      return copy !== null && isUsable(copy, now()) ? copy : null;
    },
    async put(id, copy) {
      const last = written.get(id);
      if (last?.text === copy.text && Math.abs(copy.readAt - last.readAt) < WRITTEN_AGAIN) return;
      const idHash = hashToken(id);
      const none = { grantId: null, userId: null, scope: null, uidHash: null, userCodeHash: null };
      await artifacts.put({
        ...{ kind: COPY, idHash, clientId: id, ...none },
        payload: sealer.seal(JSON.stringify(copy), `${COPY} ${idHash}`),
        expiresAtSeconds: Math.ceil((copy.readAt + KEPT) / 1_000),
        consumedAtSeconds: null,
      });
      written.set(id, copy);
    },
    async remove(id) {
      written.delete(id);
      await artifacts.destroy(COPY, hashToken(id));
    },
  };
}
