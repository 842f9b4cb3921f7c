// PostGraphile 5 as a library on node:http, without explorer, watching or explaining, its prepared statements on. The
// three fields that our schema has otherwise than PostGraphile would derive them are added with its extendSchema, as
// plans, so that Grafast makes one SQL statement of a whole document.
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { extendSchema, gql } from "postgraphile/utils";
import { constant } from "postgraphile/grafast";

const ourSchema = extendSchema((build) => {
  const { users, posts } = build.pgResources;
  const newestFirst = ($posts, $first) => {
    $posts.where(build.sql`${$posts.alias}.status = 'PUBLISHED'`);
    $posts.orderBy({ attribute: "created_at", direction: "DESC" });
    $posts.orderBy({ attribute: "id", direction: "DESC" });
    $posts.setOrderIsUnique();
    $posts.setFirst($first);
    return $posts;
  };
  return {
    typeDefs: gql`
      extend type Query {
        user(id: ID!): User
        posts(first: Int = 100): [Post!]!
      }
      extend type User {
        posts: [Post!]!
      }
      extend type Post {
        author: User!
      }
    `,
    objects: {
      Query: {
        plans: {
          user: (_, { $id }) => users.get({ id: $id }),
          posts: (_, { $first }) => newestFirst(posts.find(), $first),
        },
      },
      User: { plans: { posts: ($user) => newestFirst(posts.find({ author_id: $user.get("id") }), constant(100)) } },
      Post: { plans: { author: ($post) => users.get({ id: $post.get("author_id") }) } },
    },
  };
});

/** PostGraphile keeps the name `id` for its own global identifiers, which are off. */
const keepIds = {
  name: "KeepIdsPlugin",
  inflection: {
    replace: { _attributeName: (previous, _, details) => previous({ ...details, skipRowId: true }) },
  },
};

const pgl = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [ourSchema, keepIds],
  disablePlugins: ["NodePlugin"],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, poolConfig: { max: 16 } })],
  grafast: { explain: false },
  grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false },
});

const server = createServer();
await pgl.createServ(grafserv).addTo(server);
server.listen(Number(process.env.PORT), "127.0.0.1");
