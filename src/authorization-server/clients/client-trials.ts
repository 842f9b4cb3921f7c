import { type Client as EngineClient, errors, type interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";

/** Owners who try the sign-in of their own clients, at a page of the studio. */
export interface ClientTrials {
  /** Whether the URI is the page of the studio, and the owner of the client tries it now. */
  isUri(client: EngineClient, uri: string): boolean;
  /** Whether pages of the origin may read answers for the client, because its owner tries it now. */
  isOrigin(client: EngineClient, origin: string): boolean;
  /** A check of the engine's policy: nobody but the owner is sent to that page with a code. */
  check(Check: typeof interactionPolicy.Check): interactionPolicy.Check;
}

/** @param uri of the page of the studio; null where there is no studio @param now milliseconds of Unix time */
export function openClientTrials(uri: string | null, now: () => number): ClientTrials {
  const origin = uri === null ? null : new URL(uri).origin;
  const isOpen = ({ trial_until: until, redirectUris = [] }: EngineClient) =>
    typeof until === "string" && Date.parse(until) > now() && redirectUris.length > 0;

  /** Whether the request is a trial, however long ago it began: a client may have registered the page itself. */
  function isTrial({ client, params }: KoaContextWithOIDC["oidc"]): boolean {
    return client !== undefined && params?.redirect_uri === uri && client.redirectUris?.includes(uri ?? "") !== true;
  }
  return {
    isUri: (client, given) => given === uri && isOpen(client),
    isOrigin: (client, given) => given === origin && isOpen(client),
    check: (Check) =>
      new Check("trial_of_another", "only its owner tries a client", "access_denied", ({ oidc }) => {
        const person = oidc.session?.accountId;
        if (uri === null || person === undefined || !isTrial(oidc) || person === oidc.client?.owner_id) return false;
        throw new errors.AccessDenied("only the owner of the client can try its sign-in");
      }),
  };
}
