/**
 * A well-known agent as it was recorded: its metadata document, its registration, and how it asks. Addresses in it are those
 * that the agent really has.
 */
export interface RecordedAgent {
  readonly name: string;
  /** The document at the URL that is its client id, without `client_id`; null for an agent that only registers. */
  readonly document: { readonly url: string; readonly metadata: Readonly<Record<string, unknown>> } | null;
  /** The body of its request to the registration endpoint. @param port the loopback port that it listens at, if it has one */
  registration(port: number): Readonly<Record<string, unknown>>;
  /** The redirect that it uses. @param port another one at each start */
  redirectUri(port: number): string;
  /** The `resource` of its requests; undefined for none. @param url as the person has typed it, such as `https://api.example/mcp` */
  resource(url: string): string | undefined;
  /** How it authenticates, where its document lets it choose. */
  readonly assertion?: { readonly alg: "RS256"; readonly keysAt: string };
}

/** What all of them register. */
export const CODE_WITH_REFRESH = {
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;
