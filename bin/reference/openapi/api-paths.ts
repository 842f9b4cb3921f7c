import {
  challenged,
  empty,
  inPath,
  json,
  later,
  MALFORMED,
  type Paths,
  page,
  query,
  type Response,
  ref,
  type Schema,
  text,
} from "./parts.ts";

const GRAPHQL_TYPES = ["application/graphql-response+json", "application/json"];

const answer = (description: string) => json(description, ref("GraphQLResponse"), GRAPHQL_TYPES);

/** The token is optional: with `PUBLIC_READ`, and for a few fields. */
const TOKEN: readonly Schema[] = [{ bearer: [] }, {}];

const AGENT_TOKEN: readonly Schema[] = [{ bearer: [] }];

const FAILED: Readonly<Record<string, Response>> = {
  "400": {
    description: "The request, its document or its arguments are wrong. Nothing ran.",
    content: {
      "application/graphql-response+json": { schema: ref("GraphQLResponse") },
      "application/json": { schema: { oneOf: [ref("GraphQLResponse"), ref("Failure")] } },
    },
  },
  "401": challenged(answer("The access token is missing or does not work, or its sign-in is too old.")),
  "403": challenged(answer("The access token lacks a scope.")),
  "406": answer("No media type of `Accept` fits, or a subscription was sent without event streams."),
  "429": later(answer("The token or the IP address has spent its points.")),
  "503": later(answer("The server is busy. Nothing was changed.")),
};

const malformed = json(MALFORMED, ref("Failure"));

const events = { "text/event-stream": { schema: { type: "string", description: "Events of a subscription." } } };

export function apiPaths(): Paths {
  const common = { tags: ["GraphQL"], security: TOKEN } as const;
  const messages = { anyOf: [ref("McpMessage"), ref("McpBatch")] };
  const rpc = (description: string) => json(description, ref("McpMessage"));
  const metadata = (operationId: string, of: string) => ({
    get: {
      ...{ operationId, tags: ["OAuth 2.0"], security: [] },
      summary: `Returns the metadata of ${of} as a protected resource (RFC 9728)`,
      responses: {
        "200": json("Metadata.", ref("ResourceMetadata")),
        "400": malformed,
        "503": later(json("The server is busy.", ref("Failure"))),
      },
    },
  });
  return {
    "/graphql": {
      get: {
        ...{ ...common, operationId: "graphqlGet", summary: "Runs a query" },
        description:
          "A browser that asks for HTML gets the explorer. With `Accept: text/event-stream`, subscriptions run too.",
        parameters: [
          query("query", "Document."),
          query("operationName", "Operation of the document that runs."),
          query("variables", "Values for its variables, as JSON."),
          query("extensions", "`persistedQuery`, as JSON, for a document that the server knows."),
        ],
        responses: {
          "200": withTypes(answer("The answer, which may contain errors of fields."), {
            ...events,
            ...page("").content,
          }),
          "304": empty("Nothing has changed since the answer with this `ETag`."),
          ...FAILED,
          "405": answer("The document is a mutation, which must be sent by POST."),
        },
      },
      post: {
        ...{ ...common, operationId: "graphqlPost", summary: "Runs a query, a mutation or a subscription" },
        description: "The header `Idempotency-Key` makes it safe to repeat a mutation.",
        requestBody: { required: true, content: { "application/json": { schema: ref("GraphQLRequest") } } },
        responses: {
          "200": withTypes(answer("The answer, which may contain errors of fields."), events),
          ...FAILED,
          "409": later(answer("A request with the same `Idempotency-Key` is running.")),
          "413": answer("The body is too large (`MAX_BODY`)."),
          "415": answer("The body is no JSON in UTF-8, or is compressed."),
          "422": answer("The `Idempotency-Key` was used with another request."),
        },
      },
    },
    "/schema.graphql": {
      get: {
        ...{
          tags: ["GraphQL"],
          security: [],
          operationId: "schema",
          summary: "Returns the schema in its own language",
        },
        description: "Answers 404 with `INTROSPECTION=false`.",
        responses: {
          "200": text("The schema."),
          "400": malformed,
          "304": empty("Nothing has changed since the answer with this `ETag`."),
        },
      },
    },
    "/mcp": {
      post: {
        ...{ operationId: "mcp", tags: ["Agents"], security: AGENT_TOKEN },
        summary: "Takes a message of the Model Context Protocol",
        description: "Streamable HTTP without sessions. Answers 404 with `MCP=off`.",
        requestBody: { required: true, content: { "application/json": { schema: messages } } },
        responses: {
          "200": withTypes(json("The answer to a request, or to each of a batch.", messages), {
            "text/event-stream": {
              schema: { type: "string", description: "Notifications, and the answer at their end." },
            },
          }),
          "202": empty("A notification was taken."),
          "400": rpc("The message or a header is wrong."),
          "401": challenged(rpc("The access token is missing or does not work.")),
          "403": rpc("The token lacks a scope, or the page that sent the request is not allowed here."),
          "404": rpc("The method is unknown."),
          "406": rpc("No media type of `Accept` fits."),
          "415": rpc("The body is no JSON."),
          "429": later(rpc("The token or the IP address has spent its points.")),
          "503": later(rpc("The server is busy. Nothing was changed.")),
        },
      },
    },
    "/.well-known/oauth-protected-resource": metadata("resourceMetadata", "the API"),
    "/.well-known/oauth-protected-resource/{door}": {
      get: {
        ...metadata("doorMetadata", "a door of the API").get,
        parameters: [inPath("door", "`graphql` or `mcp`.")],
      },
    },
  };
}

/** For operators and their tools. */
export function operatorPaths(): Paths {
  const health = (description: string) => json(description, ref("Health"));
  const common = { tags: ["Operation"], security: [] } as const;
  return {
    "/livez": {
      get: {
        ...{ ...common, operationId: "livez", summary: "Tells whether the process answers" },
        responses: { "200": health("It does."), "400": malformed },
      },
    },
    "/readyz": {
      get: {
        ...{ tags: ["Operation"], security: [{ metricsToken: [] }, { bearer: [] }, {}], operationId: "readyz" },
        summary: "Tells whether the process can do its work",
        parameters: [
          query("verbose", "Shows each check with its reason, to callers with `METRICS_TOKEN` and to administrators."),
        ],
        responses: {
          "200": health("It can."),
          "400": malformed,
          "401": challenged(json("`verbose` needs a token that is missing or wrong.", ref("Message"))),
          "503": later(health("A check fails, or the process is stopping.")),
        },
      },
    },
    "/metrics": {
      get: {
        ...{ tags: ["Operation"], security: [{ metricsToken: [] }, {}], operationId: "metrics" },
        summary: "Returns metrics in the text format of Prometheus, or in OpenMetrics 1.0",
        description: "On `PORT`, or on `OPERATIONS_PORT` if that is set.",
        responses: {
          "200": withTypes(text("Metrics."), text("Metrics.", "application/openmetrics-text").content),
          "401": challenged(
            json("The token is missing or wrong, or the caller is on another machine.", ref("Message")),
          ),
          "503": later(health("The metrics of the workers cannot be summed up now.")),
        },
      },
    },
  };
}

function withTypes(response: Response, more: Response["content"]): Response {
  return { ...response, content: { ...response.content, ...more } };
}
