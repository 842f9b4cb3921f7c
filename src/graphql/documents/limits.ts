import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type SelectionSetNode,
  Source,
  TokenKind,
} from "graphql";
import { AppError } from "../../domain/errors.ts";
import { appEntry, DocumentError, type ErrorEntry } from "./errors.ts";

/** The settings about how much one request may ask for, under their own names: docs/reference/settings.md explains each. */
export interface Limits {
  /** Bytes. */
  readonly MAX_BODY: number;
  /** UTF-16 code units. */
  readonly MAX_DOCUMENT: number;
  readonly MAX_TOKENS: number;
  /** Fields inside one another, counted through fragments. */
  readonly MAX_DEPTH: number;
  readonly MAX_ALIASES: number;
  readonly MAX_DIRECTIVES: number;
  /** Fields that an operation has when every fragment is written out. */
  readonly MAX_FIELDS: number;
  /** Entries of a list page. */
  readonly MAX_PAGE: number;
  /** Points of an operation: see cost.ts. */
  readonly MAX_COST: number;
  /** Seconds until a request that still waits gets an error. */
  readonly REQUEST_TIMEOUT: number;
}

/** The depth below `__schema` and `__type`, which no setting changes: the usual introspection query has 15. */
const INTROSPECTION_DEPTH = 16;

/** @throws AppError COST_LIMIT_EXCEEDED with what was measured and the limit */
export function assertWithin(what: string, cost: number, limit: number): void {
  if (cost > limit) throw exceeded(what, cost, limit);
}

function exceeded(what: string, cost: number, limit: number): AppError {
  const most = limit.toLocaleString("en");
  if (!Number.isSafeInteger(cost))
    return new AppError("COST_LIMIT_EXCEEDED", `The ${what} is over ${most}.`, { limit });
  const message = `The ${what} is ${cost.toLocaleString("en")}; the limit is ${most}.`;
  return new AppError("COST_LIMIT_EXCEEDED", message, { cost, limit });
}

/** Whether a text that does not parse has too many tokens, which is another error than bad syntax. */
export function hasTooManyTokens(text: string, limit: number): boolean {
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; count <= limit; count++) if (lexer.advance().kind === TokenKind.EOF) return false;
    return true;
  } catch {
    return false;
  }
}

/**
 * Measures a parsed document before any rule of validation sees it, because some of those take time that grows
 * faster than the document. Takes time linear in the document: each fragment is measured once.
 *
 * @throws DocumentError COST_LIMIT_EXCEEDED naming each limit that is broken, GRAPHQL_VALIDATION_FAILED for a
 * fragment inside itself
 */
export function assertDocumentLimits(document: DocumentNode, limits: Limits): void {
  const { aliases, directives } = countNodes(document);
  const { depth, introspectionDepth, fields } = measureOperations(document);
  const measured = [
    ["number of aliases", aliases, limits.MAX_ALIASES],
    ["number of directives", directives, limits.MAX_DIRECTIVES],
    ["depth", depth, limits.MAX_DEPTH],
    ["depth of introspection", introspectionDepth, INTROSPECTION_DEPTH],
    ["number of fields, fragments written out,", fields, limits.MAX_FIELDS],
  ] as const;
  const broken: ErrorEntry[] = [];
  for (const [what, cost, limit] of measured) if (cost > limit) broken.push(appEntry(exceeded(what, cost, limit)));
  if (broken.length > 0) throw new DocumentError(broken);
}

/** Parts of an executable definition, a variable or a selection that are counted. */
interface Counted {
  readonly alias?: unknown;
  readonly directives?: readonly unknown[] | undefined;
  readonly variableDefinitions?: readonly Counted[] | undefined;
  readonly selectionSet?: SelectionSetNode | undefined;
}

function countNodes(document: DocumentNode): { aliases: number; directives: number } {
  const total = { aliases: 0, directives: 0 };
  const count = ({ alias, directives, variableDefinitions, selectionSet }: Counted) => {
    if (alias !== undefined) total.aliases++;
    total.directives += directives?.length ?? 0;
    variableDefinitions?.forEach(count);
    selectionSet?.selections.forEach(count);
  };
  (document.definitions as readonly Counted[]).forEach(count);
  return total;
}

/** No fragment may spread itself (GraphQL specification section 5.5.2.2); what follows relies on it. */
function cycle(name: string, fragment: FragmentDefinitionNode | undefined): DocumentError {
  const nodes = fragment === undefined ? [] : [fragment];
  const error = new GraphQLError(`Cannot spread fragment "${name}" within itself.`, { nodes });
  return DocumentError.from([error], "GRAPHQL_VALIDATION_FAILED");
}

interface Measure {
  readonly depth: number;
  readonly introspectionDepth: number;
  readonly fields: number;
}

const NOTHING: Measure = { depth: 0, introspectionDepth: 0, fields: 0 };

/** The largest measures of any operation. */
function measureOperations(document: DocumentNode): Measure {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  /** null while a fragment is being measured. */
  const measures = new Map<string, Measure | null>();

  const measureFragment = (name: string): Measure => {
    const known = measures.get(name);
    const fragment = fragments.get(name);
    if (known === null) throw cycle(name, fragment);
    if (known !== undefined) return known;
    measures.set(name, null);
    const measure = fragment === undefined ? NOTHING : measureSelections(fragment.selectionSet);
    measures.set(name, measure);
    return measure;
  };

  const measureSelections = ({ selections }: SelectionSetNode): Measure => {
    let { depth, introspectionDepth, fields } = NOTHING;
    for (const selection of selections) {
      let inner = NOTHING;
      if (selection.kind === Kind.FRAGMENT_SPREAD) inner = measureFragment(selection.name.value);
      else if (selection.selectionSet !== undefined) inner = measureSelections(selection.selectionSet);
      fields += inner.fields;
      let innerDepth = inner.depth;
      let innerIntrospection = inner.introspectionDepth;
      if (selection.kind === Kind.FIELD) {
        fields++;
        innerDepth++;
        const { value: name } = selection.name;
        if (name === "__schema" || name === "__type") {
          innerIntrospection = innerDepth;
          innerDepth = 1;
        }
      }
      depth = Math.max(depth, innerDepth);
      introspectionDepth = Math.max(introspectionDepth, innerIntrospection);
    }
    return { depth, introspectionDepth, fields };
  };

  let largest = NOTHING;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const { depth, introspectionDepth, fields } = measureSelections(definition.selectionSet);
    largest = {
      depth: Math.max(largest.depth, depth),
      introspectionDepth: Math.max(largest.introspectionDepth, introspectionDepth),
      fields: Math.max(largest.fields, fields),
    };
  }
  return largest;
}
