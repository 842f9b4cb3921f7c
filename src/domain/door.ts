/** The two ways into this API, by the last part of their URLs. An access token may name one of them; one that names none is for both. */
export type Door = "graphql" | "mcp";
