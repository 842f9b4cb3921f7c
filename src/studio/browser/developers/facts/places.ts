/** URLs that a client needs. */
export interface Places {
  readonly operator: string;
  readonly issuer: string;
  /** OpenID Connect Discovery 1.0. */
  readonly discovery: string;
  readonly authorization: string;
  readonly token: string;
  readonly userinfo: string;
  readonly device: string;
  readonly revocation: string;
  readonly graphql: string;
}

/** @param data settings that the server wrote into the page, see `session/settings.ts` */
export function placesIn(data: Readonly<Record<string, string | undefined>>): Places {
  const { issuer = "", operator = "", graphqlUrl = "" } = data;
  const metadata = JSON.parse(data.authorizationServer ?? "{}") as Readonly<Record<string, string>>;
  const text = (name: string) => metadata[name] ?? "";
  return {
    ...{ operator, issuer, graphql: graphqlUrl },
    discovery: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    authorization: text("authorization_endpoint"),
    token: text("token_endpoint"),
    userinfo: text("userinfo_endpoint"),
    device: text("device_authorization_endpoint"),
    revocation: text("revocation_endpoint"),
  };
}

/** Places of the server that this page came from. */
export function readPlaces(): Places {
  return placesIn({ ...document.documentElement.dataset });
}
