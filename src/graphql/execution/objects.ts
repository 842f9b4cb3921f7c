import { AppError } from "../../domain/errors.ts";
import { findPreview, type PreviewSlice, type PreviewTokens } from "../../domain/posts/previews.ts";
import { type RenderMarkdown, renderBody, slugOf } from "../../domain/posts/rendering.ts";
import { POST_FIELDS } from "../../domain/reading/stored-fields.ts";
import { assertText } from "../../domain/text.ts";
import type { Viewer } from "../../domain/viewer.ts";

/** `ServerInfo` of the schema. */
export interface ServerInfo {
  readonly operatorName: string;
  readonly maxRequestBytes: number;
  readonly maxTitleLength: number;
  readonly maxBodyLength: number;
  readonly timeZone: string;
  readonly postUrl: string | null;
  readonly revisionDays: number;
  readonly deletedDays: number;
  /** `ClientRegistrants` of the schema. */
  readonly clientsBy: string;
  readonly build: string;
}

interface ObjectContext {
  readonly store: PreviewSlice;
  readonly viewer: Viewer;
  readonly serverInfo: ServerInfo;
  readonly previewTokens: PreviewTokens;
  readonly renderMarkdown: RenderMarkdown;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

type Query = (context: ObjectContext, args: Readonly<Record<string, unknown>>) => unknown;

/** Queries of a few values, which no list holds. The arguments come coerced by the schema, so their types are known. */
const OBJECTS: Readonly<Record<string, Query>> = {
  viewerRole: ({ viewer }) => viewer.role?.toUpperCase() ?? null,
  serverInfo: ({ serverInfo }) => serverInfo,
  renderMarkdown: ({ renderMarkdown }, { markdown, title }) =>
    rendered(renderMarkdown, markdown as string, (title as string | null | undefined) ?? null),
  preview: ({ store, previewTokens, renderMarkdown, now }, { token }) =>
    findPreview({ store, renderMarkdown, now: now() }, previewTokens.hash(token as string)),
};

/** @throws AppError INTERNAL for a field of the schema that nothing answers */
export function objectNamed(name: string): Query {
  const query = OBJECTS[name];
  if (query === undefined) throw new AppError("INTERNAL", `schema.graphql has Query.${name}, which nothing answers.`);
  return query;
}

/** @throws AppError BAD_USER_INPUT for what no post may have */
async function rendered(renderMarkdown: RenderMarkdown, markdown: string, title: string | null) {
  assertText("markdown", markdown, POST_FIELDS.body.length);
  if (title !== null) assertText("title", title, { ...POST_FIELDS.title.length, min: 0 });
  return { ...(await renderBody(renderMarkdown, markdown)), slug: title === null ? null : slugOf(title) };
}
