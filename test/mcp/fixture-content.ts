import type { Content, JsonObject } from "../../src/mcp/protocol/service.ts";

/** Contents that the conformance suite wants to see, as small as they can be. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

export function text(value: string): Content {
  return { type: "text", text: value };
}

export const image: Content = { type: "image", data: PNG, mimeType: "image/png" };
export const audio: Content = { type: "audio", data: WAV, mimeType: "audio/wav" };

export function embedded(uri: string, mimeType: string, value: string): Content {
  return { type: "resource", resource: { uri, mimeType, text: value } };
}

/** Contents of the resource; null where there is none. */
export function resourceAt(uri: string): JsonObject | null {
  if (uri === "test://static-text" || uri === "test://watched-resource")
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PNG };
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  if (id === undefined) return null;
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: "application/json", text: data };
}

export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: "object", properties, required };
}

export function elicitation(message: string, requestedSchema: JsonObject): JsonObject {
  return { method: "elicitation/create", params: { mode: "form", message, requestedSchema } };
}

export function sampling(prompt: string, maxTokens = 100): JsonObject {
  const messages = [{ role: "user", content: text(prompt) }];
  return { method: "sampling/createMessage", params: { messages, maxTokens } };
}

export const ROOTS: JsonObject = { method: "roots/list", params: {} };

/** The schema of `json-schema-2020-12`, which must reach the client as it is. */
export const WIDE_SCHEMA: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const titled = (values: readonly string[]) => values.map((value) => ({ const: value, title: `The ${value}` }));

export const DEFAULTS: JsonObject = object(
  {
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  },
  [],
);

export const ENUMS: JsonObject = object(
  {
    untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
    titledSingle: { type: "string", oneOf: titled(["value1", "value2", "value3"]) },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
    titledMulti: { type: "array", items: { anyOf: titled(["value1", "value2", "value3"]) } },
  },
  [],
);
