import type { JsonObject } from "../../src/mcp/protocol/service.ts";
import { TOOLS } from "../../src/mcp/tools/content-service.ts";
import { PROMPTS } from "../../src/mcp/tools/prompts.ts";
import { RESOURCE_TEMPLATES } from "../../src/mcp/tools/resources.ts";
import { code, codes, head, type Page, plain, table } from "./markdown.ts";

const INTRODUCTION = `Tools, resources and prompts that agents get at \`/mcp\`. [agents.md](../agents.md) explains how to connect
one, and what each level of access allows.`;

export function toolsPage(): Page {
  const tools = TOOLS.map(({ name, title, description, inputSchema, annotations = {}, scope, outputSchema }) => {
    const properties = Object.entries(
      (inputSchema.properties ?? {}) as Record<string, JsonObject & { description: string }>,
    );
    const required = new Set((inputSchema.required ?? []) as string[]);
    const rows = properties.map(([argument, schema]) => [
      code(argument),
      typeOf(schema),
      required.has(argument) ? "yes" : "",
      plain(schema.description),
    ]);
    const results = Object.entries((outputSchema?.properties ?? {}) as Record<string, JsonObject>);
    const hints = Object.entries(annotations).filter(([, isSo]) => isSo === true);
    return [
      `## ${name}\n`,
      `**${title}.** ${plain(description)}\n`,
      `- Scope: ${scope === null ? "none" : code(scope)}`,
      `- Hints: ${hints.length === 0 ? "none" : codes(hints.map(([hint]) => hint))}`,
      `- Result: ${results.length === 0 ? "text" : codes(results.map(([field]) => field))}\n`,
      table(["argument", "type", "required", "meaning"], rows),
    ].join("\n");
  });
  const resources = RESOURCE_TEMPLATES.map(({ uriTemplate, title, description, mimeType }) => [
    code(uriTemplate),
    title ?? "",
    plain(description ?? ""),
    code(mimeType ?? ""),
  ]);
  const prompts = PROMPTS.map(({ name, description, arguments: args }) => [
    code(name),
    plain(description ?? ""),
    args.map((argument) => `${code(argument.name)}${argument.required === true ? "" : " (optional)"}`).join(", "),
  ]);
  const text = [
    head("Tools for agents", ["src/mcp/tools"], INTRODUCTION),
    ...tools,
    "## Resources\n",
    table(["URI", "title", "meaning", "type"], resources),
    "## Prompts\n",
    table(["prompt", "meaning", "arguments"], prompts),
  ].join("\n");
  return { name: "mcp", text };
}

/** The part of JSON Schema that describes an argument. */
interface Argument {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
}

/** The type of an argument with its bounds. */
function typeOf(schema: JsonObject): string {
  const { type, enum: choices, pattern, ...bounds } = schema as unknown as Argument;
  if (choices !== undefined) return codes(choices);
  const texts = [
    range(bounds.minLength, bounds.maxLength, " characters"),
    range(bounds.minimum, bounds.maximum, ""),
    pattern === undefined ? "" : `pattern ${code(pattern)}`,
  ].filter((text) => text !== "");
  return [code(type), ...texts].join(", ");
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `from ${least}${unit}`;
  return least === undefined ? `up to ${most}${unit}` : `${least} to ${most}${unit}`;
}
