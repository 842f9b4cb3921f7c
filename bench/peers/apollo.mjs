// Apollo Server on Fastify (faster than its stand-alone server on Express), NODE_ENV=production, bounded cache,
// parsed documents cached: its defaults for production.
import { ApolloServer } from "@apollo/server";
import fastifyApollo from "@as-integrations/fastify";
import Fastify from "fastify";
import { createContext, resolvers } from "./resolvers.mjs";
import { typeDefs } from "./schema.mjs";

const apollo = new ApolloServer({ typeDefs, resolvers });
await apollo.start();
const app = Fastify({ logger: false });
await app.register(fastifyApollo(apollo), { context: async () => createContext() });
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
