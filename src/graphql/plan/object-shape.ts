import { getNamedType, isObjectType } from "graphql";
import type { Selected, Selector } from "./selector.ts";

/** Selected fields of an object, in the order of the answer. */
export interface Shape {
  readonly typeName: string;
  readonly fields: readonly {
    /** Text before the value in the answer: comma, key and colon. */
    readonly prefix: string;
    readonly name: string;
    /** null for a leaf. */
    readonly shape: Shape | null;
  }[];
}

/** Plans what is selected of a field: nothing, unless its type is an object or a list of them. */
export function shapeOf(field: Selected, selector: Selector): Shape {
  const type = getNamedType(field.definition.type);
  const typeName = type.name;
  if (!isObjectType(type)) return { typeName, fields: [] };
  const fields = selector.select(typeName, field.nodes).map((part, index) => ({
    prefix: `${index === 0 ? "" : ","}"${part.key}":`,
    name: part.name,
    shape: isObjectType(getNamedType(part.definition.type)) ? shapeOf(part, selector) : null,
  }));
  return { typeName, fields };
}

/** An object whose properties have the names of the fields; what is left out is null. */
export type Value = Readonly<Record<string, unknown>>;

/** JSON text of what is selected of a value. */
export function toJson(value: Value | readonly Value[] | string | null | undefined, shape: Shape): string {
  if (value == null) return "null";
  if (typeof value === "string") return JSON.stringify(value);
  if (isList(value)) return `[${value.map((each) => toJson(each, shape)).join(",")}]`;
  const parts = shape.fields.map(({ prefix, name, shape: inner }) => {
    if (name === "__typename") return `${prefix}"${shape.typeName}"`;
    const part = value[name];
    return prefix + (inner === null ? JSON.stringify(part ?? null) : toJson(part as Value | null, inner));
  });
  return `{${parts.join("")}}`;
}

function isList(value: Value | readonly Value[]): value is readonly Value[] {
  return Array.isArray(value);
}
