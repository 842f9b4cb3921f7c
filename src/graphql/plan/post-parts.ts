import type {
  PartSelection,
  PlannedUpdateSelection,
  PostSelection,
  PreviewLinkSelection,
  RevisionConnection,
  RevisionSelection,
  UserSelection,
  WorkingCopySelection,
} from "../../domain/reading/selection.ts";
import {
  isPlannedUpdateColumn,
  isPreviewLinkColumn,
  isRevisionColumn,
  isWorkingCopyColumn,
} from "../../domain/reading/stored-fields.ts";
import { connectionFields } from "./connections.ts";
import { type ListSite, revisionList } from "./lists.ts";
import { type Selected, type Selector, unplanned } from "./selector.ts";

export interface PostPartContext {
  readonly selector: Selector;
  /** Plans what is selected of a person. */
  readonly user: (field: Selected) => UserSelection;
  /** POST_URL. */
  readonly postUrl: string | null;
}

/** A field of a post that no column of its row has. */
export function postPart(site: ListSite, context: PostPartContext): PostSelection["fields"][number] {
  const { field, slots } = site;
  const { key, name } = field;
  switch (name) {
    case "url":
      return { kind: name, key, template: context.postUrl };
    case "viewerCanUpdate":
      slots.bindViewer(field);
      return { kind: name, key };
    case "workingCopy":
      slots.bindViewer(field);
      return { kind: name, key, selection: workingCopySelection(field, context) };
    case "plannedUpdate":
      slots.bindViewer(field);
      return { kind: name, key, selection: plannedUpdateSelection(field, context) };
    case "revisions":
      slots.bindViewer(field);
      return { kind: name, key, ...revisionConnection(site, context) };
    case "previewLinks":
      slots.bindViewer(field);
      slots.bindNow(field);
      return { kind: name, key, selection: previewLinkSelection(field, context) };
    default:
      throw unplanned("Post", field);
  }
}

export function workingCopySelection(parent: Selected, context: PostPartContext): WorkingCopySelection {
  return partSelection("WorkingCopy", "updatedBy", isWorkingCopyColumn, parent, context);
}

function plannedUpdateSelection(parent: Selected, context: PostPartContext): PlannedUpdateSelection {
  return partSelection("PlannedUpdate", "plannedBy", isPlannedUpdateColumn, parent, context);
}

function revisionConnection(site: ListSite, context: PostPartContext): RevisionConnection {
  const { page, list } = revisionList(site);
  const revision = (node: Selected) => revisionSelection(node, context);
  return {
    ...page,
    list,
    fields: connectionFields("PostRevision", site.field, context.selector, site.slots, revision),
  };
}

function revisionSelection(parent: Selected, context: PostPartContext): RevisionSelection {
  return partSelection("PostRevision", "person", isRevisionColumn, parent, context);
}

export function previewLinkSelection(parent: Selected, context: PostPartContext): PreviewLinkSelection {
  return partSelection("PreviewLink", "createdBy", isPreviewLinkColumn, parent, context);
}

/** @param person the field with the person who made it */
function partSelection<Type extends string, Column extends string>(
  type: Type,
  person: string,
  isColumn: (name: string) => name is Column,
  parent: Selected,
  { selector, user }: PostPartContext,
): PartSelection<Type, Column> {
  const fields = selector.select(type, parent.nodes).map((field): PartSelection<Type, Column>["fields"][number] => {
    const { key, name } = field;
    if (name === "__typename") return { kind: "constant", key, value: type };
    if (name === person) return { kind: "person", key, selection: user(field) };
    if (isColumn(name)) return { kind: "column", key, column: name };
    throw unplanned(type, field);
  });
  return { type, fields };
}
