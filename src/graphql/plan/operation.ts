import { type DocumentNode, Kind, type OperationDefinitionNode, OperationTypeNode, type VariableValues } from "graphql";
import { LRUCache } from "lru-cache";
import { AppError, badInput } from "../../domain/errors.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { Counter, Histogram } from "../../observe/series.ts";
import { type Conditions, conditionVariables, type Fragments } from "../documents/collect-fields.ts";
import { DocumentError } from "../documents/errors.ts";
import { assertDocumentLimits, assertWithin } from "../documents/limits.ts";
import { parseDocument } from "../documents/parse-document.ts";
import type { FoundDocument } from "../documents/persisted-documents.ts";
import { type ShapingVariable, shapeOf, shapingVariables } from "../documents/request-shape.ts";
import { openRetirement, type Retirement } from "../documents/retirement.ts";
import { validationRules } from "../documents/rules.ts";
import { validate } from "../documents/validate.ts";
import { compileVariables, type VariableInputs } from "../documents/variables.ts";
import { readsOf } from "./payloads.ts";
import { type Plan, Planner, type PlanOptions } from "./plan.ts";
import type { RootField } from "./root-field.ts";

export interface OperationOptions extends PlanOptions {
  readonly introspection: boolean;
  /** The name of a document that the server vouches for, as `PersistedDocuments.nameOf`. */
  readonly nameOf: (document: FoundDocument) => string | null;
  readonly metrics: Pick<Metrics, "counter" | "histogram">;
}

interface CountedOptions extends OperationOptions {
  readonly counts: { made: number; forgotten: number };
}

/**
 * Limits of the caches for documents and plans, whatever callers send. A token takes half a kilobyte,
 * a prepared statement 10 to 100.
 */
const CACHED_TOKENS = 100_000;
const CACHED_STATEMENTS = 1_000;

/** The label of operations that clients name as they like. */
const OTHER = "other";

/** By operation and variant. */
type Plans = LRUCache<string, Plan>;

/** Text → parsed, validated and planned operations. Each document is worked on once and then remembered. */
export class Operations {
  readonly #options: CountedOptions;
  readonly #retirementOf: (document: DocumentNode) => Retirement | null;
  readonly #documents = new LRUCache<string, Document>({
    maxSize: CACHED_TOKENS,
    sizeCalculation: ({ tokens }, text) => tokens + Math.ceil(text.length / 400),
    dispose: () => this.#forget(),
  });
  readonly #plans: Plans = new LRUCache({
    maxSize: CACHED_STATEMENTS,
    sizeCalculation: ({ fields }) => fields.reduce((size, field) => size + statementsIn(field), 1),
    dispose: () => this.#forget(),
  });

  constructor(options: OperationOptions) {
    this.#options = { ...options, counts: { made: 0, forgotten: 0 } };
    this.#retirementOf = openRetirement(options.schema);
  }

  /** Documents that were parsed, and operations that were planned, since the start. */
  get made(): number {
    return this.#options.counts.made;
  }

  /** Documents and plans that were dropped for lack of room. */
  get forgotten(): number {
    return this.#options.counts.forgotten;
  }

  #forget(): void {
    this.#options.counts.forgotten++;
  }

  /** @throws DocumentError for a wrong document, AppError BAD_REQUEST when it has no such operation */
  find(found: FoundDocument, operationName: string | null): Operation {
    const { text } = found;
    let document = this.#documents.get(text);
    if (document === undefined) {
      this.#options.counts.made++;
      const node = this.#read(text);
      const name = this.#options.nameOf(found);
      document = new Document(this.#options, this.#plans, node, { name, retirement: this.#retirementOf(node) });
      this.#documents.set(text, document);
    }
    return document.operation(operationName);
  }

  #read(text: string): DocumentNode {
    const { schema, introspection, limits } = this.#options;
    assertWithin("length of the document", text.length, limits.MAX_DOCUMENT);
    const document = parseDocument(text, limits.MAX_TOKENS);
    assertDocumentLimits(document, limits);
    const errors = validate(schema, document, validationRules(text, introspection), {
      maxErrors: 10,
      hideSuggestions: !introspection,
    });
    if (errors.length > 0) throw DocumentError.from(errors, "GRAPHQL_VALIDATION_FAILED");
    return document;
  }
}

function statementsIn(field: RootField): number {
  if ("answer" in field) return readsOf(field.answer).length;
  return "parts" in field ? field.parts.length : Number("read" in field);
}

/** Facts about a whole document. */
interface DocumentFacts {
  readonly retirement: Retirement | null;
  /** null: its operations are counted as `other`. */
  readonly name: string | null;
}

class Document {
  readonly tokens: number;
  readonly #facts: DocumentFacts;
  readonly #options: CountedOptions;
  readonly #plans: Plans;
  readonly #document: DocumentNode;
  readonly #operations = new Map<string, Operation>();
  readonly #nodes: readonly OperationDefinitionNode[];
  /** The operation that needs no name. */
  #only: Operation | null = null;

  constructor(options: CountedOptions, plans: Plans, document: DocumentNode, facts: DocumentFacts) {
    this.tokens = document.tokenCount ?? 0;
    this.#facts = facts;
    this.#options = options;
    this.#plans = plans;
    this.#document = document;
    this.#nodes = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  }

  /** GetOperation of the GraphQL specification, section 6.1. */
  operation(name: string | null): Operation {
    if (name !== null) return this.#named(name);
    if (this.#only !== null) return this.#only;
    const [node, ...more] = this.#nodes;
    if (node === undefined || more.length > 0) {
      throw new AppError(
        "BAD_REQUEST",
        node === undefined
          ? "The document has no operation."
          : 'The document has several operations: "operationName" must choose one.',
      );
    }
    this.#only = this.#open(node);
    return this.#only;
  }

  #named(name: string): Operation {
    let operation = this.#operations.get(name);
    if (operation !== undefined) return operation;
    const node = this.#nodes.find((candidate) => candidate.name?.value === name);
    if (node === undefined)
      throw new AppError("BAD_REQUEST", `The document has no operation with the name that "operationName" gives.`);
    operation = this.#open(node);
    this.#operations.set(name, operation);
    return operation;
  }

  #open(node: OperationDefinitionNode): Operation {
    return new Operation(this.#options, this.#plans, this.#document, node, this.#facts);
  }
}

let operations = 0;

/** One operation of a document with its variants. */
export class Operation {
  readonly type: "query" | "mutation" | "subscription";
  /** As the document has it; null without one. */
  readonly name: string | null;
  readonly isMutation: boolean;
  readonly isSubscription: boolean;
  /** Seconds of each request for it. */
  readonly durations: Histogram;
  /** Retirement of the whole document. */
  readonly retirement: Retirement | null;
  /** @throws DocumentError BAD_USER_INPUT */
  readonly coerceVariables: (inputs: VariableInputs) => VariableValues;
  readonly #options: CountedOptions;
  readonly #plans: Plans;
  /** Counts plans that were there already. */
  readonly planHits: Counter;
  readonly #misses: Counter;
  readonly #id = `${operations++}`;
  readonly #node: OperationDefinitionNode;
  readonly #fragments: Fragments;
  readonly #conditions: readonly string[];
  readonly #shaping: readonly ShapingVariable[];

  constructor(
    options: CountedOptions,
    plans: Plans,
    document: DocumentNode,
    node: OperationDefinitionNode,
    { retirement, name }: DocumentFacts,
  ) {
    this.type = node.operation;
    this.name = node.name?.value ?? null;
    const label = name === null ? OTHER : (node.name?.value ?? (name === "" ? OTHER : name));
    this.durations = options.metrics.histogram("graphql_operation_duration_seconds", node.operation, label);
    this.retirement = retirement;
    this.isMutation = node.operation === OperationTypeNode.MUTATION;
    this.isSubscription = node.operation === OperationTypeNode.SUBSCRIPTION;
    this.coerceVariables = compileVariables(options.schema, node.variableDefinitions ?? [], !options.introspection);
    this.#options = options;
    this.#plans = plans;
    this.planHits = options.metrics.counter("graphql_plan_cache_total", "hit");
    this.#misses = options.metrics.counter("graphql_plan_cache_total", "miss");
    this.#node = node;
    this.#fragments = new Map(
      document.definitions
        .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
        .map((fragment) => [fragment.name.value, fragment]),
    );
    this.#conditions = conditionVariables(document);
    this.#shaping = shapingVariables(options.schema, document, node);
  }

  /** @throws AppError BAD_USER_INPUT for a condition that is null, and for arguments that no statement can serve */
  plan(variables: VariableValues): Plan {
    const { coerced } = variables;
    let key = this.#id;
    for (const name of this.#conditions) {
      if (coerced[name] === null) throw badInput(name, `$${name} decides what is selected and must not be null.`);
      key += coerced[name] === true ? "+" : "-";
    }
    for (const { name, type } of this.#shaping) key += `;${shapeOf(type, coerced[name])}`;
    let plan = this.#plans.get(key);
    if (plan === undefined) {
      this.#options.counts.made++;
      const conditions: Conditions = new Map(this.#conditions.map((name) => [name, coerced[name] === true]));
      plan = new Planner(this.#options, {
        operation: this.#node,
        fragments: this.#fragments,
        conditions,
        variables,
      }).plan();
      this.#plans.set(key, plan);
      this.#misses.add();
    } else this.planHits.add();
    return plan;
  }
}
