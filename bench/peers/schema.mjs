// The slice of our schema that the scenarios touch.
export const typeDefs = `
  type Query {
    user(id: ID!): User
    posts(first: Int = 100): [Post!]!
  }
  type User {
    id: ID!
    name: String!
    email: String!
    posts: [Post!]!
  }
  type Post {
    id: ID!
    title: String!
    createdAt: String!
    author: User!
  }
`;
