import type { VariableValues } from "graphql";
import { badInput } from "../../domain/errors.ts";
import { parseId } from "../../domain/id.ts";
import { ALL, type Slot } from "../../domain/reading/selection.ts";
import { seesUnpublished } from "../../domain/viewer.ts";
import { argumentOf, type Binding, pageSize } from "./arguments.ts";
import type { Selected } from "./selector.ts";

/** Values of `upTo`: the default that the schema has, and the limit. */
const DEFAULT_BOUND = 1_000;
const MAX_BOUND = 10_000;

/** The slots of one root field: the values that each request gives to its reads. */
export class Slots {
  /** By slot. */
  readonly bindings: Binding[] = [];
  /** Variables of the planned request. The arguments of other requests with this plan have the same form. */
  readonly variables: VariableValues;
  readonly pageLimit: number;
  #viewer: Slot | null = null;
  #now: Slot | null = null;

  constructor(variables: VariableValues, pageLimit: number) {
    this.variables = variables;
    this.pageLimit = pageLimit;
  }

  bind(binding: Binding): Slot {
    return { slot: this.bindings.push(binding) - 1 };
  }

  /** The viewer whose unpublished posts the field shows; null while nothing of the field depends on one. */
  get viewer(): Slot | null {
    return this.#viewer;
  }

  /** Binds the viewer, once however often it is called. */
  bindViewer({ nodes }: Selected): Slot {
    this.#viewer ??= this.bind({
      node: nodes[0],
      value: (_, viewer) => (seesUnpublished(viewer) ? ALL : viewer.userId),
    });
    return this.#viewer;
  }

  /** Filled with the time at which the field is read; null while nothing of the field depends on it. */
  get now(): Slot | null {
    return this.#now;
  }

  /** Binds the time of reading, once however often it is called. */
  bindNow({ nodes }: Selected): void {
    this.#now ??= this.bind({ node: nodes[0], value: () => null });
  }

  /** The person whom the token stands for. */
  bindPerson({ nodes }: Selected): Slot {
    return this.bind({ node: nodes[0], value: (_, viewer) => viewer.userId });
  }

  /** The argument `id`. An identifier that this server never issues names no object, so it binds as SQL NULL. */
  bindId({ definition, nodes }: Selected): Slot {
    const { node, value } = argumentOf(definition, nodes[0], "id");
    return this.bind({
      node,
      value: (variables) => {
        const id = value(variables);
        if (typeof id !== "string") throw badInput("id", "id must not be null.");
        return parseId(id);
      },
    });
  }

  /** A text argument that must not be null. */
  bindText({ definition, nodes }: Selected, name: string): Slot {
    const { node, value } = argumentOf(definition, nodes[0], name);
    return this.bind({
      node,
      value: (variables) => {
        const text = value(variables);
        if (typeof text !== "string") throw badInput(name, `${name} must not be null.`);
        return text;
      },
    });
  }

  /** The argument `upTo` of a count. */
  bindBound({ definition, nodes }: Selected): Slot {
    const { node, value } = argumentOf(definition, nodes[0], "upTo");
    return this.bind({
      node,
      value: (variables) => pageSize("upTo", value(variables) ?? DEFAULT_BOUND, MAX_BOUND),
    });
  }

  /** The argument `ids`, at most a page of them. */
  bindIds({ definition, nodes }: Selected): { ids: Slot; count: Slot } {
    const { node, value } = argumentOf(definition, nodes[0], "ids");
    const read = (variables: VariableValues): readonly unknown[] => {
      const ids = value(variables);
      if (!Array.isArray(ids)) throw badInput("ids", "ids must not be null.");
      pageSize("the number of ids", ids.length, this.pageLimit);
      return ids;
    };
    return {
      ids: this.bind({ node, value: (variables) => JSON.stringify(read(variables)) }),
      count: this.bind({ node, value: (variables) => read(variables).length }),
    };
  }
}
