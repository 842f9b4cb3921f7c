import { badInput } from "../../domain/errors.ts";
import { assertText } from "../../domain/text.ts";
import type { JsonObject, Tool } from "../protocol/service.ts";

/** The part of JSON Schema that our tools use for one argument. */
interface ArgumentSchema {
  readonly type: "string" | "integer";
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

interface ToolSchema {
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

/**
 * Checks the arguments of a call against the schema that the tool declares, with sentences that a model can act on.
 *
 * @throws AppError BAD_USER_INPUT for the first rule broken
 */
export function checkArguments({ name, inputSchema }: Pick<Tool, "name" | "inputSchema">, args: JsonObject): void {
  const { properties, required = [] } = inputSchema as unknown as ToolSchema;
  for (const argument of Object.keys(args)) {
    if (Object.hasOwn(properties, argument)) continue;
    const known = Object.keys(properties).join(", ");
    const takes = known === "" ? "It takes none." : `It takes ${known}.`;
    throw badInput(shortened(argument), `${name} has no argument ${JSON.stringify(shortened(argument))}. ${takes}`);
  }
  for (const argument of required)
    if (args[argument] === undefined) throw badInput(argument, `${name} needs the argument ${argument}.`);
  for (const argument of Object.keys(args)) {
    const value = args[argument];
    if (value !== undefined) checkArgument(argument, properties[argument] as ArgumentSchema, value);
  }
}

function checkArgument(name: string, schema: ArgumentSchema, value: unknown): void {
  const { minLength = 0, maxLength = Number.MAX_SAFE_INTEGER, pattern } = schema;
  const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema;
  if (schema.type === "integer") {
    if (!Number.isSafeInteger(value)) throw badInput(name, `${name} must be a whole number.`);
    if ((value as number) < minimum) throw badInput(name, `${name} must be at least ${minimum}.`);
    if ((value as number) > maximum) throw badInput(name, `${name} must be at most ${maximum}.`);
    return;
  }
  if (typeof value !== "string") throw badInput(name, `${name} must be a string.`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    throw badInput(name, `${name} must be one of ${schema.enum.join(", ")}.`);
  assertText(name, value, { min: minLength, max: maxLength });
  if (pattern !== undefined && !regExpOf(pattern).test(value))
    throw badInput(name, `${name} must match the pattern ${pattern}.`);
}

/** Patterns of our own tools, each compiled once. */
const regExps = new Map<string, RegExp>();

function regExpOf(pattern: string): RegExp {
  let regExp = regExps.get(pattern);
  if (regExp === undefined) {
    regExp = new RegExp(pattern, "u");
    regExps.set(pattern, regExp);
  }
  return regExp;
}

/** Names come from the caller, and may be long. */
function shortened(name: string): string {
  return name.length > 64 ? `${name.slice(0, 64)}…` : name;
}
