import { mutateText, oddText, oddValue } from "./mutate.ts";
import type { Random } from "./random.ts";

/** A request as the corpus has it: lines of its head without `Content-Length`, and its body. */
export interface RequestText {
  readonly head: string;
  readonly body: string;
}

export function readRequest(text: string): RequestText {
  const end = text.indexOf("\n\n");
  if (end === -1) return { head: text.trimEnd(), body: "" };
  return { head: text.slice(0, end), body: text.slice(end + 2).replace(/\n$/, "") };
}

/** Headers that change how the same request is read. */
const HEADERS = [
  ...["Accept: text/event-stream", "Accept: application/json;q=nan", "Accept: */*", "Accept: text/html", "Accept:"],
  ...[
    "Content-Type: text/plain",
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Type: application/json; charset=x",
  ],
  ...[
    "Content-Type: application/x-www-form-urlencoded",
    "Content-Encoding: gzip",
    "Content-Type:",
    "Expect: 100-continue",
  ],
  ...["Origin: null", "Origin: https://evil.example", "Origin: http://[", "If-None-Match: *", 'If-None-Match: W/"x"'],
  ...[
    "Authorization: Basic Og==",
    "Authorization: Basic %%%",
    "Authorization: Bearer",
    "Authorization: DPoP x",
    "DPoP: a.b.c",
  ],
  ...[
    "Cookie: a=b; a=c; =; __Host-session=%ff",
    "X-Forwarded-For: ::1, x",
    "Forwarded: for=_x;host=",
    "Range: bytes=0-1",
  ],
  ...[
    "Idempotency-Key: x",
    "Traceparent: 00-0-0-00",
    "X-Request-Id: \x7f",
    "Host: evil.example",
    "Connection: keep-alive",
  ],
  ...[
    "Sec-Fetch-Site: cross-site",
    "Accept-Language: xx-\xff",
    "Referer: http://[",
    "Last-Event-ID: x",
    "Upgrade: websocket",
  ],
];

/** Most changes go to what a handler reads: the body, else the query. */
export function mutateRequest(
  random: Random,
  { head, body }: RequestText,
  others: readonly RequestText[],
): RequestText {
  const place = random.below(10);
  if (body !== "" && place < 7) return { head, body: mutateBody(random, body, others) };
  if (place < 8) return { head: mutateTarget(random, head, others), body };
  return { head: mutateHeaders(random, head, others), body };
}

function mutateBody(random: Random, body: string, others: readonly RequestText[]): string {
  if (random.is(0.6)) {
    const value = jsonOf(body);
    if (value !== undefined) return JSON.stringify(mutateValue(random, value));
    if (/^[^\s=]+=/.test(body)) return mutatePairs(random, body);
  }
  const bodies = others.map((other) => other.body);
  return mutateText(random, body, bodies);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Another value at one place, a member less or one more; texts are changed as texts. */
function mutateValue(random: Random, value: unknown): unknown {
  if (typeof value === "string" && random.is(0.6)) return mutateText(random, value, [value]);
  if (Array.isArray(value) && value.length > 0 && random.is(0.8)) {
    const at = random.below(value.length);
    if (random.is(0.2)) return value.toSpliced(at, 1);
    if (random.is(0.2)) return [...value, ...value];
    return value.with(at, mutateValue(random, value[at]));
  }
  if (typeof value === "object" && value !== null && random.is(0.9)) {
    const names = Object.keys(value);
    if (names.length > 0 && random.is(0.85)) {
      const name = random.pick(names);
      const { [name]: member, ...rest } = value as Record<string, unknown>;
      return random.is(0.15) ? rest : { ...value, [name]: mutateValue(random, member) };
    }
    return { ...value, [oddText(random)]: oddValue(random) };
  }
  return oddValue(random);
}

/** Parameters of a form or a query: one is missing, comes twice, or has another name or value. */
function mutatePairs(random: Random, text: string): string {
  const pairs = text.split("&");
  const at = random.below(pairs.length);
  const pair = pairs[at] ?? "";
  const equals = pair.includes("=") ? pair.indexOf("=") : pair.length;
  const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
  const odd = random.is(0.5) ? oddText(random) : encodeURIComponent(Buffer.from(oddText(random), "latin1").toString());
  switch (random.below(6)) {
    case 0:
      return pairs.toSpliced(at, 1).join("&");
    case 1:
      return [...pairs, pair].join("&");
    case 2:
      return [...pairs, `${name}=${odd}`].join("&");
    case 3:
      return pairs.with(at, `${name}=${mutateText(random, value, pairs)}`).join("&");
    case 4:
      return pairs.with(at, `${mutateText(random, name, pairs)}=${value}`).join("&");
    default:
      return pairs.with(at, `${name}=${odd}`).join("&");
  }
}

function mutateTarget(random: Random, head: string, others: readonly RequestText[]): string {
  const [line = "", ...headers] = head.split("\n");
  const [method = "", target = "", version = ""] = line.split(" ");
  const query = target.indexOf("?");
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
  let changed = target;
  if (query !== -1 && random.is(0.8))
    changed = target.slice(0, query + 1) + mutatePairs(random, target.slice(query + 1));
  else
    changed = mutateText(
      random,
      target,
      others.map((other) => other.head),
    );
  const other = random.is(0.15) ? random.pick(methods) : method;
  return [`${other} ${changed.replaceAll(/[ \r\n]/g, "%20")} ${version}`, ...headers].join("\n");
}

function mutateHeaders(random: Random, head: string, others: readonly RequestText[]): string {
  const [line = "", ...headers] = head.split("\n");
  const at = random.below(headers.length);
  const header = headers[at] ?? "";
  const colon = header.indexOf(":") + 1;
  const value = mutateText(
    random,
    header.slice(colon),
    others.map((other) => other.head),
  );
  switch (random.below(4)) {
    case 0:
      return [line, ...headers.toSpliced(at, 1)].join("\n");
    case 1:
      return [line, ...headers, random.pick(HEADERS)].join("\n");
    case 2: {
      const added = random.pick(HEADERS);
      const name = added.slice(0, added.indexOf(":"));
      return [line, ...headers.filter((one) => !one.startsWith(`${name}:`)), added].join("\n");
    }
    default:
      return [line, ...headers.toSpliced(at, 1, header.slice(0, colon) + value.replaceAll(/[\r\n]/g, ""))].join("\n");
  }
}
