import { isListType, isNonNullType } from "graphql";
import { argumentOf, type Binding, defaultPage, pageSize } from "./arguments.ts";
import type { CostNode } from "./cost.ts";
import { type Shape, shapeOf } from "./object-shape.ts";
import type { AdministrationField } from "./root-field.ts";
import type { Selected, Selector } from "./selector.ts";

interface PlanContext {
  readonly selector: Selector;
  readonly pageLimit: number;
}

/** Points of each entry besides its own, where one of these fields is selected: they are read by a query of their own. */
const READ_APART: readonly { readonly fields: readonly string[]; readonly points: number }[] = [
  {
    fields: ["lastDay", "waiting", "oldestWaitingAt", "failingSince", "failingReason"].map((name) => `Webhook.${name}`),
    points: 1,
  },
  { fields: ["WebhookDelivery.attemptLog", "WebhookDelivery.headers"], points: 10 },
  { fields: ["Account.sessions"], points: 5 },
  { fields: ["Account.clients"], points: 10 },
];

/** Points of fields that do more than read a row. */
const OWN_POINTS: Readonly<Record<string, number>> = { health: 10, accountExport: 250 };
/** Entries of a list without pages, where they are fewer than those of a page. */
const MOST: Readonly<Record<string, number>> = { ownClients: 20 };

/**
 * A field of the root under the scope `admin` or `clients:own`: one point for itself, and one for each entry of its page or list.
 * Objects that are read apart cost more.
 */
export function planAdministration(
  field: Selected,
  { selector, pageLimit }: PlanContext,
): Omit<AdministrationField, "isMutation" | "isOwn"> {
  const { definition, nodes } = field;
  const isList = isListType(isNonNullType(definition.type) ? definition.type.ofType : definition.type);
  const page = pageOf(field, pageLimit);
  const shape = shapeOf(field, selector);
  const selected = fieldsOf(shape);
  const apart = READ_APART.filter(({ fields }) => fields.some((name) => selected.has(name)));
  const each = apart.reduce((sum, { points }) => sum + points, 1);
  const children: CostNode[] = page === null ? [] : [{ slot: 0, points: each, children: [] }];
  const whole = isList ? (MOST[definition.name] ?? pageLimit) * each : each - 1 + (OWN_POINTS[definition.name] ?? 1);
  return {
    definition,
    node: nodes[0],
    shape,
    selected,
    cost: { slot: null, points: page === null ? whole : 1, children },
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

function fieldsOf(shape: Shape, all = new Set<string>()): ReadonlySet<string> {
  for (const { name, shape: inner } of shape.fields) {
    all.add(`${shape.typeName}.${name}`);
    if (inner !== null) fieldsOf(inner, all);
  }
  return all;
}
