import { History, type HistoryData, type HistoryEntry, RevisionText } from "../../documents/history.ts";
import { type Api, ApiFailure, type Texts } from "../../ports.ts";
import { textsOf } from "../adopt-answer.ts";

/** Stands for the text being written where a revision is chosen. */
export const TEXT = "text";

type PageEnd = NonNullable<HistoryData["post"]>["revisions"]["pageInfo"];

/** The history of a post as far as it was loaded. */
export interface LoadedHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** Entries that have a text. */
  readonly withText: readonly HistoryEntry[];
  readonly hasMore: boolean;
  /** @returns the history with the next page */
  more(): Promise<LoadedHistory>;
  /** @returns the history with this name of a revision, or without one */
  named(id: string, name: string | null): LoadedHistory;
  /** The text of a revision. Each is loaded once. @throws ApiFailure */
  text(id: string): Promise<Texts>;
}

/** @throws ApiFailure: `not-found` for a post that is not there, or not the person's to see */
export async function openHistory(api: Api, postId: string): Promise<LoadedHistory> {
  /** For each revision, the cursor after which it comes. */
  const before = new Map<string, string | null>();
  const texts = new Map<string, Promise<Texts>>();

  async function load(known: readonly HistoryEntry[], after: string | null): Promise<LoadedHistory> {
    const { post } = await api.run(History, { id: postId, ...(after !== null && { after }) });
    if (post === null) throw notFound();
    const { edges, pageInfo } = post.revisions;
    for (const [index, { node }] of edges.entries()) before.set(node.id, edges[index - 1]?.cursor ?? after);
    return loaded([...known, ...edges.map(({ node }) => node)], pageInfo);
  }

  function loaded(entries: readonly HistoryEntry[], end: PageEnd): LoadedHistory {
    return {
      entries,
      withText: entries.filter(({ title }) => title !== null),
      hasMore: end.hasNextPage,
      more: () => load(entries, end.endCursor),
      named: (id, name) =>
        loaded(
          entries.map((entry) => (entry.id === id ? { ...entry, name } : entry)),
          end,
        ),
      text,
    };
  }

  function text(id: string): Promise<Texts> {
    let loading = texts.get(id);
    if (loading === undefined) {
      loading = loadText(id);
      texts.set(id, loading);
      loading.catch(() => texts.delete(id));
    }
    return loading;
  }

  async function loadText(id: string): Promise<Texts> {
    let after = before.get(id) ?? null;
    // Revisions that were added meanwhile stand before the first: it is looked for behind them.
    for (let tries = 0; tries < 50; tries++) {
      const { post } = await api.run(RevisionText, { id: postId, ...(after !== null && { after }) });
      const [node] = post?.revisions.edges ?? [];
      if (node === undefined) break;
      if (node.node.id === id) return revisionTexts(node.node);
      after = node.cursor;
    }
    throw notFound();
  }

  return load([], null);
}

function revisionTexts({ title, body, slug, excerpt }: { [Part in keyof Texts]: string | null }): Texts {
  return textsOf({ title: title ?? "", body: body ?? "", slug, excerpt });
}

function notFound(): ApiFailure {
  return new ApiFailure({ kind: "not-found", message: "This version is no longer in the history." });
}
