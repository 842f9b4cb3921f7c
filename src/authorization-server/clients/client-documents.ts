import { LRUCache } from "lru-cache";
import type { Client } from "../../domain/clients/client.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { HostBounds } from "../engine/host-bounds.ts";
import type { OutboundFetch } from "../engine/outbound-fetch.ts";
import { cacheLifetime } from "./cache-lifetime.ts";
import type { CertificateMode } from "./client-certificates.ts";
import { type DescribedClient, describeClient } from "./described-client.ts";
import { type DocumentCopy, isUsable, openDocumentCopies } from "./document-copies.ts";

const MAX_DOCUMENTS = 500;
const MAX_BYTES = 10_000;
const MINUTE = 60_000;
/** How long a document is believed at most, and where its Cache-Control says nothing. */
const [MOST, USUAL] = [24 * 60 * MINUTE, 15 * MINUTE];
/** How long one that could not be read is not asked for again. */
const FAILED = MINUTE;

/** Facts about a client beyond its document. */
interface Asking {
  /** The client as somebody has let it in; null before that. Only then its document is written down. */
  readonly kept: Client | null;
  /** Whether the request at hand has a client assertion. */
  readonly asserts: boolean;
}

/**
 * Clients whose id is the address of a document that describes them (OAuth Client ID Metadata Document). They need no
 * registration, and may do what a client may that registers itself. While a document cannot be read, its last good copy
 * counts for up to 7 days: hosts put bot checks in front of documents, or are away for a while.
 */
export interface ClientDocuments {
  /** Null for a URL without such a document. @throws TooManyCalls where there is no copy, and no fetch now */
  find(id: string, asking: Asking): Promise<Client | null>;
  /** The same without a fetch: null also where there is no copy. */
  recall(id: string, asking: Asking): Promise<Client | null>;
  /** Writes down a client that a person has let in: its tokens belong to it, and the operator sees it. */
  keep(id: string): Promise<void>;
  /** The client has authenticated with an assertion. From now on it must, where its document lets it choose. */
  noteAssertion(id: string): Promise<void>;
}

export interface ClientDocumentsOptions {
  readonly store: Pick<Store, "clients" | "artifacts">;
  readonly sealer: Sealer;
  /** The setting CLIENT_CERTIFICATES. */
  readonly certificates: CertificateMode;
  /** See `assertRedirectUri`. */
  readonly nativeSchemes: readonly string[];
  /** Reaches public addresses only (A37), and follows no redirect. */
  readonly fetch: OutboundFetch;
  readonly bounds: HostBounds;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

interface Document extends DocumentCopy {
  readonly described: DescribedClient;
}

interface Entry {
  readonly read: Promise<Document | null>;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

/** The host has taken the document away, or made it one of no client. */
class Withdrawn extends Error {}

export function openClientDocuments(options: ClientDocumentsOptions): ClientDocuments {
  const { store, sealer, certificates, nativeSchemes, fetch, bounds, log, now } = options;
  const copies = openDocumentCopies(store.artifacts, sealer, now);
  const documents = new LRUCache<string, { document: Document; until: number }>({ max: MAX_DOCUMENTS });
  /** Attempts that are under way or that failed. Apart, so that URLs which nobody answers push no document out. */
  const attempts = new LRUCache<string, Entry>({ max: MAX_DOCUMENTS });
  /** Clients that have used an assertion before somebody let them in. */
  const signers = new LRUCache<string, true>({ max: MAX_DOCUMENTS });

  async function read(id: string, kept: Client | null): Promise<Document | null> {
    const known = documents.get(id);
    if (known !== undefined && isWithin(known.until)) return known.document;
    const attempt = attempts.get(id);
    if (attempt !== undefined && isWithin(attempt.until)) return attempt.read;
    // Others have read it, so the host is one that answers; and nobody has invented its URL.
    const isUnknown = known === undefined;
    const reading = bounds
      .call(id, isUnknown, () => readAnew(id, kept))
      .catch(async (error: unknown) => {
        attempts.delete(id); // it was not asked
        const copy = await lastCopy(id, kept);
        if (copy === null) throw error;
        return copy;
      });
    attempts.set(id, { read: reading, until: now() + FAILED });
    return reading;
  }

  /** In both directions: a clock that is set back must not make a document last (F14). */
  function isWithin(until: number): boolean {
    return now() < until && until - now() <= MOST;
  }

  async function readAnew(id: string, kept: Client | null): Promise<Document | null> {
    let document: Document;
    try {
      const { text, lifetime } = await fetchText(id);
      document = toDocument(id, { text, readAt: now() });
      documents.set(id, { document, until: now() + lifetime });
    } catch (error) {
      log.warn({ event: "client document", clientId: id, reason: (error as Error).message }, "not read");
      if (!(error instanceof Withdrawn)) return lastCopy(id, kept);
      documents.delete(id);
      if (kept !== null) await copies.remove(id);
      return null;
    }
    attempts.delete(id);
    if (kept !== null) await copies.put(id, document);
    return document;
  }

  async function fetchText(id: string) {
    const response = await fetch(id, { method: "GET", headers: { accept: "application/json" } });
    if (response.status === 404 || response.status === 410) throw new Withdrawn(`it answers ${response.status}`);
    if (response.status !== 200) throw new Error(`it answers ${response.status}`);
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? ""))
      throw new Error("it is not JSON");
    const text = await response.text();
    if (text.length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} characters`);
    const lifetime = cacheLifetime(response.headers.get("cache-control"), { most: MOST, usual: USUAL });
    return { text, lifetime };
  }

  function toDocument(id: string, { text, readAt }: DocumentCopy): Document {
    const document = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    // Not the word of the client's host: a page in front of it, or another document.
    if (document?.client_id !== id) throw new Error("its client_id is not its address");
    try {
      return { text, readAt, described: describeClient(id, document, { certificates, nativeSchemes }, readAt) };
    } catch (error) {
      throw new Withdrawn((error as Error).message);
    }
  }

  async function lastCopy(id: string, kept: Client | null): Promise<Document | null> {
    const known = documents.get(id)?.document;
    if (known !== undefined && isUsable(known, now())) return known;
    const copy = kept === null ? null : await copies.find(id);
    return copy === null ? null : toDocument(id, copy);
  }

  /** A client that may choose must sign once it has used an assertion. */
  function choose(id: string, document: Document | null, { kept, asserts }: Asking): Client | null {
    if (document === null) return null;
    const { open, signed } = document.described;
    const isSigner = asserts || kept?.type === "confidential" || signers.has(id);
    return isSigner ? (signed ?? open) : (open ?? signed);
  }

  return {
    find: async (id, asking) => choose(id, await read(id, asking.kept), asking),
    recall: async (id, asking) => choose(id, await lastCopy(id, asking.kept), asking),
    async keep(id) {
      const kept = await store.clients.find(id);
      const document = await read(id, kept);
      const client = choose(id, document, { kept, asserts: false });
      if (document === null || client === null) return;
      await store.clients.put(client);
      await copies.put(id, document);
    },
    async noteAssertion(id) {
      signers.set(id, true);
      const kept = await store.clients.find(id);
      if (kept?.type !== "public") return;
      const signed = choose(id, await lastCopy(id, kept), { kept, asserts: true });
      if (signed !== null) await store.clients.put(signed);
    },
  };
}
