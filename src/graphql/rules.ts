import {
  type ASTNode,
  GraphQLError,
  GraphQLInt,
  getNamedType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  type ValidationRule,
} from "graphql";
import { badInput } from "../domain/errors.ts";
import { MergeableFieldsRule } from "./mergeable-fields.ts";

/** What a document must keep, beside the limits of limits.ts. */
export function validationRules(introspection: boolean): readonly ValidationRule[] {
  const standard = specifiedRules.map((rule) =>
    rule === OverlappingFieldsCanBeMergedRule ? MergeableFieldsRule : rule,
  );
  const rules = [LiteralsRule, NoReservedOperationNamesRule, ...standard];
  return introspection ? rules : [...rules, NoSchemaIntrospectionCustomRule];
}

/**
 * Literals keep what variables must keep too, and their errors have the same code: text without U+0000 (lone surrogates
 * are no GraphQL at all), whole numbers of 32 bits.
 */
const LiteralsRule: ValidationRule = (context) => {
  const report = (node: ASTNode, ancestors: readonly (ASTNode | readonly ASTNode[] | undefined)[], rule: string) => {
    const field = ancestors.map(argumentName).filter(Boolean).join(".");
    const error = badInput(field, `${field || "A value"} ${rule}`);
    context.reportError(new GraphQLError(error.message, { nodes: [node], originalError: error }));
  };
  return {
    StringValue(node, _key, parent, _path, ancestors) {
      if (node.value.includes("\0")) report(node, [...ancestors, parent], "must be valid Unicode text without U+0000.");
    },
    IntValue(node, _key, parent, _path, ancestors) {
      const isInt = getNamedType(context.getInputType()) === GraphQLInt;
      if (!isInt || Number(node.value) === (Number(node.value) | 0)) return;
      report(node, [...ancestors, parent], "must be a whole number of 32 bits.");
    },
  };
};

function argumentName(node: ASTNode | readonly ASTNode[] | undefined): string {
  if (node === undefined || !("kind" in node)) return "";
  return node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD ? node.name.value : "";
}

/** Names that begin with two underscores belong to introspection (GraphQL specification section 2.1.9). */
const NoReservedOperationNamesRule: ValidationRule = (context) => ({
  OperationDefinition({ name }) {
    if (name === undefined || !name.value.startsWith("__")) return false;
    context.reportError(new GraphQLError(`The operation name "${name.value}" is reserved.`, { nodes: [name] }));
    return false;
  },
});
