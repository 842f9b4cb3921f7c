/* Forms of OpenAPI 3.1 that this document uses, and how to write them shortly. */

/** A JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly Schema[];
}

export type Method = "get" | "post" | "put" | "patch" | "delete";

type PathItem = Readonly<Partial<Record<Method, Operation>>>;

export type Paths = Readonly<Record<string, PathItem>>;

/** A request that no endpoint sees. */
export const MALFORMED = "The head of the request is malformed, such as one with two `Host` lines.";

/** A schema of components. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An answer with a JSON body. @param type another media type, or several */
export function json(
  description: string,
  schema: Schema,
  type: string | readonly string[] = "application/json",
): Response {
  const types = typeof type === "string" ? [type] : type;
  return { description, content: Object.fromEntries(types.map((one) => [one, { schema }])) };
}

/** An answer that people read: a page. */
export function page(description: string): Response {
  return { description, content: { "text/html": { schema: { type: "string" } } } };
}

/** An error that people read as a page, and programs as JSON. */
export function errorPage(description: string): Response {
  return {
    description,
    content: { "text/html": { schema: { type: "string" } }, "application/json": { schema: ref("OAuthError") } },
  };
}

/** An answer without a body that anybody reads. */
export function empty(description: string): Response {
  return { description };
}

export function text(description: string, type = "text/plain"): Response {
  return { description, content: { [type]: { schema: { type: "string" } } } };
}

export function redirect(description: string): Response {
  return withHeaders({ description }, { location: "URL to go on at." });
}

/** The answer with headers that it always has, each with its meaning. */
function withHeaders(response: Response, headers: Readonly<Record<string, string>>): Response {
  const described = Object.entries(headers).map(([name, description]) => [
    name,
    { description, required: true, schema: { type: "string" } },
  ]);
  return { ...response, headers: { ...response.headers, ...Object.fromEntries(described) } };
}

/** Rejects a request, and says when to try again. */
export function later(response: Response): Response {
  return withHeaders(response, { "retry-after": "Seconds until another attempt makes sense." });
}

/** Asks for a token, or for another one. */
export function challenged(response: Response): Response {
  return withHeaders(response, {
    "www-authenticate": "The kind of token that is needed, and why this one does not do.",
  });
}

/** An object of these properties and no others; all are there but for those that are named. */
export function exactly(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

/** An object that may grow. */
export function atLeast(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

export function string(description: string, more: Schema = {}): Schema {
  return { type: "string", description, ...more };
}

export function integer(description: string, more: Schema = {}): Schema {
  return { type: "integer", description, ...more };
}

export function boolean(description: string): Schema {
  return { type: "boolean", description };
}

export function listOf(items: Schema, description?: string): Schema {
  return { type: "array", items, ...(description === undefined ? {} : { description }) };
}

export const texts = listOf({ type: "string" });

/** A form as clients send it. */
export function form(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return {
    required: true,
    content: {
      "application/x-www-form-urlencoded": {
        schema: { type: "object", properties, ...(required.length === 0 ? {} : { required }) },
      },
    },
  };
}

export function query(
  name: string,
  description: string,
  required = false,
  schema: Schema = { type: "string" },
): Schema {
  return { name, in: "query", description, required, schema };
}

export function inPath(name: string, description: string): Schema {
  return { name, in: "path", description, required: true, schema: { type: "string" } };
}
