import type { Places } from "../facts/places.ts";
import { authJs, oidcClientTs, openidClient } from "./javascript.ts";
import { python } from "./python.ts";
import { curl } from "./shell.ts";
import { isServed, type Snippet, type SnippetClient } from "./snippet.ts";

export type { Snippet, SnippetClient } from "./snippet.ts";

/** Code for the client, the library that fits best first. None has the secret in it. */
export function snippetsFor(client: SnippetClient, places: Places): readonly Snippet[] {
  const writing = { client, places, scope: client.scopes.join(" ") };
  const isSite = client.redirectUri !== null && isServed(client.redirectUri);
  switch (client.kind) {
    case "web":
      return [openidClient(writing), ...(isSite ? [authJs(writing)] : []), python(writing), curl(writing)];
    case "single-page":
      return [oidcClientTs(writing), curl(writing)];
    default:
      return [openidClient(writing), python(writing), curl(writing)];
  }
}
