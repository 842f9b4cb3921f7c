import { POST } from "../../src/mcp/tools/post-fields.ts";
import { postId } from "../database.ts";
import { type Contender, interleave, type Measured, ratio } from "../measure.ts";
import { CONNECTIONS, type Scenario } from "../scenario.ts";
import { type Server, startServer } from "../servers.ts";

const VERSION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One tool call against the same read over GraphQL, on one server: in processor time, whoever of them is asked more. */
export const agents: Scenario = {
  name: "agents",
  about:
    "One post as an agent reads it, `tools/call` of `get_post`, and the same read over GraphQL, 1,000 posts in turn, which the cache of reads holds.",
  async run(bench) {
    const database = await bench.database({ engine: "sqlite", people: 10_000, postsEach: 20 });
    const ids = Array.from({ length: 1_000 }, (_, i) => postId(database.shape, i));
    const server = await startServer("ours", database);
    try {
      const contenders: Contender[] = [
        { label: "GraphQL", server, bodies: ids.map(graphqlRead) },
        {
          label: "get_post",
          server: toolCaller(server),
          bodies: ids.map(toolCall),
          request: {
            to: { path: "/mcp", contentType: "application/json" },
            answerStart: '{"jsonrpc":"2.0","id":1,"result":{',
          },
        },
      ];
      const measured = await interleave(contenders, bench.pace, CONNECTIONS);
      const [graphql, tool] = measured as [Measured, Measured];
      const value = ratio(tool, graphql, ({ cpuMicroseconds }) => cpuMicroseconds);
      return { measured, targets: [{ what: "processor time, get_post / GraphQL", value, unit: "×", atMost: 1.5 }] };
    } finally {
      await server.stop();
    }
  },
};

/** The request that `get_post` makes itself. */
function graphqlRead(id: string): string {
  return JSON.stringify({ query: POST, variables: { id, author: true } });
}

function toolCaller(server: Server): Server {
  const headers = {
    ...server.headers,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": VERSION,
    "mcp-method": "tools/call",
    "mcp-name": "get_post",
  };
  return { ...server, headers };
}

function toolCall(id: string): string {
  const params = { name: "get_post", arguments: { id }, _meta: META };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
}
