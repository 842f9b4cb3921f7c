// GraphQL Yoga on node:http; its parser and validation cache is on by default, the explorer pages are off.
import { createServer } from "node:http";
import { createSchema, createYoga } from "graphql-yoga";
import { createContext, resolvers } from "./resolvers.mjs";
import { typeDefs } from "./schema.mjs";

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: createContext,
  parserAndValidationCache: true,
  graphiql: false,
  landingPage: false,
  logging: "warn",
});
createServer(yoga).listen(Number(process.env.PORT), "127.0.0.1");
