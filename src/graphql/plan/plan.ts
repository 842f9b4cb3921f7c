import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  type OperationDefinitionNode,
  type VariableValues,
} from "graphql";
import type { PreparedRead } from "../../domain/reading/prepared-read.ts";
import type {
  PostConnection,
  PostList,
  PostSelection,
  RootSelection,
  UserSelection,
} from "../../domain/reading/selection.ts";
import { isPostColumn, isUserColumn } from "../../domain/reading/stored-fields.ts";
import type { Conditions, Fragments } from "../documents/collect-fields.ts";
import { locationsOf } from "../documents/errors.ts";
import type { Limits } from "../documents/limits.ts";
import { requiredScopes } from "../documents/schema.ts";
import { planAdministration } from "./administration-field.ts";
import { connectionFields } from "./connections.ts";
import { costTree } from "./cost.ts";
import { deletedPostConnection } from "./deleted-posts.ts";
import { planCopyEvent, planEvent } from "./event-field.ts";
import { introspectionOf } from "./introspection.ts";
import { type ListSite, postList, userList } from "./lists.ts";
import { objectPoints, planObject } from "./object-field.ts";
import { shapeOf } from "./object-shape.ts";
import { type Answer, type PayloadContext, planPayload } from "./payloads.ts";
import { type PostPartContext, postPart, previewLinkSelection, workingCopySelection } from "./post-parts.ts";
import type { Bound, EventField, Read, RootField } from "./root-field.ts";
import { OWN_SCOPES, type Selected, Selector, unplanned } from "./selector.ts";
import { Slots } from "./slots.ts";
import { keysOf } from "./surrogate-keys.ts";

/** One operation in one variant (its `@skip` and `@include` decided), ready to run. */
export interface Plan {
  /** In the order of the answer. */
  readonly fields: readonly RootField[];
  /** Every scope that the selected fields ask for, each once, in the order of the document. */
  readonly scopes: readonly string[];
  /** The part that graphql-js answers (`__schema` and `__type`); null without such fields. */
  readonly introspection: DocumentNode | null;
}

export interface PlanOptions {
  readonly schema: GraphQLSchema;
  readonly prepareRead: (root: RootSelection) => PreparedRead;
  readonly limits: Limits;
  /** `POST_URL`. */
  readonly postUrl: string | null;
}

/** An operation, the values of its conditions, and a request whose arguments have the plan's form (see request-shape.ts). */
export interface Variant {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Fragments;
  readonly conditions: Conditions;
  readonly variables: VariableValues;
}

/**
 * Turns a validated operation into the trees that storage reads. A new field gets its case in the method named for its
 * type, or in payloads.ts for what a mutation answers with. Under the scopes `admin` and `clients:own` all is planned as it is selected.
 */
export class Planner {
  readonly #options: PlanOptions;
  readonly #variant: Variant;
  readonly #selector: Selector;
  readonly #parts: PostPartContext;
  /** Slots of the root field that is being planned. */
  #slots: Slots;

  constructor(options: PlanOptions, variant: Variant) {
    this.#options = options;
    this.#variant = variant;
    this.#selector = new Selector(options.schema, variant.fragments, variant.conditions);
    this.#parts = { selector: this.#selector, postUrl: options.postUrl, user: (field) => this.#user(field) };
    this.#slots = new Slots(variant.variables, options.limits.MAX_PAGE);
  }

  plan(): Plan {
    const { schema, limits } = this.#options;
    const { operation, fragments, variables } = this.#variant;
    const typeName = schema.getRootType(operation.operation)?.name ?? "";
    const isMutation = typeName === "Mutation";
    const context = { selector: this.#selector, pageLimit: limits.MAX_PAGE };
    const introspected: FieldNode[] = [];
    const fields = this.#selector.select(typeName, [operation]).map((field, index): RootField => {
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
      this.#slots = new Slots(variables, limits.MAX_PAGE);
      const isOwn = requiredScopes(definition).includes("clients:own");
      if (isOwn || requiredScopes(definition).includes("admin"))
        return { ...base, kind: "administration", isMutation, isOwn, ...planAdministration(field, context) };
      const points = objectPoints(typeName, name);
      if (points !== null) return { ...base, kind: "object", ...planObject(field, points, this.#selector) };
      if (name === "workingCopyEvents" && typeName === "Subscription")
        return { ...base, kind: "copyEvents", ...planCopyEvent(field, this.#selector) };
      if (typeName === "Subscription") return { ...base, kind: "events", ...this.#events(field) };
      if (isMutation) return { ...base, kind: "mutation", definition, node: nodes[0], ...this.#changed(field) };
      return { ...base, kind: "read", ...this.#read(this.#query(field)) };
    });
    const introspection = introspectionOf(operation, fragments, introspected);
    return { fields, scopes: [...this.#selector.scopes], introspection };
  }

  #query(field: Selected): RootSelection {
    const slots = this.#slots;
    switch (field.name) {
      case "viewer":
        return { kind: "user", id: slots.bindPerson(field), selection: this.#user(field, true) };
      case "user":
        return { kind: "user", id: slots.bindId(field), selection: this.#user(field) };
      case "users":
        return { kind: "users", ...userList(this.#site(field)).page, selection: this.#user(field) };
      case "usersConnection": {
        const { page, list } = userList(this.#site(field));
        const fields = connectionFields("User", field, this.#selector, slots, (node) => this.#user(node));
        return { kind: "usersConnection", ...page, list, fields };
      }
      case "post":
        return { kind: "post", id: slots.bindId(field), selection: this.#post(field), viewer: slots.bindViewer(field) };
      case "postBySlug": {
        const slug = slots.bindText(field, "slug");
        return { kind: "postBySlug", slug, selection: this.#post(field), viewer: slots.bindViewer(field) };
      }
      case "posts":
        return { kind: "posts", ...this.#posts(field, "posts") };
      case "postsConnection":
        return { kind: "postsConnection", ...this.#postConnection(field, "posts") };
      case "deletedPosts":
        return { kind: "deletedPosts", ...deletedPostConnection(this.#site(field), this.#parts) };
      case "node":
        return { kind: "node", id: slots.bindId(field), ...this.#node(field) };
      case "nodes":
        return { kind: "nodes", ...slots.bindIds(field), ...this.#node(field) };
      default:
        throw unplanned("Query", field);
    }
  }

  /** The answer of a mutation. The id of the changed object is known only after the change. */
  #changed(field: Selected): Bound & { answer: Answer } {
    const id = this.#slots.bind({ node: field.nodes[0], value: () => null });
    const viewer = this.#slots.bindViewer(field);
    const root: PayloadContext["root"] = (part, type) => {
      if (type === "PreviewLink")
        return { kind: "previewLink", id, selection: previewLinkSelection(part, this.#parts) };
      if (type === "Post") return { kind: "post", id, selection: this.#post(part), viewer };
      if (type === "WorkingCopy")
        return { kind: "workingCopy", id, selection: workingCopySelection(part, this.#parts), viewer };
      return { kind: "user", id, selection: this.#user(part, true) }; // nobody changes anybody else
    };
    const { name } = getNamedType(field.definition.type);
    if (name === "Post") {
      const { read, cost, bindings } = this.#read(root(field, name));
      return { answer: { kind: "object", read }, cost, bindings };
    }
    const read = (selection: RootSelection) => this.#read(selection);
    return { ...planPayload(field, name, { selector: this.#selector, root, read }), bindings: this.#slots.bindings };
  }

  /** The post is known when its event comes. Its reader is then chosen once for a whole audience. */
  #events(field: Selected): EventField {
    const id = this.#slots.bind({ node: field.nodes[0], value: () => null });
    const viewer = this.#slots.bindViewer(field);
    const read = (part: Selected) => this.#read({ kind: "post", id, selection: this.#post(part), viewer });
    return { ...planEvent(field, { selector: this.#selector, read }), bindings: this.#slots.bindings };
  }

  #node(field: Selected) {
    return { user: this.#user(field), post: this.#post(field), viewer: this.#slots.bindViewer(field) };
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
          return postPart(this.#site(field), this.#parts);
      }
    });
    return { type: "Post", fields };
  }

  #posts(field: Selected, name: string): PostList {
    const { page, filter } = postList(this.#site(field), name);
    return { ...page, filter, selection: this.#post(field) };
  }

  #postConnection(field: Selected, name: string): PostConnection {
    const { page, filter, list } = postList(this.#site(field), name);
    const fields = connectionFields("Post", field, this.#selector, this.#slots, (node) => this.#post(node));
    return { ...page, filter, list, fields };
  }

  #site(field: Selected): ListSite {
    return { field, slots: this.#slots };
  }

  #read(root: RootSelection): Read {
    const { viewer, now, bindings } = this.#slots;
    const whole = { ...root, ...(viewer === null ? {} : { viewer }), ...(now === null ? {} : { now }) };
    const read = this.#options.prepareRead(whole);
    return { read, cost: costTree(whole), keys: keysOf(whole), bindings };
  }
}
