import type { OwnClientFacts } from "../../documents/developers.ts";
import { kindOf } from "../facts/kinds.ts";
import { type Places, readPlaces } from "../facts/places.ts";
import { CodeTabs } from "../snippets/code-tabs.tsx";
import { type SnippetClient, snippetsFor } from "../snippets/snippets.ts";

function snippetClientOf(client: OwnClientFacts): SnippetClient {
  const { id, hasSecret, scopes, redirectUris } = client;
  return { id, hasSecret, scopes, kind: kindOf(client).name, redirectUri: redirectUris[0] ?? null };
}

/** URLs that the client needs, and code with which it works. */
export function Connect({ client }: { readonly client: OwnClientFacts }) {
  const places = readPlaces();
  const wants = wantsOf(client);
  return (
    <>
      <section class="section" aria-label="Code">
        <h2>Code</h2>
        {wants !== null && <p class="note connect-note">{wants}</p>}
        <CodeTabs snippets={snippetsFor(snippetClientOf(client), places)} />
      </section>
      <section class="section" aria-label="URLs">
        <h2>URLs</h2>
        <dl class="facts">
          {urlsFor(client, places).map(([name, url]) => (
            <div key={name} class="fact">
              <dt>{name}</dt>
              <dd>
                <code>{url}</code>
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

/** Demands of the client that the code does not meet, in a sentence; null where nothing is missing. */
function wantsOf({ type, hasSecret, dpopBound, mustPush }: OwnClientFacts): string | null {
  const wants = [
    ...(type === "CONFIDENTIAL" && !hasSecret ? ["signs its requests with its keys"] : []),
    ...(dpopBound ? ["sends a DPoP proof with each request"] : []),
    ...(mustPush ? ["pushes its sign-in requests"] : []),
  ];
  return wants.length === 0 ? null : `This client also ${wants.join(", and ")}. Add that to the code.`;
}

function urlsFor({ grantTypes }: OwnClientFacts, places: Places): readonly (readonly [name: string, url: string])[] {
  const hasBrowser = grantTypes.includes("AUTHORIZATION_CODE");
  const hasDevice = grantTypes.includes("DEVICE_CODE");
  return [
    ["Discovery", places.discovery],
    ["Issuer", places.issuer],
    ...(hasBrowser ? [["Authorization", places.authorization] as const] : []),
    ...(hasDevice ? [["Device authorization", places.device] as const] : []),
    ["Token", places.token],
    ...(hasBrowser || hasDevice ? [["Userinfo", places.userinfo] as const] : []),
    ["GraphQL", places.graphql],
  ];
}
