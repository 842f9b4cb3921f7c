import { execute, type GraphQLSchema, parse } from "graphql";
import { type Article, type Content, newestFirst, type Person } from "./memory.ts";

/** What graphql-js itself answers from the same content, with one plain function per link. */
export function referenceAnswer(
  schema: GraphQLSchema,
  content: Content,
  query: string,
  variableValues: object,
): string {
  const page = (articles: readonly Article[], first: number | null | undefined) =>
    newestFirst(articles)
      .slice(0, first ?? 100)
      .map(post);
  const user = (person: Person | undefined): unknown =>
    person && {
      ...person,
      posts: ({ first }: { first?: number | null }) =>
        page(
          content.articles.filter(({ authorId }) => authorId === person.id),
          first,
        ),
    };
  const post = (article: Article): unknown => ({
    ...article,
    author: () => user(content.people.find(({ id }) => id === article.authorId)),
  });
  const rootValue = {
    user: ({ id }: { id: string }) => user(content.people.find((person) => person.id === id)),
    posts: ({ first }: { first?: number | null }) => page(content.articles, first),
  };
  const result = execute({ schema, document: parse(query), rootValue, variableValues: { ...variableValues } });
  return JSON.stringify(result);
}
