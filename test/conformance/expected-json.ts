import type { Id } from "../../src/domain/id.ts";
import type {
  PostList,
  PostSelection,
  RootSelection,
  Slot,
  SlotValues,
  UserSelection,
} from "../../src/domain/selection.ts";

/** What the store was filled with. */
export interface Content {
  readonly users: { readonly id: Id; readonly name: string; readonly email: string }[];
  readonly posts: { id: Id; authorId: Id; title: string; body: string; createdAt: string }[];
}

type User = Content["users"][number];
type Post = Content["posts"][number];

/** The oracle: the same selection read field by field in plain JavaScript. */
export function expectedJson(content: Content, root: RootSelection, values: SlotValues): string {
  const at = ({ slot }: Slot) => values[slot];
  const newestFirst = content.posts.toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id));

  function userJson(selection: UserSelection, user: User): object {
    return Object.fromEntries(
      selection.fields.map((field) => {
        if (field.kind === "column") return [field.key, user[field.column]];
        if (field.kind === "constant") return [field.key, field.value];
        return [
          field.key,
          listJson(
            field,
            newestFirst.filter((post) => post.authorId === user.id),
          ),
        ];
      }),
    );
  }

  function postJson(selection: PostSelection, post: Post): object {
    return Object.fromEntries(
      selection.fields.map((field) => {
        if (field.kind === "column") return [field.key, post[field.column]];
        if (field.kind === "constant") return [field.key, field.value];
        const author = content.users.find((user) => user.id === post.authorId);
        return [field.key, author === undefined ? null : userJson(field.selection, author)];
      }),
    );
  }

  function listJson(list: PostList, posts: readonly Post[]): object[] {
    return posts.slice(0, Number(at(list.first))).map((post) => postJson(list.selection, post));
  }

  switch (root.kind) {
    case "user": {
      const user = content.users.find(({ id }) => id === at(root.id));
      return JSON.stringify(user === undefined ? null : userJson(root.selection, user));
    }
    case "post": {
      const post = content.posts.find(({ id }) => id === at(root.id));
      return JSON.stringify(post === undefined ? null : postJson(root.selection, post));
    }
    case "posts":
      return JSON.stringify(listJson(root, newestFirst));
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
