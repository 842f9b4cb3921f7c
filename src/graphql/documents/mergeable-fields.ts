import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  print,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from "graphql";

/** A field where it stands: the type that its selection set is on, and what the schema says of it. */
interface Occurrence {
  readonly node: FieldNode;
  readonly parent: string;
  readonly parentIsObject: boolean;
  readonly type: GraphQLOutputType;
}

interface Selections {
  readonly selectionSet: SelectionSetNode;
  readonly parent: string;
}

/**
 * Fields with one response key must be mergeable (GraphQL specification section 5.3.2), as graphql-js's
 * OverlappingFieldsCanBeMergedRule has it. That rule compares every pair of fields, which takes a second where a
 * field is repeated a few hundred times; this one compares each field with the first of its group, level by level
 * from the operation down, so its time is linear in the fields of the written-out operation, which are limited.
 *
 * It expects a document without fragment cycles.
 */
export const MergeableFieldsRule: ValidationRule = (context) => ({
  OperationDefinition({ operation, selectionSet }) {
    const root = context.getSchema().getRootType(operation);
    if (root == null) return;
    const checker = new Checker(context);
    const top = [{ selectionSet, parent: root.name }];
    checker.checkShapes(top);
    checker.checkFields(top);
  },
});

class Checker {
  readonly #context: ValidationContext;
  readonly #fragments = new Map<string, FragmentDefinitionNode | null>();
  readonly #reported = new Set<string>();

  constructor(context: ValidationContext) {
    this.#context = context;
  }

  /** SameResponseShape: whatever object is behind it, a key holds one kind of value. */
  checkShapes(merged: readonly Selections[]): void {
    for (const [key, [first, ...others]] of this.#collect(merged)) {
      for (const other of others) {
        if (haveSameShape(first.type, other.type)) continue;
        this.#report(key, `they return conflicting types "${first.type}" and "${other.type}"`, first, other);
        return;
      }
      this.checkShapes(childrenOf([first, ...others]));
    }
  }

  /** FieldsInSetCanMerge: for one object, a key is one field with the same arguments. */
  checkFields(merged: readonly Selections[]): void {
    for (const [key, occurrences] of this.#collect(merged)) {
      for (const group of sameObjectGroups(occurrences)) {
        const [first, ...others] = group;
        const firstArguments = argumentsOf(first.node);
        for (const other of others) {
          const names = [first.node.name.value, other.node.name.value];
          if (names[0] !== names[1]) {
            this.#report(key, `"${names[0]}" and "${names[1]}" are different fields`, first, other);
            return;
          }
          if (firstArguments !== argumentsOf(other.node)) {
            this.#report(key, "they have differing arguments", first, other);
            return;
          }
        }
        this.checkFields(childrenOf(group));
      }
    }
  }

  /** All fields below the given selection sets by response key, fragments written out once each. */
  #collect(merged: readonly Selections[]): Map<string, [Occurrence, ...Occurrence[]]> {
    const fields = new Map<string, [Occurrence, ...Occurrence[]]>();
    const visited = new Set<string>();
    const schema = this.#context.getSchema();

    const collect = (selectionSet: SelectionSetNode, parent: string): void => {
      const type = schema.getType(parent);
      if (!isCompositeType(type)) return;
      for (const selection of selectionSet.selections) {
        if (selection.kind === Kind.FIELD) {
          const definition = schema.getField(type, selection.name.value);
          if (definition === undefined) continue;
          const key = selection.alias?.value ?? selection.name.value;
          const occurrence = { node: selection, parent, parentIsObject: isObjectType(type), type: definition.type };
          const known = fields.get(key);
          if (known === undefined) fields.set(key, [occurrence]);
          else known.push(occurrence);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet, conditionOf(selection.typeCondition, parent));
        } else if (!visited.has(selection.name.value)) {
          visited.add(selection.name.value);
          const fragment = this.#fragment(selection.name.value);
          if (fragment !== null) collect(fragment.selectionSet, fragment.typeCondition.name.value);
        }
      }
    };

    for (const { selectionSet, parent } of merged) collect(selectionSet, parent);
    return fields;
  }

  #fragment(name: string): FragmentDefinitionNode | null {
    const known = this.#fragments.get(name);
    if (known !== undefined) return known;
    const fragment = this.#context.getFragment(name) ?? null;
    this.#fragments.set(name, fragment);
    return fragment;
  }

  #report(key: string, reason: string, first: Occurrence, other: Occurrence): void {
    const message = `Fields "${key}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`;
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#context.reportError(new GraphQLError(message, { nodes: [first.node, other.node] }));
  }
}

/** Occurrences that can meet in one object: those on its type, and those on interfaces and unions. */
function sameObjectGroups(occurrences: readonly [Occurrence, ...Occurrence[]]): [Occurrence, ...Occurrence[]][] {
  const shared = occurrences.filter(({ parentIsObject }) => !parentIsObject);
  const groups = new Map<string, [Occurrence, ...Occurrence[]]>();
  for (const occurrence of occurrences) {
    if (!occurrence.parentIsObject) continue;
    const group = groups.get(occurrence.parent);
    if (group === undefined) groups.set(occurrence.parent, [occurrence]);
    else group.push(occurrence);
  }
  if (groups.size === 0) return [[...occurrences]];
  for (const group of groups.values()) group.push(...shared);
  return [...groups.values()];
}

function childrenOf(occurrences: readonly Occurrence[]): Selections[] {
  return occurrences.flatMap(({ node: { selectionSet }, type }) =>
    selectionSet === undefined ? [] : [{ selectionSet, parent: getNamedType(type).name }],
  );
}

function conditionOf(condition: NamedTypeNode | undefined, parent: string): string {
  return condition?.name.value ?? parent;
}

function haveSameShape(a: GraphQLOutputType, b: GraphQLOutputType): boolean {
  if (isNonNullType(a) || isNonNullType(b)) {
    return isNonNullType(a) && isNonNullType(b) && haveSameShape(a.ofType, b.ofType);
  }
  if (isListType(a) || isListType(b)) return isListType(a) && isListType(b) && haveSameShape(a.ofType, b.ofType);
  return isLeafType(a) || isLeafType(b) ? a === b : true;
}

/** The arguments in a form that is equal where they are; their order means nothing. */
function argumentsOf({ arguments: given }: FieldNode): string {
  if (given === undefined || given.length === 0) return "";
  return given.map(print).sort().join("\n");
}
