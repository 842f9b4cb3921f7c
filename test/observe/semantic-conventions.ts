/** Attributes that our spans have, with their types, by the OpenTelemetry semantic conventions 1.44. */
export const ATTRIBUTES: Readonly<Record<string, "string" | "number" | "boolean">> = {
  "http.request.method": "string",
  "http.route": "string",
  "http.response.status_code": "number",
  "url.scheme": "string",
  "server.address": "string",
  "server.port": "number",
  "network.protocol.name": "string",
  "error.type": "string",
  "graphql.processing.type": "string",
  "graphql.operation.type": "string",
  "graphql.operation.name": "string",
  "graphql.document": "string",
  "graphql.document.hash": "string",
  "graphql.document.id": "string",
  "db.system.name": "string",
  "db.namespace": "string",
  "db.query.summary": "string",
  "db.query.text": "string",
  "db.operation.batch.size": "number",
  "db.response.returned_rows": "number",
  "db.response.status_code": "string",
  "mcp.method.name": "string",
  "gen_ai.tool.name": "string",
};

type Attributes = Readonly<Record<string, unknown>>;

/** Kinds of spans of the conventions, by what tells them from others. */
export const SPAN_KINDS: readonly { readonly kind: 1 | 2 | 3; isIt(attributes: Attributes): boolean }[] = [
  { kind: 3, isIt: (attributes) => "db.system.name" in attributes },
  { kind: 1, isIt: (attributes) => "graphql.processing.type" in attributes },
  { kind: 2, isIt: (attributes) => "http.route" in attributes },
  { kind: 3, isIt: (attributes) => "server.address" in attributes },
];
