import { type GraphQLSchema, type IntrospectionQuery, introspectionFromSchema, isObjectType } from "graphql";
import { requiredScopes } from "./schema.ts";

/** The schema as the editor shows it: the description of each field ends with the scopes that the field needs. */
export function introspectionWithScopes(schema: GraphQLSchema): IntrospectionQuery {
  const { __schema } = introspectionFromSchema(schema);
  const types = __schema.types.map((type) => {
    const described = schema.getType(type.name);
    if (type.kind !== "OBJECT" || !isObjectType(described)) return type;
    const all = described.getFields();
    const fields = type.fields.map((field) => {
      const known = all[field.name];
      const scopes = known === undefined ? [] : requiredScopes(known);
      return scopes.length === 0 ? field : { ...field, description: withScopes(field.description, scopes) };
    });
    return { ...type, fields };
  });
  return { __schema: { ...__schema, types } };
}

function withScopes(description: string | null | undefined, scopes: readonly string[]): string {
  const names = scopes.map((scope) => `\`${scope}\``).join(", ");
  return `${description ? `${description}\n\n` : ""}${scopes.length === 1 ? "Scope" : "Scopes"}: ${names}`;
}
