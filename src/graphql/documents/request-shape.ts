import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  visit,
} from "graphql";

/**
 * Arguments whose form decides which statement serves: the order of a list, which filters there are, whether it begins at
 * a cursor. If they are variables, an operation has one plan per form.
 */
const SHAPING: ReadonlySet<string> = new Set(["orderBy", "filter", "after", "before", "last"]);

export interface ShapingVariable {
  readonly name: string;
  readonly type: GraphQLInputType;
}

/** The variables of the operation that stand in shaping arguments anywhere in its document. */
export function shapingVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly ShapingVariable[] {
  const names = new Set<string>();
  visit(document, {
    Argument(node) {
      if (!SHAPING.has(node.name.value)) return;
      visit(node, {
        enter(part) {
          if (part.kind === Kind.VARIABLE) names.add(part.name.value);
        },
      });
    },
  });
  return (operation.variableDefinitions ?? []).flatMap(({ variable: { name }, type: node }) => {
    const type = names.has(name.value) ? typeFromAST(schema, node) : undefined;
    return isInputType(type) ? [{ name: name.value, type }] : [];
  });
}

/**
 * Equal for values of a variable that the same plan serves. There are few, whatever callers send: only enums and flags are taken as they are.
 * Null differs from a variable that is left out: where null is wrong, a default may stand for the other.
 */
export function shapeOf(type: GraphQLInputType, value: unknown): string {
  return value === undefined ? "" : innerShapeOf(type, value);
}

/** Inside of a variable, defaults are filled in, and what remains absent means the same as null. */
function innerShapeOf(type: GraphQLInputType, value: unknown): string {
  if (value === undefined || value === null) return "-";
  if (isNonNullType(type)) return innerShapeOf(type.ofType, value);
  if (isEnumType(type)) return value as string; // coerced
  if (value === true || value === false) return `${value}`;
  if (isListType(type)) {
    const items = new Set((value as unknown[]).map((item) => innerShapeOf(type.ofType, item)));
    return `[${[...items].sort().join()}]`;
  }
  if (!isInputObjectType(type)) return "+";
  const given = value as Readonly<Record<string, unknown>>;
  const fields = Object.values(type.getFields()).map((field) => innerShapeOf(field.type, given[field.name]));
  return `{${fields.join()}}`;
}
