import { emptyWords, isFiltered, type ListView } from "./list-address.ts";

interface EmptyListProps {
  readonly view: ListView;
  readonly authorName: string | null;
  readonly href: (path: string) => string;
}

export function EmptyList({ view, authorName, href }: EmptyListProps) {
  if (isFiltered(view))
    return (
      <div class="empty">
        <h2>{emptyWords(view, authorName)}</h2>
        <a class="button" href={href("/posts")}>
          Show all posts
        </a>
      </div>
    );
  return (
    <div class="empty">
      <h2>Write your first post</h2>
      <p class="muted">
        Your text is saved while you type, and nobody else reads it before you publish it. To bring posts from another
        place, send them with <code>createPost</code>: the explorer shows how.
      </p>
      <a class="button primary" href={href("/posts/new")}>
        Start writing
      </a>
    </div>
  );
}
