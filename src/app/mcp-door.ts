import type { AppError } from "../domain/errors.ts";
import { agentScopes } from "../domain/scopes.ts";
import type { Viewer } from "../domain/viewer.ts";
import type { RequestHead } from "../resource-server/bearer.ts";
import { challenge } from "../resource-server/challenge.ts";
import { resourceMetadataUrl, scopesToAskFor } from "../resource-server/metadata.ts";
import { type DoorOptions, openDoor } from "./doors.ts";

/** The door for agents at /mcp: it makes a token a viewer with fewer scopes. */
export interface McpDoor {
  /**
   * The viewer has those scopes alone that count at /mcp, whatever the token has.
   *
   * @throws AppError UNAUTHENTICATED without a token or with a bad one, BAD_REQUEST for a token in the URL
   */
  authenticate(head: RequestHead): Viewer | Promise<Viewer>;
  /** The `WWW-Authenticate` value of a refusal: see `resource-server/challenge.ts`. */
  challenge(error: AppError<"UNAUTHENTICATED" | "FORBIDDEN">): string;
}

/** Null where the door is off. PUBLIC_READ does not open it: agents sign in, so that people can be told about them. */
export function openMcpDoor(options: DoorOptions): McpDoor | null {
  const { config } = options;
  if (config.MCP === "off") return null;
  const usable: readonly string[] = agentScopes(config.MCP);
  const audiences = config.MCP_AUDIENCE === "strict" ? (["mcp"] as const) : (["mcp", null] as const);
  const authenticate = openDoor("mcp", { audiences, publicRead: false }, options);
  const metadataUrl = resourceMetadataUrl(config.BASE_URL, "mcp");
  const usual = scopesToAskFor(config);
  /** By the viewer of the token, which is the same one for all requests with it. */
  const narrowed = new WeakMap<Viewer, Viewer>();
  function narrow(viewer: Viewer): Viewer {
    const known = narrowed.get(viewer);
    if (known !== undefined) return known;
    const scopes = new Set(usable.filter((scope) => viewer.scopes.has(scope)));
    const own = { ...viewer, scopes };
    narrowed.set(viewer, own);
    return own;
  }
  return {
    authenticate(head) {
      const viewer = authenticate(head);
      return viewer instanceof Promise ? viewer.then(narrow) : narrow(viewer);
    },
    challenge: (error) => challenge(error, metadataUrl, usual),
  };
}
