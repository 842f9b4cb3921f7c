import { AppError } from "../../domain/errors.ts";
import { personUrl } from "./post-fields.ts";
import { nextCursor } from "./post-reading.ts";
import { CURSOR_ARGUMENT, INTEGER, id, input, integer, listOf, output, PERSON, READS, STRING } from "./schemas.ts";
import type { ContentTool, Work } from "./tool.ts";

const PERSON_BY_ID = "query ($id: ID!) { user(id: $id) { id name createdAt } }";
const PEOPLE = `
  query ($first: Int!, $after: String) {
    usersConnection(first: $first, after: $after, orderBy: { field: NAME }) {
      edges { cursor node { id name } } pageInfo { hasNextPage }
    }
  }`;
const SELF = `
  query ($id: ID!, $person: Boolean!) {
    user(id: $id) @include(if: $person) { name } rateLimit { limit remaining resetAt }
  }`;

interface Person {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

interface PeoplePage {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string; readonly name: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

const listPeople: ContentTool = {
  name: "list_people",
  title: "List people",
  description: "Lists people by name, with their ids.",
  inputSchema: input({ cursor: CURSOR_ARGUMENT, first: integer("People. Default 20.", 1, 50) }),
  outputSchema: output({ people: listOf(PERSON), nextCursor: STRING }, ["people"]),
  annotations: READS,
  scope: "users:read",
  run: async ({ ask, results }, { cursor, first = 20 }) => {
    const variables = { first, ...(cursor === undefined ? {} : { after: cursor }) };
    const { usersConnection: page } = await ask<{ usersConnection: PeoplePage }>(PEOPLE, variables);
    return results.list(page.edges, (edges) => ({
      people: edges.map(({ node: { id, name } }) => ({ id, name })),
      ...nextCursor(edges, page),
    }));
  },
};

const getPerson: ContentTool = {
  name: "get_person",
  title: "Look up a person",
  description: "Returns the name of a person. list_posts with author lists what the person wrote.",
  inputSchema: input({ id: id("Id of the person.") }, ["id"]),
  outputSchema: output({ id: STRING, name: STRING, url: STRING, createdAt: STRING }, [
    "id",
    "name",
    "url",
    "createdAt",
  ]),
  annotations: READS,
  scope: "users:read",
  run: async (work, { id }) => {
    const person = await readPerson(work, id as string);
    return work.results.list([person], ([{ id, name, createdAt } = person]) => ({
      ...{ id, name, url: personUrl(id), createdAt },
    }));
  },
};

const whoami: ContentTool = {
  name: "whoami",
  title: "Say for whom this program acts",
  description:
    "Returns the person and the program that the access token stands for, its scopes, and what is left of its limits.",
  inputSchema: input({}),
  outputSchema: output(
    {
      person: output({ id: STRING, name: STRING }, ["id"]),
      client: STRING,
      scopes: listOf(STRING),
      writesLeft: INTEGER,
      points: output({ limit: INTEGER, remaining: INTEGER, resetAt: STRING }, ["limit", "remaining", "resetAt"]),
    },
    ["scopes", "writesLeft"],
  ),
  annotations: READS,
  scope: null,
  run: async ({ call, ask, results, has, writesLeft }) => {
    const { userId, clientId, scopes } = call.caller.viewer;
    const seesPeople = userId !== null && has("users:read");
    const { user, rateLimit } = await ask<{
      user?: { name: string } | null;
      rateLimit: { limit: number; remaining: number; resetAt: string } | null;
    }>(SELF, { id: userId ?? "", person: seesPeople });
    const name = user == null ? {} : { name: user.name };
    return results.list([name], ([name]) => ({
      ...(userId === null ? {} : { person: { id: userId, ...name } }),
      ...(clientId === null ? {} : { client: clientId }),
      scopes: [...scopes],
      writesLeft: writesLeft(),
      ...(rateLimit === null ? {} : { points: rateLimit }),
    }));
  },
};

export const PEOPLE_READING: readonly ContentTool[] = [listPeople, getPerson, whoami];

/** @throws AppError NOT_FOUND */
export async function readPerson({ ask }: Pick<Work, "ask">, id: string): Promise<Person> {
  const { user } = await ask<{ user: Person | null }>(PERSON_BY_ID, { id });
  if (user === null) throw new AppError("NOT_FOUND", "There is no person with this id.");
  return user;
}
