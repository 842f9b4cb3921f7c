import { type GraphQLField, type GraphQLSchema, isObjectType, type SelectionSetNode } from "graphql";
import { AppError } from "../../domain/errors.ts";
import { type Conditions, collectFields, type FieldNodes, type Fragments } from "../documents/collect-fields.ts";
import { requiredScopes } from "../documents/schema.ts";

export type FieldDefinition = GraphQLField<unknown, unknown>;

/** One field of the answer, as the document selects it. */
export interface Selected {
  readonly key: string;
  readonly name: string;
  readonly nodes: FieldNodes;
  readonly definition: FieldDefinition;
}

type Parents = readonly { readonly selectionSet?: SelectionSetNode | undefined }[];

/** Instead of what the schema asks for these fields. */
export type OtherScopes = Readonly<Record<string, readonly string[]>>;

/** Instead of what the schema asks: of a person's own data, the scopes of OpenID Connect are enough. */
export const OWN_SCOPES: OtherScopes = { email: ["email"], emailVerified: ["email"] };

/** Finds what a document selects of an object, and notes what that asks of the token. */
export class Selector {
  /** Every scope of the selected fields, each once, in the order of the document. */
  readonly scopes = new Set<string>();
  readonly #context: {
    readonly schema: GraphQLSchema;
    readonly fragments: Fragments;
    readonly conditions: Conditions;
  };

  constructor(schema: GraphQLSchema, fragments: Fragments, conditions: Conditions) {
    this.#context = { schema, fragments, conditions };
  }

  /** The fields of one object in the order of the answer. */
  select(typeName: string, parents: Parents, otherScopes: OtherScopes = {}): Selected[] {
    const { schema } = this.#context;
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new AppError("INTERNAL", `The schema has no object type ${typeName}.`);
    return Array.from(collectFields(this.#context, type, parents), ([key, nodes]) => {
      const name = nodes[0].name.value;
      const definition = schema.getField(type, name);
      if (definition === undefined) throw new AppError("INTERNAL", `The schema has no field ${type.name}.${name}.`);
      for (const scope of otherScopes[name] ?? requiredScopes(definition)) this.scopes.add(scope);
      return { key, name, nodes, definition };
    });
  }
}

export function unplanned(type: string, { name }: Selected): AppError {
  return new AppError("INTERNAL", `schema.graphql has ${type}.${name}, which the planner does not know.`);
}
