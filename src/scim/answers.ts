import type { ScimPerson } from "../domain/people/scim-user.ts";
import { isActive } from "../domain/people/user.ts";
import { type Model, USER_SCHEMA } from "./model.ts";
import { MOST_RESULTS, type Query } from "./query.ts";

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** @param base URL of SCIM, such as `https://example.com/scim/v2` */
export function userLocation(base: string, { user }: ScimPerson): string {
  return `${base}/Users/${user.id}`;
}

/** A user as RFC 7643 section 4.1 has it. */
export function userResource(base: string, person: ScimPerson): Readonly<Record<string, unknown>> {
  const { user, externalId } = person;
  return {
    schemas: [USER_SCHEMA],
    id: user.id,
    ...(externalId === null ? {} : { externalId }),
    userName: user.email,
    displayName: user.name,
    name: { formatted: user.name },
    emails: [{ value: user.email, type: "work", primary: true }],
    active: isActive(user),
    meta: { resourceType: "User", created: user.createdAt, location: userLocation(base, person) },
  };
}

/** A page of a list (RFC 7644 section 3.4.2). */
export function listAnswer(total: number, resources: readonly object[], startIndex: Query["startIndex"] = 1): object {
  return { schemas: [LIST], totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources };
}

/** The features of SCIM that this server has (RFC 7643 section 5). */
export function serviceProviderConfig(base: string): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MOST_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "OAuth 2.0 bearer token",
        description: "An access token with the scope scim, of the client that UPSTREAMS names as scim_client.",
        specUri: "https://www.rfc-editor.org/info/rfc6750",
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${base}/ServiceProviderConfig` },
  };
}

/** The one type of resource (RFC 7643 section 6). */
export function userType(base: string): object {
  return {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:ResourceType"],
    ...{ id: "User", name: "User", endpoint: "/Users", description: "User Account", schema: USER_SCHEMA },
    meta: { resourceType: "ResourceType", location: `${base}/ResourceTypes/User` },
  };
}

export function userSchema(base: string, model: Model): object {
  return model.describe(`${base}/Schemas`);
}
