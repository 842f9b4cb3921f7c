import { isDeepStrictEqual } from "node:util";
import type { ASTNode, VariableValues } from "graphql";
import { AppError } from "../../domain/errors.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { appEntry, DocumentError, type ErrorEntry, locationsOf } from "../documents/errors.ts";
import { argumentsOf } from "./arguments.ts";
import { costOf, MUTATION_COST } from "./cost.ts";
import type { Plan } from "./plan.ts";
import type { RootField } from "./root-field.ts";

/** Values of a request for one root field. */
interface BoundField {
  /** The values of its slots. */
  readonly values: SlotValues;
  /** Its arguments as the schema coerces them, where it is a change, an event or administration. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** For each root field in order. */
export type BoundValues = readonly BoundField[];

export const NOTHING_BOUND: BoundField = { values: [], args: {} };

/** @throws DocumentError BAD_USER_INPUT naming every argument that breaks a rule; nothing has run then */
export function bindValues(plan: Plan, variables: VariableValues, viewer: Viewer): BoundValues {
  let broken: ErrorEntry[] | null = null;
  const note = (error: AppError, node: ASTNode) => {
    const entry = appEntry(error, { locations: locationsOf(node) });
    broken ??= [];
    // One argument may fill several slots.
    if (!broken.some((other) => isDeepStrictEqual(other, entry))) broken.push(entry);
  };
  const bound: BoundField[] = [];
  for (const field of plan.fields) {
    if (!("bindings" in field)) {
      bound.push(NOTHING_BOUND);
      continue;
    }
    let args = NOTHING_BOUND.args;
    if ("definition" in field) {
      const coerced = argumentsOf(field.definition, field.node, variables, note);
      if (coerced === null) continue;
      args = coerced;
    }
    const values: SlotValues[number][] = [];
    for (const binding of field.bindings) {
      try {
        values.push(binding.value(variables, viewer));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        note(error, binding.node);
      }
    }
    bound.push({ values, args });
  }
  if (broken !== null) throw new DocumentError(broken);
  return bound;
}

/** The points of a bound operation, known before it runs. */
export function totalCost(plan: Plan, bound: BoundValues): number {
  let total = 0;
  for (let index = 0; index < bound.length; index++) {
    const field = plan.fields[index] as RootField;
    if (!("cost" in field)) continue;
    total += costOf(field.cost, (bound[index] as BoundField).values);
    if (field.kind === "mutation" || (field.kind === "administration" && field.isMutation)) total += MUTATION_COST;
  }
  return total;
}
