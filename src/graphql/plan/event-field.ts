import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import { locationsOf } from "../documents/errors.ts";
import type { CostNode } from "./cost.ts";
import { shapeOf } from "./object-shape.ts";
import type { CopyEventField, EventField, EventPart } from "./root-field.ts";
import { type Selected, type Selector, unplanned } from "./selector.ts";

export interface EventContext {
  readonly selector: Selector;
  readonly read: (part: Selected) => { readonly read: PreparedRead; readonly cost: CostNode };
}

/** Plans what is told of a post that is being written. */
export function planCopyEvent(field: Selected, selector: Selector): CopyEventField {
  const { definition, nodes } = field;
  return {
    ...{ definition, node: nodes[0], shape: shapeOf(field, selector) },
    ...{ cost: { slot: null, points: 1, children: [] }, bindings: [] },
  };
}

/** Plans what each event is answered with. */
export function planEvent(field: Selected, { selector, read }: EventContext): Omit<EventField, "bindings"> {
  const { definition, nodes } = field;
  if (field.name !== "postEvents") throw unplanned("Subscription", field);
  const children: CostNode[] = [];
  const parts = selector.select("PostEvent", field.nodes).map((part, index): EventPart => {
    const prefix = `${index === 0 ? "" : ","}"${part.key}":`;
    switch (part.name) {
      case "__typename":
        return { prefix, kind: "constant", json: '"PostEvent"' };
      case "id":
      case "type":
      case "postId":
      case "occurredAt":
        return { prefix, kind: part.name };
      case "post": {
        const planned = read(part);
        children.push(planned.cost);
        const locations = locationsOf(part.nodes[0]);
        return { prefix, kind: "post", key: part.key, locations, read: planned.read };
      }
      default:
        throw unplanned("PostEvent", part);
    }
  });
  return { definition, node: nodes[0], parts, cost: { slot: null, points: 1, children } };
}
