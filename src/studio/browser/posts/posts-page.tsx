import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { StudioApi } from "../api/client.ts";
import { loadPart } from "../frame/document/parts.ts";
import { useTitle } from "../frame/document/title.ts";
import { FailureNote } from "../frame/failure-note.tsx";
import { href } from "../frame/href.ts";
import { Icon } from "../frame/icon.tsx";
import { Late, type LatePart } from "../frame/late.tsx";
import { KeptLists } from "../frame/list/kept-lists.ts";
import { SkeletonRows } from "../frame/list/list-parts.tsx";
import type { Studio } from "../ports.ts";
import type { BulkBarProps } from "./bulk-bar.tsx";
import type { DeletedPostsProps } from "./deleted-posts.tsx";
import { EmptyList } from "./empty-list.tsx";
import { isOfDeleted, type ListView, pathOf, readView } from "./list-address.ts";
import { useListKeys } from "./list-keys.ts";
import { News } from "./list-news.tsx";
import { ListTools } from "./list-tools.tsx";
import { PostList } from "./post-list.ts";
import { PostTable } from "./post-table.tsx";
import { keptIn, NOTHING } from "./selection.ts";
import "./posts.css";

const BULK_BAR: LatePart<BulkBarProps> = {
  load: async () => (await loadPart("posts/bulk-bar", () => import("./bulk-bar.tsx"))).BulkBar,
};
const DELETED_POSTS: LatePart<DeletedPostsProps> = {
  load: async () => (await loadPart("posts/deleted-posts", () => import("./deleted-posts.tsx"))).DeletedPosts,
};

interface PostsPageProps {
  readonly studio: Studio;
  readonly api: StudioApi;
  readonly query: URLSearchParams;
  /** Ids of posts of which this device holds text that the server does not have. */
  readonly onDevice: ReadonlySet<string>;
}

const kept = new KeptLists((api: StudioApi, view: ListView) => new PostList(api, view), 8);

export function PostsPage(props: PostsPageProps) {
  const { studio, api, query } = props;
  useTitle(isOfDeleted(query) ? "Deleted posts" : "Posts");
  return (
    <>
      <header class="page-head">
        <h1 tabIndex={-1}>Posts</h1>
        <a class="button primary" href={href("/posts/new")}>
          <Icon name="plus" /> New post
        </a>
      </header>
      {isOfDeleted(query) ? <Late part={DELETED_POSTS} props={{ studio, api }} /> : <PresentPosts {...props} />}
    </>
  );
}

function PresentPosts({ studio, api, query, onDevice }: PostsPageProps) {
  const path = pathOf(readView(query));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says all of the query that counts
  const list = useMemo(() => kept.at(api, readView(query)), [path]);
  const selection = useSignal(NOTHING);
  const failures = useSignal<ReadonlyMap<string, string>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is the same in every rendering
  useEffect(() => {
    selection.value = NOTHING;
    failures.value = new Map();
    void list.reload();
    return studio.onPostEvent((event) => list.hear(event));
  }, [list]);
  const isSignedIn = studio.isSignedIn.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that becomes another loads anyway
  useEffect(() => {
    if (isSignedIn && list.failure.peek() !== null) void list.reload();
  }, [isSignedIn]);
  const rows = list.rows.value;
  const ids = (rows ?? []).map(({ id }) => id);
  useListKeys({ selection, ids, studio });
  const selected = keptIn(selection.value, ids);

  return (
    <>
      <ListTools view={list.view} studio={studio} authorName={list.authorName} href={href} />
      <News
        unseen={list.unseen.value}
        changed={list.changed.value.size + list.gone.value.size}
        onShow={() => void list.reload()}
      />
      {list.failure.value !== null && isSignedIn && (
        <FailureNote
          failure={list.failure.value}
          title={rows === null ? "The posts could not be loaded." : "The list may be old."}
          onRetry={() => void list.reload()}
        />
      )}
      {rows === null ? (
        list.isLoading.value && <SkeletonRows />
      ) : rows.length === 0 ? (
        <EmptyList view={list.view} authorName={list.authorName} href={href} />
      ) : (
        <PostTable
          {...{ list, rows, selection, failures: failures.value, onDevice, href }}
          zone={studio.server.value.timeZone}
        />
      )}
      {selected.ids.size > 0 && (
        <Late
          part={BULK_BAR}
          props={{
            ...{ api, list, studio },
            rows: (rows ?? []).filter(({ id }) => selected.ids.has(id)),
            onFailures: (all) => {
              failures.value = all;
            },
            onSelect: (next) => {
              selection.value = { ids: next, anchor: null };
            },
          }}
        />
      )}
    </>
  );
}
