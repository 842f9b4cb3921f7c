import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  type VariableValues,
} from "graphql";
import { badInput } from "../../domain/errors.ts";
import { parseId } from "../../domain/id.ts";
import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import {
  ALL,
  type PostConnection,
  type PostList,
  type PostSelection,
  type RootSelection,
  type Slot,
  type UserConnection,
  type UserList,
  type UserSelection,
} from "../../domain/reading/selection.ts";
import { isPostColumn, isUserColumn } from "../../domain/reading/stored-fields.ts";
import { seesUnpublished } from "../../domain/viewer.ts";
import type { Conditions, Fragments } from "../documents/collect-fields.ts";
import { locationsOf } from "../documents/errors.ts";
import type { Limits } from "../documents/limits.ts";
import { requiredScopes } from "../documents/schema.ts";
import { planAdministration } from "./administration-field.ts";
import { argumentOf, type Binding, pageSize } from "./arguments.ts";
import { connectionFields } from "./connections.ts";
import { costTree } from "./cost.ts";
import { planEvent } from "./event-field.ts";
import { hasUnpublished, type ListSite, postList, userList } from "./lists.ts";
import { shapeOf } from "./object-shape.ts";
import { type Answer, planPayload } from "./payloads.ts";
import type { Bound, EventField, Read, RootField } from "./root-field.ts";
import { type Selected, Selector, unplanned } from "./selector.ts";
import { keysOf } from "./surrogate-keys.ts";

/** One operation in one variant (its `@skip` and `@include` decided), ready to run. */
export interface Plan {
  /** In the order of the answer. */
  readonly fields: readonly RootField[];
  /** Every scope that the selected fields ask for, each once, in the order of the document. */
  readonly scopes: readonly string[];
  /** What graphql-js answers by itself (`__schema` and `__type`); null when there is none of it. */
  readonly introspection: DocumentNode | null;
}

export interface PlanOptions {
  readonly schema: GraphQLSchema;
  readonly prepareRead: (root: RootSelection) => PreparedRead;
  readonly limits: Limits;
}

/** What a plan is made for: the values of conditions, and a request whose arguments have the plan's form (see shape.ts). */
export interface Variant {
  readonly conditions: Conditions;
  readonly variables: VariableValues;
}

/**
 * Turns a validated operation into the trees that storage reads. A new field gets its case in the method named for its
 * type, or in payloads.ts for what a mutation answers with. Under the scope `admin` all is planned as it is selected.
 */
export class Planner {
  readonly #options: PlanOptions;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: Fragments;
  readonly #variables: VariableValues;
  readonly #selector: Selector;
  #bindings: Binding[] = [];
  #viewer: Slot | null = null;

  constructor(options: PlanOptions, operation: OperationDefinitionNode, fragments: Fragments, variant: Variant) {
    this.#options = options;
    this.#operation = operation;
    this.#fragments = fragments;
    this.#variables = variant.variables;
    this.#selector = new Selector(options.schema, fragments, variant.conditions);
  }

  plan(): Plan {
    const typeName = this.#options.schema.getRootType(this.#operation.operation)?.name ?? "";
    const isMutation = typeName === "Mutation";
    const context = { selector: this.#selector, pageLimit: this.#options.limits.page };
    const introspected: FieldNode[] = [];
    const fields = this.#selector.select(typeName, [this.#operation]).map((field, index): RootField => {
      const { key, name, nodes, definition } = field;
      const base = {
        key,
        prefix: `${index === 0 ? "" : ","}"${key}":`,
        isNullable: !isNonNullType(definition.type),
        locations: locationsOf(nodes[0]),
      };
      if (name === "__typename") return { ...base, kind: "constant", json: `"${typeName}"` };
      if (name === "__schema" || name === "__type") {
        introspected.push(...nodes);
        return { ...base, kind: "introspection" };
      }
      if (name === "rateLimit") return { ...base, kind: "rateLimit", shape: shapeOf(field, this.#selector) };
      this.#bindings = [];
      this.#viewer = null;
      if (requiredScopes(definition).includes("admin"))
        return { ...base, kind: "administration", isMutation, ...planAdministration(field, context) };
      if (typeName === "Subscription") return { ...base, kind: "events", ...this.#events(field) };
      if (isMutation) return { ...base, kind: "mutation", definition, node: nodes[0], ...this.#changed(field) };
      return { ...base, kind: "read", ...this.#read(this.#query(field)) };
    });
    return { fields, scopes: [...this.#selector.scopes], introspection: this.#introspection(introspected) };
  }

  #query(field: Selected): RootSelection {
    switch (field.name) {
      case "viewer": {
        const id = this.#bind({ node: field.nodes[0], value: (_, viewer) => viewer.userId });
        return { kind: "user", id, selection: this.#user(field, true) };
      }
      case "user":
        return { kind: "user", id: this.#id(field), selection: this.#user(field) };
      case "users":
        return { kind: "users", ...this.#users(field) };
      case "usersConnection":
        return { kind: "usersConnection", ...this.#userConnection(field) };
      case "post":
        return { kind: "post", id: this.#id(field), selection: this.#post(field), viewer: this.#bindViewer(field) };
      case "posts":
        return { kind: "posts", ...this.#posts(field, "posts") };
      case "postsConnection":
        return { kind: "postsConnection", ...this.#postConnection(field, "posts") };
      case "node":
        return { kind: "node", id: this.#id(field), ...this.#node(field) };
      case "nodes":
        return { kind: "nodes", ...this.#ids(field), ...this.#node(field) };
      default:
        throw unplanned("Query", field);
    }
  }

  /** What a mutation answers with: of the object that it changed, the id is known only when the change is done. */
  #changed(field: Selected): Bound & { answer: Answer } {
    const id = this.#bind({ node: field.nodes[0], value: () => null });
    const viewer = this.#bindViewer(field);
    const root = (part: Selected, type: "Post" | "User"): RootSelection =>
      type === "Post"
        ? { kind: "post", id, selection: this.#post(part), viewer }
        : { kind: "user", id, selection: this.#user(part, true) }; // nobody changes anybody else
    const { name } = getNamedType(field.definition.type);
    if (name === "Post") {
      const { read, cost, bindings } = this.#read(root(field, name));
      return { answer: { kind: "object", read }, cost, bindings };
    }
    const read = (selection: RootSelection) => this.#read(selection);
    return { ...planPayload(field, name, { selector: this.#selector, root, read }), bindings: this.#bindings };
  }

  /** Which post each event is about is known when it comes; who reads it then is decided for all of an audience at once. */
  #events(field: Selected): EventField {
    const id = this.#bind({ node: field.nodes[0], value: () => null });
    const viewer = this.#bindViewer(field);
    const read = (part: Selected) => this.#read({ kind: "post", id, selection: this.#post(part), viewer });
    return { ...planEvent(field, { selector: this.#selector, read }), bindings: this.#bindings };
  }

  #node(field: Selected) {
    return { user: this.#user(field), post: this.#post(field), viewer: this.#bindViewer(field) };
  }

  /** @param isViewer whether it is the person whom the token stands for */
  #user(parent: Selected, isViewer = false): UserSelection {
    const fields = this.#selector
      .select("User", parent.nodes, isViewer ? OWN_SCOPES : {})
      .map((field): UserSelection["fields"][number] => {
        const { key, name } = field;
        switch (name) {
          case "__typename":
            return { kind: "constant", key, value: "User" };
          case "posts":
            return { kind: "posts", key, ...this.#posts(field, "User.posts") };
          case "postsConnection":
            return { kind: "postsConnection", key, ...this.#postConnection(field, "User.posts") };
          default:
            if (isUserColumn(name)) return { kind: "column", key, column: name };
            throw unplanned("User", field);
        }
      });
    return { type: "User", fields };
  }

  #post(parent: Selected): PostSelection {
    const fields = this.#selector.select("Post", parent.nodes).map((field): PostSelection["fields"][number] => {
      const { key, name } = field;
      switch (name) {
        case "__typename":
          return { kind: "constant", key, value: "Post" };
        case "author":
          return { kind: "author", key, selection: this.#user(field) };
        default:
          if (isPostColumn(name)) return { kind: "column", key, column: name };
          throw unplanned("Post", field);
      }
    });
    return { type: "Post", fields };
  }

  #posts(field: Selected, name: string): PostList {
    const { page, filter } = this.#postList(field, name);
    return { ...page, filter, selection: this.#post(field) };
  }

  #postConnection(field: Selected, name: string): PostConnection {
    const { page, filter, list } = this.#postList(field, name);
    const fields = connectionFields("Post", field, this.#selector, (node) => this.#post(node));
    return { ...page, filter, list, fields };
  }

  #postList(field: Selected, name: string) {
    const found = postList(this.#site(field), name);
    if (hasUnpublished(found.filter)) this.#bindViewer(field);
    return found;
  }

  #users(field: Selected): UserList {
    return { ...userList(this.#site(field)).page, selection: this.#user(field) };
  }

  #userConnection(field: Selected): UserConnection {
    const { page, list } = userList(this.#site(field));
    return { ...page, list, fields: connectionFields("User", field, this.#selector, (node) => this.#user(node)) };
  }

  #site({ definition, nodes }: Selected): ListSite {
    return {
      definition,
      node: nodes[0],
      variables: this.#variables,
      pageLimit: this.#options.limits.page,
      bind: (binding) => this.#bind(binding),
    };
  }

  /** What is no identifier of ours names no object, so it binds as SQL NULL. */
  #id({ definition, nodes }: Selected): Slot {
    const { node, value } = argumentOf(definition, nodes[0], "id");
    return this.#bind({
      node,
      value: (variables) => {
        const id = value(variables);
        if (typeof id !== "string") throw badInput("id", "id must not be null.");
        return parseId(id);
      },
    });
  }

  #ids({ definition, nodes }: Selected): { ids: Slot; count: Slot } {
    const { node, value } = argumentOf(definition, nodes[0], "ids");
    const read = (variables: VariableValues): readonly unknown[] => {
      const ids = value(variables);
      if (!Array.isArray(ids)) throw badInput("ids", "ids must not be null.");
      pageSize("the number of ids", ids.length, this.#options.limits.page);
      return ids;
    };
    return {
      ids: this.#bind({ node, value: (variables) => JSON.stringify(read(variables)) }),
      count: this.#bind({ node, value: (variables) => read(variables).length }),
    };
  }

  /** Once for each root field: whose unpublished posts are seen in it. */
  #bindViewer({ nodes }: Selected): Slot {
    this.#viewer ??= this.#bind({
      node: nodes[0],
      value: (_, viewer) => (seesUnpublished(viewer) ? ALL : viewer.userId),
    });
    return this.#viewer;
  }

  #bind(binding: Binding): Slot {
    return { slot: this.#bindings.push(binding) - 1 };
  }

  #read(root: RootSelection): Read {
    const whole = this.#viewer === null ? root : { ...root, viewer: this.#viewer };
    const read = this.#options.prepareRead(whole);
    return { read, cost: costTree(whole), keys: keysOf(whole), bindings: this.#bindings };
  }

  #introspection(selections: readonly FieldNode[]): DocumentNode | null {
    if (selections.length === 0) return null;
    const operation = { ...this.#operation, selectionSet: { kind: Kind.SELECTION_SET, selections } } as const;
    return { kind: Kind.DOCUMENT, definitions: [operation, ...this.#fragments.values()] };
  }
}

/** Instead of what the schema asks: of a person's own data, the scopes of OpenID Connect are enough. */
const OWN_SCOPES = { email: ["email"] };
