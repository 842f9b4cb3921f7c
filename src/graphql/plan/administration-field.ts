import { isListType, isNonNullType } from "graphql";
import { argumentOf, type Binding, defaultPage, pageSize } from "./arguments.ts";
import type { CostNode } from "./cost.ts";
import { shapeOf } from "./object-shape.ts";
import type { AdministrationField } from "./root-field.ts";
import type { Selected, Selector } from "./selector.ts";

interface PlanContext {
  readonly selector: Selector;
  readonly pageLimit: number;
}

/** A field of the root under the scope `admin`: one point for itself, and one for each entry of its page or list. */
export function planAdministration(
  field: Selected,
  { selector, pageLimit }: PlanContext,
): Omit<AdministrationField, "isMutation"> {
  const { definition, nodes } = field;
  const isList = isListType(isNonNullType(definition.type) ? definition.type.ofType : definition.type);
  const page = pageOf(field, pageLimit);
  const children: CostNode[] = page === null ? [] : [{ slot: 0, points: 1, children: [] }];
  return {
    definition,
    node: nodes[0],
    shape: shapeOf(field, selector),
    cost: { slot: null, points: isList && page === null ? pageLimit : 1, children },
    bindings: page === null ? [] : [page],
  };
}

/** The size of the page that is asked for; null where the field has none. */
function pageOf({ definition, nodes }: Selected, limit: number): Binding | null {
  if (!definition.args.some(({ name }) => name === "first")) return null;
  const { node, value } = argumentOf(definition, nodes[0], "first");
  return {
    node,
    value: (variables) => {
      const given = value(variables);
      return given === undefined ? defaultPage(definition, limit) : pageSize("first", given, limit);
    },
  };
}
