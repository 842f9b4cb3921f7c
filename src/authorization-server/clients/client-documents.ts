import { LRUCache } from "lru-cache";
import { assertClient, type Client, type NewClient } from "../../domain/clients/client.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { HostBounds } from "../engine/host-bounds.ts";
import type { OutboundFetch } from "../engine/outbound-fetch.ts";
import { cacheLifetime } from "./cache-lifetime.ts";
import type { CertificateMode } from "./client-certificates.ts";
import { readClientMetadata } from "./client-metadata.ts";

const SECRETS: ReadonlySet<string> = new Set(["client_secret_basic", "client_secret_post"]);

const MAX_DOCUMENTS = 500;
const MAX_BYTES = 10_000;
const MINUTE = 60_000;
/** How long a document is believed at most, and where its Cache-Control says nothing. */
const [MOST, USUAL] = [24 * 60 * MINUTE, 15 * MINUTE];
/** How long one that could not be read is not asked for again. */
const FAILED = MINUTE;

/**
 * Clients whose id is the address of a document that describes them (OAuth Client ID Metadata Document). They need no
 * registration, are public, and may do what a client may that registers itself.
 */
export interface ClientDocuments {
  /** Null for a URL without such a document. @throws TooManyCalls where the document is not known and may not be fetched now */
  find(id: string): Promise<Client | null>;
  /** Writes down a client that a person has let in: its tokens belong to it, and the operator sees it. */
  keep(id: string): Promise<void>;
}

export interface ClientDocumentsOptions {
  readonly store: Store;
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

interface Entry {
  readonly read: Promise<Client | null>;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

export function openClientDocuments(options: ClientDocumentsOptions): ClientDocuments {
  const { store, certificates, nativeSchemes, fetch, bounds, log, now } = options;
  const documents = new LRUCache<string, Entry>({ max: MAX_DOCUMENTS });
  /** Apart, so that URLs which nobody answers push no document out. */
  const failures = new LRUCache<string, Entry>({ max: MAX_DOCUMENTS });

  async function find(id: string): Promise<Client | null> {
    const cached = fresh(documents.get(id)) ?? fresh(failures.get(id));
    if (cached !== null) return cached.read;
    // Others have read it, so the host is one that answers; and nobody has invented its URL.
    const isUnknown = !documents.has(id);
    const entry = { read: bounds.call(id, isUnknown, () => read(id)), until: now() + FAILED };
    failures.set(id, entry);
    entry.read.catch(() => failures.delete(id)); // it was not asked
    return entry.read;
  }

  /** In both directions: a clock that is set back must not make a document last (F14). */
  function fresh(entry: Entry | undefined): Entry | null {
    return entry !== undefined && now() < entry.until && entry.until - now() <= MOST ? entry : null;
  }

  async function read(id: string): Promise<Client | null> {
    try {
      const response = await fetch(id, { method: "GET", headers: { accept: "application/json" } });
      if (response.status !== 200) throw new Error(`it answers ${response.status}`);
      if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers.get("content-type") ?? ""))
        throw new Error("it is not JSON");
      const text = await response.text();
      if (text.length > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} characters`);
      const client = describe(id, JSON.parse(text));
      const lifetime = cacheLifetime(response.headers.get("cache-control"), { most: MOST, usual: USUAL });
      documents.set(id, { read: Promise.resolve(client), until: now() + lifetime });
      failures.delete(id);
      return client;
    } catch (error) {
      log.warn({ event: "client document", clientId: id, reason: (error as Error).message }, "not read");
      return null;
    }
  }

  function describe(id: string, document: unknown): Client {
    const { authentication, ...described } = readClientMetadata(document, "none", { certificates, nativeSchemes });
    const { client_id: own, client_secret: secret } = document as { client_id?: unknown; client_secret?: unknown };
    if (own !== id) throw new Error("its client_id is not its address");
    if (secret !== undefined || SECRETS.has(authentication))
      throw new Error("a secret that everybody can read is none");
    const client = {
      ...described,
      id,
      type: authentication === "none" ? "public" : "confidential",
      secretHash: null,
      firstParty: false,
      origin: "document",
      registrationTokenHash: null,
    } as const satisfies NewClient;
    assertClient(client, nativeSchemes);
    return {
      ...client,
      backchannelLogoutUri: null,
      resourceServer: null,
      createdAt: new Date(now()).toISOString(),
      disabledAt: null,
    };
  }

  return {
    find,
    async keep(id) {
      const client = await find(id);
      if (client !== null) await store.clients.put(client);
    },
  };
}
