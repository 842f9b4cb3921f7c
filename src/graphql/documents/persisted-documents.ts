import { LRUCache } from "lru-cache";
import { AppError } from "../../domain/errors.ts";
import { appEntry, DocumentError } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import { documentId, type TrustedDocuments } from "./trusted-documents.ts";

/** How many characters of documents are remembered for clients that register them. */
const REGISTERED_CHARACTERS = 8 * 1024 * 1024;

/** The document of a request, and a callback for valid ones. */
export interface FoundDocument {
  readonly text: string;
  /** The identifier under which the client wants it kept; null when there is nothing to keep. */
  readonly register: string | null;
  /** Whether the program has it itself: its own pages and its tools for agents. */
  readonly isOwn: boolean;
}

/**
 * Finds the document that a request means: written out, by identifier (GraphQL over HTTP, appendix A), or by Apollo's
 * automatic persisted queries, where a client sends the digest first and the document only when nobody knows it.
 */
export class PersistedDocuments {
  readonly #trusted: TrustedDocuments;
  /** Names by text: that of its file, or an empty one. */
  readonly #trustedTexts: ReadonlyMap<string, string>;
  readonly #findOwn: (id: string) => string | undefined;
  readonly #registered = new LRUCache<string, string>({
    maxSize: REGISTERED_CHARACTERS,
    sizeCalculation: (text) => text.length + 1,
  });

  /** @param findOwn finds documents of the program's own pages, which need no folder */
  constructor(
    trusted: TrustedDocuments = { byId: new Map(), only: false },
    findOwn: (id: string) => string | undefined = () => undefined,
  ) {
    this.#trusted = trusted;
    this.#findOwn = findOwn;
    const texts = new Map<string, string>();
    for (const [id, text] of trusted.byId) texts.set(text, id.startsWith("sha256:") ? (texts.get(text) ?? "") : id);
    this.#trustedTexts = texts;
  }

  /**
   * @param isTrusted whether a document that is written out needs no identifier
   * @throws AppError BAD_REQUEST, PERSISTED_QUERY_NOT_FOUND
   */
  find({ query, documentId: id, extensions }: Parameters, isTrusted = false): FoundDocument {
    if (id !== null) return this.#byId(id, query);
    const { persistedQuery } = extensions;
    if (persistedQuery !== undefined && persistedQuery !== null) return this.#automatic(persistedQuery, query);
    if (query === null) throw new AppError("BAD_REQUEST", 'The request has neither "query" nor "documentId".');
    if (!isTrusted) this.#assertAllowed(query);
    return { text: query, register: null, isOwn: isTrusted };
  }

  /** Keeps a document that its client has named and that has turned out to be valid. */
  register({ text, register }: FoundDocument): void {
    if (register !== null) this.#registered.set(register, text);
  }

  /**
   * The name of a document that the operator or the program itself vouches for, empty where it has none of its own; null for
   * documents of clients, whose names are theirs to choose.
   */
  nameOf({ text, isOwn }: FoundDocument): string | null {
    return this.#trustedTexts.get(text) ?? (isOwn ? "" : null);
  }

  #byId(id: string, query: string | null): FoundDocument {
    if (query !== null) throw new AppError("BAD_REQUEST", '"query" and "documentId" exclude each other.');
    const text = this.#trusted.byId.get(id) ?? this.#registered.get(id);
    if (text !== undefined) return { text, register: null, isOwn: false };
    const own = this.#findOwn(id);
    if (own !== undefined) return { text: own, register: null, isOwn: true };
    throw new AppError("PERSISTED_QUERY_NOT_FOUND", "No document has this identifier.");
  }

  #automatic(persistedQuery: unknown, query: string | null): FoundDocument {
    const id = `sha256:${readDigest(persistedQuery)}`;
    const known = this.#trusted.byId.get(id) ?? this.#registered.get(id);
    if (known !== undefined && (query === null || query === known))
      return { text: known, register: null, isOwn: false };
    if (query === null) throw notFound();
    if (documentId(query) !== id) throw new AppError("BAD_REQUEST", "The SHA-256 digest is not that of the query.");
    this.#assertAllowed(query);
    return { text: query, register: id, isOwn: false };
  }

  #assertAllowed(query: string): void {
    if (!this.#trusted.only || this.#trustedTexts.has(query)) return;
    throw new AppError("BAD_REQUEST", "This server runs trusted documents only.");
  }
}

/** Apollo's clients look for this message or code in an answer with status 200, and then send the document. */
function notFound(): DocumentError {
  const error = new AppError("PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound");
  return new DocumentError([appEntry(error)], 200);
}

function readDigest(persistedQuery: unknown): string {
  if (typeof persistedQuery === "object" && persistedQuery !== null && "sha256Hash" in persistedQuery) {
    const { sha256Hash, version } = persistedQuery as { sha256Hash: unknown; version?: unknown };
    if (version === 1 && typeof sha256Hash === "string" && /^[0-9a-f]{64}$/.test(sha256Hash)) return sha256Hash;
  }
  throw new AppError(
    "BAD_REQUEST",
    '"extensions.persistedQuery" must have version 1 and a "sha256Hash" in lower-case hexadecimal.',
  );
}
