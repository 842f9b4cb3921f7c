import { isDeepStrictEqual } from "node:util";
import type { VariableValues } from "graphql";
import { AppError } from "../../domain/errors.ts";
import type { SlotValues } from "../../domain/reading/selection.ts";
import type { Viewer } from "../../domain/viewer.ts";
import { appEntry, DocumentError, type ErrorEntry, locationsOf } from "../documents/errors.ts";
import { costOf, MUTATION_COST } from "./cost.ts";
import type { Plan } from "./plan.ts";
import type { RootField } from "./root-field.ts";

/** The values of the slots, for each root field in order. */
export type BoundValues = readonly SlotValues[];

export const NO_VALUES: SlotValues = [];

/** @throws DocumentError BAD_USER_INPUT naming every argument that breaks a rule; nothing has run then */
export function bindValues(plan: Plan, variables: VariableValues, viewer: Viewer): BoundValues {
  let broken: ErrorEntry[] | null = null;
  const bound: SlotValues[] = [];
  for (const field of plan.fields) {
    if (!("bindings" in field)) {
      bound.push(NO_VALUES);
      continue;
    }
    const values: SlotValues[number][] = [];
    for (const binding of field.bindings) {
      try {
        values.push(binding.value(variables, viewer));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const entry = appEntry(error, { locations: locationsOf(binding.node) });
        broken ??= [];
        // One argument may fill several slots.
        if (!broken.some((other) => isDeepStrictEqual(other, entry))) broken.push(entry);
      }
    }
    bound.push(values);
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
    total += costOf(field.cost, bound[index] as SlotValues);
    if (field.kind === "mutation" || (field.kind === "administration" && field.isMutation)) total += MUTATION_COST;
  }
  return total;
}
