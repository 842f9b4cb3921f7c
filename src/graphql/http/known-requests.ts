import { ClockCache } from "../../domain/clock-cache.ts";
import { type Parameters, parametersOf, parametersOfBody, parametersOfUrl } from "../documents/parameters.ts";
import type { PersistedDocuments } from "../documents/persisted-documents.ts";
import type { Operations } from "../plan/operation.ts";
import { AskedOperation } from "./asked-operation.ts";
import { isGet } from "./media-types.ts";
import type { GraphQLRequest } from "./messages.ts";

/** Limit of what is remembered, in bytes, about; `ENTRY` is what each takes beside its body. */
const LIMIT = 16 * 1_048_576;
const ENTRY = 1_000;
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
    const body = bodyToRemember(request);
    const known = body === null ? undefined : this.#find(body);
    if (known === undefined) return this.#read(request, body);
    known.isRepeated = true;
    return known;
  }

  /** Remembers what nothing was wrong with, if it is the same each time. */
  keep(asked: AskedOperation): void {
    const { body, isRepeated } = asked;
    if (!isRepeated && body !== null && asked.isRepeatable) this.#known.keep(body, asked);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#known.clear();
  }

  /** A remembered request holds its document and its plan. Where those are dropped for lack of room, it is dropped too. */
  #find(body: string): AskedOperation | undefined {
    const { forgotten } = this.#operations;
    if (forgotten !== this.#forgotten) this.#known.clear();
    this.#forgotten = forgotten;
    return this.#known.find(body);
  }

  #read({ method, url, body, own }: GraphQLRequest, toRemember: string | null): AskedOperation {
    let parameters: Parameters;
    if (own !== undefined) parameters = parametersOf(own);
    else parameters = isGet(method) ? parametersOfUrl(url) : parametersOfBody(body);
    const document = this.#documents.find(parameters, own !== undefined);
    const operation = this.#operations.find(document, parameters.operationName);
    return new AskedOperation(toRemember, parameters, document, operation);
  }
}

/** A character for each byte; null for what is not remembered. */
function bodyToRemember({ method, body, own }: GraphQLRequest): string | null {
  return method !== "POST" || own !== undefined || body === null || body.length > LONGEST
    ? null
    : body.toString("latin1");
}
