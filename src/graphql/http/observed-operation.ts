import type { Viewer } from "../../domain/viewer.ts";
import { documentHash } from "../../observe/document-hash.ts";
import { attributesJson } from "../../observe/otlp-spans.ts";
import { currentRecord, type RequestRecord } from "../../observe/request-record.ts";
import { serverTiming } from "../../observe/server-timing.ts";
import { type AttributesJson, KIND, type Span } from "../../observe/span.ts";
import type { Operation } from "../plan/operation.ts";
import type { GraphQLResponse, RequestHead } from "./messages.ts";

/** Characters of an operation's name in the log and in traces. */
const MOST_NAME = 100;

export interface ObservedSettings {
  /** Whether traces have the text of documents. */
  readonly OTEL_GRAPHQL_DOCUMENT?: boolean;
  readonly SERVER_TIMING?: "off" | "on";
}

/** An operation once its document is known. */
interface Planned {
  readonly type: string;
  readonly document: string;
  readonly documentId: string | null;
}

/** Notes of one operation what the record of its request is to have. */
export class ObservedOperation {
  readonly #record: RequestRecord;
  readonly #settings: ObservedSettings;
  #beganAt = 0;
  #span: Span | null = null;
  #planned: Planned | null = null;

  constructor(record: RequestRecord, settings: ObservedSettings) {
    this.#record = record;
    this.#settings = settings;
  }

  /** To be called when the viewer is known. */
  begin({ scopes }: Viewer): void {
    this.#beganAt = performance.now();
    this.#record.errorCode = null;
    if (this.#settings.SERVER_TIMING === "on" && scopes.has("admin")) this.#record.showsTimes = true;
    this.#span = this.#record.begin("GraphQL Operation", KIND.internal, this.#beganAt);
  }

  /**
   * @param documentId identifier by which the client named the document
   * @param isNew whether parsing or planning was done for this request
   */
  planned(
    { type, name }: Pick<Operation, "type" | "name">,
    document: string,
    documentId: string | null,
    isNew: boolean,
  ) {
    const record = this.#record;
    this.#planned = { type, document, documentId };
    record.operationType = type;
    record.operationName = name?.slice(0, MOST_NAME) ?? null;
    record.document = document;
    if (this.#span !== null) this.#span.name = type;
    if (!isNew) return;
    record.planMs += performance.now() - this.#beganAt;
    record.add("parse+plan", KIND.internal, this.#beganAt, { attributes: { "graphql.processing.type": "plan" } });
  }

  cost(points: number): void {
    this.#record.cost = points;
  }

  failed(code: string | undefined): void {
    this.#record.errorCode ??= code ?? null;
  }

  end(response: GraphQLResponse): GraphQLResponse {
    const record = this.#record;
    if (this.#span !== null) record.end(this.#span, { attributes: this.#attributes(), error: record.errorCode });
    if (!record.showsTimes) return response;
    return { ...response, headers: { ...response.headers, "server-timing": serverTiming(record) } };
  }

  #attributes(): AttributesJson {
    const cost = `{"key":"content_api.cost","value":{"intValue":"${this.#record.cost}"}}`;
    const planned = this.#planned;
    if (planned === null) return `${REQUEST},${cost}`;
    const { type, document, documentId } = planned;
    const { operationName: name } = this.#record;
    const shown = this.#settings.OTEL_GRAPHQL_DOCUMENT ? document : undefined;
    const own = attributesJson({
      ...{ "graphql.operation.type": type, "graphql.operation.name": name ?? undefined },
      ...{ "graphql.document.hash": documentHash(document), "graphql.document.id": documentId ?? undefined },
      "graphql.document": shown,
    });
    return `${REQUEST},${cost},${own}`;
  }
}

const REQUEST: AttributesJson = attributesJson({ "graphql.processing.type": "request" });

/** Null where nothing is noted. */
export function observeOperation(settings: ObservedSettings): ObservedOperation | null {
  const record = currentRecord();
  return record === undefined ? null : new ObservedOperation(record, settings);
}

type Authenticate = (head: RequestHead) => Viewer | Promise<Viewer>;

/** Notes how long it takes to verify a token that is not in the cache. */
export function observedAuthenticate(authenticate: Authenticate): Authenticate {
  return (head) => {
    const record = currentRecord();
    if (record === undefined) return authenticate(head);
    const span = record.begin("token verify");
    let viewer: Viewer | Promise<Viewer>;
    try {
      viewer = authenticate(head);
    } catch (error) {
      record.cancel(span);
      throw error;
    }
    if (!(viewer instanceof Promise)) {
      record.cancel(span);
      return viewer;
    }
    const startedAt = span?.startedAt ?? performance.now();
    const ended = (error: string | null) => {
      record.authMs += performance.now() - startedAt;
      record.end(span, { error });
    };
    return viewer.then(
      (known) => {
        ended(null);
        return known;
      },
      (error: unknown) => {
        ended((error as { code?: string }).code ?? "_OTHER");
        throw error;
      },
    );
  };
}
