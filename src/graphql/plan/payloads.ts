import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import type { RootSelection } from "../../domain/reading/selection.ts";
import type { CostNode } from "./cost.ts";
import { type Selected, type Selector, unplanned } from "./selector.ts";

/** The answer of a change, besides the id of the changed object: the object, a payload with it, or true. */
export type Answer =
  | { readonly kind: "done" }
  | { readonly kind: "object"; readonly read: PreparedRead }
  | { readonly kind: "payload"; readonly parts: readonly PayloadPart[] };

export type PayloadPart = {
  /** Text before the value in the answer: comma, key and colon. */
  readonly prefix: string;
} & (
  | { readonly kind: "constant"; readonly json: string }
  /** The id of what was changed. */
  | { readonly kind: "id" }
  | { readonly kind: "object"; readonly read: PreparedRead }
  /** A text that only the change itself knows. */
  | { readonly kind: "shown"; readonly name: string }
  | { readonly kind: "errors"; readonly fields: readonly ErrorPart[] }
);

interface ErrorPart {
  readonly key: string;
  readonly name: "__typename" | "code" | "message" | "field";
}

/** The statements that it keeps prepared. */
export function readsOf(answer: Answer): readonly PreparedRead[] {
  if (answer.kind === "done") return [];
  if (answer.kind === "object") return [answer.read];
  return answer.parts.flatMap((part) => (part.kind === "object" ? [part.read] : []));
}

export interface PayloadContext {
  readonly selector: Selector;
  /** The selection of the object that was changed. */
  readonly root: (part: Selected, type: "Post" | "User" | "WorkingCopy" | "PreviewLink") => RootSelection;
  readonly read: (root: RootSelection) => { readonly read: PreparedRead; readonly cost: CostNode };
}

/** Plans a payload: an object whose fields are the changed object, its id, or what the caller may put right. A Boolean has none of them. */
export function planPayload(
  field: Selected,
  typeName: string,
  { selector, root, read }: PayloadContext,
): { readonly answer: Answer; readonly cost: CostNode } {
  const children: CostNode[] = [];
  if (typeName === "Boolean") return { answer: { kind: "done" }, cost: { slot: null, points: 1, children } };
  const parts = selector.select(typeName, field.nodes).map((part, index): PayloadPart => {
    const prefix = `${index === 0 ? "" : ","}"${part.key}":`;
    switch (part.name) {
      case "__typename":
        return { prefix, kind: "constant", json: `"${typeName}"` };
      case "deletedId":
        return { prefix, kind: "id" };
      case "errors":
        return { prefix, kind: "errors", fields: errorParts(part, selector) };
      case "url":
        return { prefix, kind: "shown", name: part.name };
      case "workingCopy":
      case "post":
      case "link":
      case "user": {
        const planned = read(root(part, TYPES[part.name]));
        children.push(planned.cost);
        return { prefix, kind: "object", read: planned.read };
      }
      default:
        throw unplanned(typeName, part);
    }
  });
  return { answer: { kind: "payload", parts }, cost: { slot: null, points: 1, children } };
}

/** The type of what a payload gives back. */
const TYPES = { workingCopy: "WorkingCopy", post: "Post", link: "PreviewLink", user: "User" } as const;

function errorParts(field: Selected, selector: Selector): ErrorPart[] {
  return selector.select("UserError", field.nodes).map((part) => {
    const { key, name } = part;
    switch (name) {
      case "__typename":
      case "code":
      case "message":
      case "field":
        return { key, name };
      default:
        throw unplanned("UserError", part);
    }
  });
}
