import {
  type ConstDirectiveNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
  visit,
} from "graphql";

/** The nodes that share one response key; they are merged into one field. */
export type FieldNodes = readonly [FieldNode, ...FieldNode[]];

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** The values of the variables that `@skip` and `@include` use. */
export type Conditions = ReadonlyMap<string, boolean>;

/**
 * The fields of an object by response key, in the order of the answer (GraphQL specification section 6.3.2,
 * CollectFields and CollectSubfields).
 */
export function collectFields(
  context: { readonly schema: GraphQLSchema; readonly fragments: Fragments; readonly conditions: Conditions },
  type: GraphQLObjectType,
  parents: readonly { readonly selectionSet?: SelectionSetNode | undefined }[],
): Map<string, FieldNodes> {
  const { schema, fragments, conditions } = context;
  const fields = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();

  const applies = (condition: NamedTypeNode | undefined): boolean => {
    if (condition === undefined || condition.name.value === type.name) return true;
    const abstract = schema.getType(condition.name.value);
    return isAbstractType(abstract) && schema.isSubType(abstract, type);
  };

  const collect = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (!isIncluded(selection.directives, conditions)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const nodes = fields.get(key);
        if (nodes === undefined) fields.set(key, [selection]);
        else nodes.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (applies(selection.typeCondition)) collect(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined && applies(fragment.typeCondition)) collect(fragment.selectionSet);
      }
    }
  };

  for (const parent of parents) if (parent.selectionSet !== undefined) collect(parent.selectionSet);
  return fields;
}

function isIncluded(directives: readonly DirectiveNode[] | undefined, conditions: Conditions): boolean {
  if (directives === undefined) return true;
  for (const directive of directives) {
    const { value: name } = directive.name;
    if ((name === "skip" || name === "include") && condition(directive, conditions) === (name === "skip")) return false;
  }
  return true;
}

function condition(directive: DirectiveNode | ConstDirectiveNode, conditions: Conditions): boolean | undefined {
  const value = directive.arguments?.find((argument) => argument.name.value === "if")?.value;
  if (value?.kind === Kind.BOOLEAN) return value.value;
  return value?.kind === Kind.VARIABLE ? conditions.get(value.name.value) : undefined;
}

/** The names of the variables on which the shape of the answer depends. */
export function conditionVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  if (!document.definitions.some(hasBoolean)) return [];
  visit(document, {
    Directive({ name, arguments: given }) {
      if (name.value !== "skip" && name.value !== "include") return;
      for (const { value } of given ?? []) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Conditions are of no other type, which validation has seen to. */
function hasBoolean(definition: DefinitionNode): boolean {
  if (definition.kind !== Kind.OPERATION_DEFINITION) return false;
  return (definition.variableDefinitions ?? []).some(({ type }) => {
    const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    return named.kind === Kind.NAMED_TYPE && named.name.value === "Boolean";
  });
}
