import { Fragment } from "preact";
import type { AdministeredClient } from "../../documents/clients.ts";
import { GRANTS, TYPES } from "./client-words.ts";

/** Settings of a client that cannot be changed here. */
export function ReadOnlySettings({ client }: { readonly client: AdministeredClient }) {
  const facts: readonly (readonly [name: string, values: readonly string[]])[] = [
    ["Type", [TYPES[client.type]]],
    ["What it does", client.grantTypes.map((grant) => GRANTS[grant])],
    ["Redirect URIs", client.redirectUris],
    ["After signing out", client.postLogoutRedirectUris],
    ["Called at sign-out", client.backchannelLogoutUri === null ? [] : [client.backchannelLogoutUri]],
    ["Scopes", [client.scopes.join(", ")]],
    ["Keys at", client.jwksUri === null ? [] : [client.jwksUri]],
    [
      "Protection",
      [
        ...(client.dpopBound ? ["Tokens bound to a key (DPoP)"] : []),
        ...(client.mustPush ? ["Requests must be pushed (PAR)"] : []),
        ...(client.mustSign ? ["Requests must be signed"] : []),
        ...(client.certificateBound ? ["Tokens bound to its certificate"] : []),
      ],
    ],
  ];
  return (
    <dl class="facts">
      {facts
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              {values.map((value) => (
                <div key={value}>{value}</div>
              ))}
            </dd>
          </Fragment>
        ))}
    </dl>
  );
}
