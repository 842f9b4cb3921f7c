// Mercurius: compiled by graphql-jit from the first execution on (jit: 1), look-ups batched by its loaders.
import Fastify from "fastify";
import mercurius from "mercurius";
import { findUsers, listPosts, listPostsByAuthors } from "./database.mjs";
import { typeDefs } from "./schema.mjs";

const app = Fastify({ logger: false });
app.register(mercurius, {
  schema: typeDefs,
  jit: 1,
  resolvers: {
    Query: {
      user: (_, { id }) => findUsers([id])[0],
      posts: (_, { first }) => listPosts(first),
    },
  },
  loaders: {
    User: { posts: async (queries) => listPostsByAuthors(queries.map(({ obj }) => obj.id)) },
    Post: { author: async (queries) => findUsers(queries.map(({ obj }) => obj.authorId)) },
  },
});
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
