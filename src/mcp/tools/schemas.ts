import type { JsonObject, Tool } from "../protocol/service.ts";

/** Characters of an id, and of a cursor. */
const [ID, CURSOR] = [64, 1_000];

export function text(description: string, minLength: number, maxLength: number): JsonObject {
  return { type: "string", description, minLength, maxLength };
}

export function integer(description: string, minimum: number, maximum?: number): JsonObject {
  return { type: "integer", description, minimum, ...(maximum === undefined ? {} : { maximum }) };
}

export function id(description: string): JsonObject {
  return text(description, 1, ID);
}

export const CURSOR_ARGUMENT = text("`nextCursor` of the page before.", 1, CURSOR);

export function input(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }), additionalProperties: false };
}

export function output(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required };
}

export function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

export const STRING = { type: "string" } as const;
export const INTEGER = { type: "integer" } as const;
export const PERSON = output({ id: STRING, name: STRING }, ["id", "name"]);
export const POST_STATUSES = ["DRAFT", "PUBLISHED", "ARCHIVED"] as const;

type Annotations = NonNullable<Tool["annotations"]>;

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Every change here has the same effect when it is made twice: by its key, its version, or its end. */
export const WRITES: Annotations = { ...READS, readOnlyHint: false };
