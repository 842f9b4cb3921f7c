import type { GraphQLField, GraphQLSchema } from "graphql";

/** A setting of the installation that clients must know. */
interface ClientSetting {
  readonly name: string;
  /** As it is written. */
  readonly value: string;
  readonly help: string;
}

/** The installation, as far as these pages tell of it. */
export interface Installation {
  readonly operator: string;
  /** Public URL of the API, without a slash at the end. */
  readonly baseUrl: string;
  /** The OAuth issuer, character by character. */
  readonly issuer: string;
  /** The schema that the server runs; null where introspection is off. */
  readonly schema: GraphQLSchema | null;
  /** Scopes that a token needs for a field. */
  readonly scopesOf: (field: GraphQLField<unknown, unknown>) => readonly string[];
  readonly settings: readonly ClientSetting[];
  /** Scopes that the server offers. */
  readonly scopes: readonly string[];
  /** Whether callers without a token may read. */
  readonly isPublic: boolean;
  /** Whether agents find an endpoint at /mcp. */
  readonly hasAgents: boolean;
}
