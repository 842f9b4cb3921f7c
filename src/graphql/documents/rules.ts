import {
  type ASTNode,
  DeferStreamDirectiveLabelRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
  FragmentsOnCompositeTypesRule,
  GraphQLError,
  GraphQLInt,
  getNamedType,
  Kind,
  KnownDirectivesRule,
  KnownFragmentNamesRule,
  NoFragmentCyclesRule,
  NoSchemaIntrospectionCustomRule,
  NoUnusedFragmentsRule,
  OverlappingFieldsCanBeMergedRule,
  PossibleFragmentSpreadsRule,
  StreamDirectiveOnListFieldRule,
  specifiedRules,
  UniqueDirectivesPerLocationRule,
  UniqueFragmentNamesRule,
  type ValidationRule,
} from "graphql";
import { badInput } from "../../domain/errors.ts";
import { MergeableFieldsRule } from "./mergeable-fields.ts";

/** Rules that look at fragments and their spreads alone. */
const OF_FRAGMENTS: ReadonlySet<ValidationRule> = new Set([
  FragmentsOnCompositeTypesRule,
  UniqueFragmentNamesRule,
  KnownFragmentNamesRule,
  NoUnusedFragmentsRule,
  PossibleFragmentSpreadsRule,
  NoFragmentCyclesRule,
]);

/** Rules that look at directives alone. */
const OF_DIRECTIVES: ReadonlySet<ValidationRule> = new Set([
  KnownDirectivesRule,
  UniqueDirectivesPerLocationRule,
  DeferStreamDirectiveOnRootFieldRule,
  DeferStreamDirectiveOnValidOperationsRule,
  DeferStreamDirectiveLabelRule,
  StreamDirectiveOnListFieldRule,
]);

/**
 * Rules of documents, besides the limits of limits.ts. Each rule costs time even if it finds nothing to check,
 * so those of fragments and directives are left out where the text has none.
 */
export function validationRules(text: string, introspection: boolean): readonly ValidationRule[] {
  const rules = introspection ? RULES : RULES_WITHOUT_INTROSPECTION;
  const hasFragments = text.includes("...") || text.includes("fragment");
  const hasDirectives = text.includes("@");
  if (hasFragments && hasDirectives) return rules;
  return rules.filter(
    (rule) => (hasFragments || !OF_FRAGMENTS.has(rule)) && (hasDirectives || !OF_DIRECTIVES.has(rule)),
  );
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

const RULES: readonly ValidationRule[] = [
  LiteralsRule,
  NoReservedOperationNamesRule,
  ...specifiedRules.map((rule) => (rule === OverlappingFieldsCanBeMergedRule ? MergeableFieldsRule : rule)),
];

const RULES_WITHOUT_INTROSPECTION: readonly ValidationRule[] = [...RULES, NoSchemaIntrospectionCustomRule];
