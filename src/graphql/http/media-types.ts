/** Media types of answers (GraphQL over HTTP, section 4.2). */
export type ResponseType = "application/graphql-response+json" | "application/json";

const GRAPHQL = "application/graphql-response+json";
const JSON_TYPE = "application/json";

interface Accepted {
  /** null when the client accepts neither form of JSON. */
  readonly response: ResponseType | null;
  /** Whether a page is liked better than JSON, as browsers do. */
  readonly html: boolean;
  /** Whether Server-Sent Events are among what is accepted. */
  readonly eventStream: boolean;
}

const WHATEVER: Accepted = { response: JSON_TYPE, html: false, eventStream: false };

/** Clients repeat themselves: a few headers make up all traffic. */
const known = new Map<string, Accepted>();
const KNOWN_LIMIT = 100;
/** The header that came last: comparing costs a twentieth of looking it up (measured). */
let last: { readonly accept: string; readonly accepted: Accepted } | null = null;

/** Reads an `Accept` header (RFC 9110 section 12.5.1). */
export function negotiate(accept: string | undefined): Accepted {
  if (accept === undefined) return WHATEVER;
  if (accept === last?.accept) return last.accepted;
  const accepted = known.get(accept) ?? judge(accept);
  if (known.size < KNOWN_LIMIT && accept.length < 300) known.set(accept, accepted);
  last = { accept, accepted };
  return accepted;
}

function judge(accept: string): Accepted {
  const qualities = readQualities(accept);
  const quality = (type: string, group: string) =>
    qualities.get(type) ?? qualities.get(`${group}/*`) ?? qualities.get("*/*") ?? 0;
  const json = quality(JSON_TYPE, "application");
  const graphql = quality(GRAPHQL, "application");
  const html = qualities.get("text/html") ?? 0;
  return {
    response: choose(json, graphql, qualities.has(GRAPHQL)),
    html: html > json && html > graphql,
    eventStream: (qualities.get("text/event-stream") ?? 0) > 0, // named: a wildcard means an answer that ends
  };
}

/** A wildcard means plain JSON, which every client understands; only who names the newer type gets it. */
function choose(json: number, graphql: number, named: boolean): ResponseType | null {
  if (named && graphql > 0 && graphql >= json) return GRAPHQL;
  if (json > 0) return JSON_TYPE;
  return graphql > 0 ? GRAPHQL : null;
}

function readQualities(accept: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (type !== "" && quality >= 0 && quality <= 1) qualities.set(type, quality);
  }
  return qualities;
}

/** Only JSON in UTF-8 (RFC 8259): whatever a form or a `no-cors` script can send is not it, which keeps forgery out. */
export function isJsonContent(contentType: string | undefined): boolean {
  if (contentType === JSON_TYPE) return true;
  if (contentType === undefined || !/^application\/json[ \t]*(;|$)/i.test(contentType)) return false;
  const charset = /;[ \t]*charset[ \t]*=[ \t]*"?([^";, \t]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** HEAD is answered as GET; the transport leaves out the body (RFC 9110 section 9.3.2). */
export function isGet(method: string): boolean {
  return method === "GET" || method === "HEAD";
}
