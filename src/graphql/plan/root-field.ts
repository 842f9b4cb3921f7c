import type { FieldNode, SourceLocation } from "graphql";
import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import type { ErrorEntry } from "../documents/errors.ts";
import type { Binding } from "./arguments.ts";
import type { CostNode } from "./cost.ts";
import type { Shape } from "./object-shape.ts";
import type { Answer } from "./payloads.ts";
import type { FieldDefinition, Selected } from "./selector.ts";
import type { SurrogateKeys } from "./surrogate-keys.ts";

/** One field of the answer's top, planned. */
export type RootField = {
  readonly key: string;
  /** Text before the value in the answer: comma, key and colon. */
  readonly prefix: string;
  readonly isNullable: boolean;
  readonly locations: readonly SourceLocation[];
} & (
  | { readonly kind: "constant"; readonly json: string }
  | { readonly kind: "introspection" }
  | { readonly kind: "rateLimit"; readonly shape: Shape }
  | ({ readonly kind: "read" } & Read)
  | ({ readonly kind: "mutation" } & MutationField)
  | ({ readonly kind: "administration" } & AdministrationField)
  | ({ readonly kind: "events" } & EventField)
);

export interface MutationField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  /** How it gives back what was changed: slot 0 is its id. */
  readonly answer: Answer;
}

/** Under the scope `admin`: answered by administration/administer.ts. Slot 0 is the size of the page, where there is one. */
export interface AdministrationField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  readonly isMutation: boolean;
  readonly shape: Shape;
}

/** Values that a read needs from each request. */
export interface Bound {
  readonly cost: CostNode;
  readonly bindings: readonly Binding[];
}

export interface Read extends Bound {
  readonly read: PreparedRead;
  /** By what a cache may be told to forget the answer. */
  readonly keys: SurrogateKeys;
}

/** How a `PostEvent` is written. */
export type EventPart = {
  /** Text before the value in the answer: comma, key and colon. */
  readonly prefix: string;
} & (
  | { readonly kind: "constant"; readonly json: string }
  | { readonly kind: "id" | "type" | "postId" | "occurredAt" }
  | ({ readonly kind: "post" } & PostPart)
);

export interface PostPart {
  readonly key: string;
  readonly locations: ErrorEntry["locations"];
  readonly read: PreparedRead;
}

/** A planned `postEvents`: slot 0 of its reads is the post, slot 1 who reads it. */
export interface EventField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: Selected["nodes"][0];
  readonly parts: readonly EventPart[];
}
