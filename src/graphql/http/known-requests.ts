import { ClockCache } from "../../domain/clock-cache.ts";
import { type Parameters, parametersOf, parametersOfBody, parametersOfUrl } from "../documents/parameters.ts";
import type { PersistedDocuments } from "../documents/persisted-documents.ts";
import type { Operations } from "../plan/operation.ts";
import { AskedOperation } from "./asked-operation.ts";
import { isGet } from "./media-types.ts";
import type { GraphQLRequest } from "./messages.ts";

/** Limit of what is remembered, in bytes, about; `ENTRY` is what each takes beside its body. */
const LIMIT = 16 * 1_048_576;
const ENTRY = 800;
/** Bytes of the longest body that is remembered. */
const LONGEST = 4_096;

/** The requests that clients send again and again, byte for byte: what each asks for is found without reading it. */
export class KnownRequests {
  readonly #operations: Operations;
  readonly #documents: PersistedDocuments;
  readonly #known = new ClockCache<AskedOperation>(LIMIT, (body) => body.length + ENTRY);
  /** `Operations.forgotten` as of the last look. */
  #forgotten = 0;

  constructor(operations: Operations, documents: PersistedDocuments) {
    this.#operations = operations;
    this.#documents = documents;
  }

  /** @throws AppError BAD_REQUEST, BAD_USER_INPUT, PERSISTED_QUERY_NOT_FOUND; DocumentError */
  ask(request: GraphQLRequest): AskedOperation {
    const body = shortBody(request);
    return (body === null ? undefined : this.#find(body)) ?? this.#read(request, body);
  }

  /** Remembers what nothing was wrong with, if it is the same each time. */
  keep(asked: AskedOperation): void {
    const { body, isKept } = asked;
    if (isKept || body === null || !asked.isRepeatable) return;
    asked.isKept = true;
    this.#known.keep(body, asked);
  }

  clear(): void {
    this.#known.clear();
  }

  /** Whoever remembers a request also holds its document and its plan. Their number is limited elsewhere, and that must stay so. */
  #find(body: string): AskedOperation | undefined {
    const { forgotten } = this.#operations;
    if (forgotten !== this.#forgotten) this.#known.clear();
    this.#forgotten = forgotten;
    return this.#known.find(body);
  }

  #read({ method, url, body, own }: GraphQLRequest, shortBody: string | null): AskedOperation {
    let parameters: Parameters;
    if (own !== undefined) parameters = parametersOf(own);
    else parameters = isGet(method) ? parametersOfUrl(url) : parametersOfBody(body);
    const document = this.#documents.find(parameters, own !== undefined);
    const operation = this.#operations.find(document, parameters.operationName);
    return new AskedOperation(shortBody, parameters, document, operation);
  }
}

/** A character for each byte; null for what is not remembered. */
function shortBody({ method, body, own }: GraphQLRequest): string | null {
  return method !== "POST" || own !== undefined || body === null || body.length > LONGEST
    ? null
    : body.toString("latin1");
}
