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
  | ({ readonly kind: "object" } & ObjectField)
  | ({ readonly kind: "read" } & Read)
  | ({ readonly kind: "mutation" } & MutationField)
  | ({ readonly kind: "administration" } & AdministrationField)
  | ({ readonly kind: "events" } & EventField)
  | ({ readonly kind: "copyEvents" } & CopyEventField)
);

export interface MutationField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  /** How it gives back what was changed: slot 0 is its id. */
  readonly answer: Answer;
}

/** Answered object by object: execution/objects.ts. */
export interface ObjectField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  /** null for a leaf. */
  readonly shape: Shape | null;
}

/** Under the scope `admin` or `clients:own`: answered by administration/administer.ts. Slot 0 is the size of the page, where there is one. */
export interface AdministrationField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  readonly isMutation: boolean;
  /** Whether it is about what the caller owns, so that it needs no administrator. */
  readonly isOwn: boolean;
  readonly shape: Shape;
  /** Every field that is selected at any depth, such as `Webhook.waiting`. */
  readonly selected: ReadonlySet<string>;
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

/** A planned `workingCopyEvents`: what is selected is written from the facts of the event alone. */
export interface CopyEventField extends Bound {
  readonly definition: FieldDefinition;
  readonly node: FieldNode;
  readonly shape: Shape;
}
