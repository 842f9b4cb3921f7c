import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type SourceLocation,
} from "graphql";
import { AppError } from "../domain/errors.ts";
import type { PostList, PostSelection, RootSelection, Slot, UserSelection } from "../domain/selection.ts";
import type { PreparedRead } from "../domain/store.ts";
import { type Binding, bindId, bindPageSize } from "./arguments.ts";
import { type Conditions, collectFields, type FieldNodes, type Fragments } from "./collect-fields.ts";
import { type CostNode, costTree } from "./cost.ts";
import { locationsOf } from "./errors.ts";
import type { Limits } from "./limits.ts";
import { requiredScopes } from "./schema.ts";

/** One operation in one variant (its `@skip` and `@include` decided), ready to run. */
export interface Plan {
  /** In the order of the answer. */
  readonly fields: readonly RootField[];
  /** Every scope that the selected fields ask for, each once, in the order of the document. */
  readonly scopes: readonly string[];
  /** What graphql-js answers by itself (`__schema` and `__type`); null when there is none of it. */
  readonly introspection: DocumentNode | null;
}

export type RootField = {
  readonly key: string;
  /** What stands before the value in the answer: comma, key and colon. */
  readonly prefix: string;
  readonly isNullable: boolean;
  readonly locations: readonly SourceLocation[];
} & (
  | { readonly kind: "constant"; readonly json: string }
  | { readonly kind: "introspection" }
  | ({ readonly kind: "read" } & Read)
  /** The read gives back what was changed: slot 0 is its id. */
  | ({ readonly kind: "mutation"; readonly definition: FieldDefinition; readonly node: FieldNode } & Read)
);

interface Read {
  readonly read: PreparedRead;
  readonly cost: CostNode;
  readonly bindings: readonly Binding[];
}

type FieldDefinition = GraphQLField<unknown, unknown>;

export interface PlanOptions {
  readonly schema: GraphQLSchema;
  readonly prepareRead: (root: RootSelection) => PreparedRead;
  readonly limits: Limits;
}

/** One field of the answer, as the document selects it. */
interface Selected {
  readonly key: string;
  readonly name: string;
  readonly nodes: FieldNodes;
  readonly definition: FieldDefinition;
}

/**
 * Turns a validated operation into the trees that storage reads. A new field of the schema gets its case in the
 * method named for its type (`#query`, `#user`, `#post`, or `#changed` for what a mutation answers with).
 */
export class Planner {
  readonly #options: PlanOptions;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: Fragments;
  readonly #conditions: Conditions;
  readonly #scopes = new Set<string>();
  #bindings: Binding[] = [];

  constructor(options: PlanOptions, operation: OperationDefinitionNode, fragments: Fragments, conditions: Conditions) {
    this.#options = options;
    this.#operation = operation;
    this.#fragments = fragments;
    this.#conditions = conditions;
  }

  plan(): Plan {
    const isMutation = this.#operation.operation === OperationTypeNode.MUTATION;
    const typeName = isMutation ? "Mutation" : "Query";
    const introspected: FieldNode[] = [];
    const fields = this.#select(typeName, [this.#operation]).map((field, index): RootField => {
      const { key, name, nodes, definition } = field;
      const base = {
        key,
        prefix: `${index === 0 ? "" : ","}"${key}":`,
        isNullable: !isNonNullType(definition.type),
        locations: locationsOf(nodes[0]),
      };
      if (name === "__typename") return { ...base, kind: "constant", json: `"${typeName}"` };
      if (name === "__schema" || name === "__type") {
        introspected.push(...nodes);
        return { ...base, kind: "introspection" };
      }
      this.#bindings = [];
      if (isMutation)
        return { ...base, kind: "mutation", definition, node: nodes[0], ...this.#read(this.#changed(field)) };
      return { ...base, kind: "read", ...this.#read(this.#query(field)) };
    });
    return { fields, scopes: [...this.#scopes], introspection: this.#introspection(introspected) };
  }

  #query(field: Selected): RootSelection {
    switch (field.name) {
      case "user":
        return { kind: "user", id: this.#bind(bindId(field.definition, field.nodes[0])), selection: this.#user(field) };
      case "posts":
        return { kind: "posts", ...this.#posts(field) };
      default:
        throw unplanned("Query", field);
    }
  }

  /** What a mutation answers with: the object that it changed, whose id is known only when the change is done. */
  #changed(field: Selected): RootSelection {
    const id = this.#bind({ node: field.nodes[0], value: () => null });
    switch (getNamedType(field.definition.type).name) {
      case "Post":
        return { kind: "post", id, selection: this.#post(field) };
      default:
        throw unplanned("Mutation", field);
    }
  }

  #user(parent: Selected): UserSelection {
    const fields = this.#select("User", parent.nodes).map((field): UserSelection["fields"][number] => {
      const { key, name } = field;
      switch (name) {
        case "__typename":
          return { kind: "constant", key, value: "User" };
        case "id":
        case "name":
        case "email":
          return { kind: "column", key, column: name };
        case "posts":
          return { kind: "posts", key, ...this.#posts(field) };
        default:
          throw unplanned("User", field);
      }
    });
    return { type: "User", fields };
  }

  #post(parent: Selected): PostSelection {
    const fields = this.#select("Post", parent.nodes).map((field): PostSelection["fields"][number] => {
      const { key, name } = field;
      switch (name) {
        case "__typename":
          return { kind: "constant", key, value: "Post" };
        case "id":
        case "title":
        case "body":
        case "createdAt":
          return { kind: "column", key, column: name };
        case "author":
          return { kind: "author", key, selection: this.#user(field) };
        default:
          throw unplanned("Post", field);
      }
    });
    return { type: "Post", fields };
  }

  #posts(field: Selected): PostList {
    const first = this.#bind(bindPageSize(field.definition, field.nodes[0], this.#options.limits.page));
    return { first, selection: this.#post(field) };
  }

  /** The fields of one object in the order of the answer; what they ask of the token is noted on the way. */
  #select(typeName: string, parents: readonly { readonly selectionSet?: SelectionSetNode | undefined }[]): Selected[] {
    const { schema } = this.#options;
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new AppError("INTERNAL", `The schema has no object type ${typeName}.`);
    const context = { schema, fragments: this.#fragments, conditions: this.#conditions };
    return Array.from(collectFields(context, type, parents), ([key, nodes]) => {
      const name = nodes[0].name.value;
      const definition = fieldOf(schema, type, name);
      for (const scope of requiredScopes(definition)) this.#scopes.add(scope);
      return { key, name, nodes, definition };
    });
  }

  #bind(binding: Binding): Slot {
    return { slot: this.#bindings.push(binding) - 1 };
  }

  #read(root: RootSelection): Read {
    return { read: this.#options.prepareRead(root), cost: costTree(root), bindings: this.#bindings };
  }

  #introspection(selections: readonly FieldNode[]): DocumentNode | null {
    if (selections.length === 0) return null;
    const operation = { ...this.#operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    return { kind: Kind.DOCUMENT, definitions: [operation, ...this.#fragments.values()] };
  }
}

function fieldOf(schema: GraphQLSchema, type: GraphQLObjectType, name: string): FieldDefinition {
  const definition = schema.getField(type, name);
  if (definition === undefined) throw new AppError("INTERNAL", `The schema has no field ${type.name}.${name}.`);
  return definition;
}

function unplanned(type: string, { name }: Selected): AppError {
  return new AppError("INTERNAL", `schema.graphql has ${type}.${name}, which the planner does not know.`);
}
