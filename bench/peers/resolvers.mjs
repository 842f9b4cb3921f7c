// Apollo Server and GraphQL Yoga batch with DataLoader, new for each request, as both recommend.
import DataLoader from "dataloader";
import { findUsers, listPosts, listPostsByAuthors } from "./database.mjs";

export const createContext = () => ({
  users: new DataLoader(async (ids) => findUsers(ids)),
  postsByAuthor: new DataLoader(async (authorIds) => listPostsByAuthors(authorIds)),
});

export const resolvers = {
  Query: {
    user: (_, { id }, context) => context.users.load(id),
    posts: (_, { first }) => listPosts(first),
  },
  User: { posts: (user, _, context) => context.postsByAuthor.load(user.id) },
  Post: { author: (post, _, context) => context.users.load(post.authorId) },
};
