import { USER_SCHEMA } from "../../../src/scim/model.ts";
import {
  challenged,
  empty,
  inPath,
  json,
  type Operation,
  type Paths,
  query,
  type Response,
  ref,
  type Schema,
} from "./parts.ts";

const TYPE = "application/scim+json";

const scim = (description: string, schema: Schema) => json(description, schema, TYPE);
const failure = (description: string) => scim(description, ref("ScimError"));

const SECURITY: readonly Schema[] = [{ oauth: ["scim"] }];

const DENIED: Readonly<Record<string, Response>> = {
  "401": challenged(failure("The access token is missing or does not work.")),
  "403": failure("The token is not that of a client that `UPSTREAMS` names as `scim_client`."),
};

const MISSING = failure("There is no such person among those of this service.");
const INVALID = failure("The body or a parameter is wrong.");
const TAKEN = failure("The e-mail address belongs to another account.");
const TOO_LARGE = failure("The body is too large.");
const OTHER_TYPE = failure("The body is no `application/scim+json`.");

const CHOICE = [
  query("attributes", "Attributes that the answer has, separated by commas."),
  query("excludedAttributes", "Attributes that the answer leaves out."),
];

const user = (description: string): Response => ({
  ...scim(description, ref("ScimUser")),
  headers: { location: { description: "URL of the person.", required: true, schema: { type: "string" } } },
});

const BODY = {
  required: true,
  content: { [TYPE]: { schema: ref("ScimUser") }, "application/json": { schema: ref("ScimUser") } },
};

/** SCIM 2.0 (RFC 7644), below AUTH_URL. */
export function scimPaths(): Paths {
  const common = { tags: ["SCIM"], security: SECURITY } as const;
  const id = inPath("id", "Id of the person.");
  const document = (operationId: string, what: string): Operation => ({
    ...{ ...common, operationId, summary: `Returns ${what}` },
    responses: { "200": scim("The document.", ref("ScimDocument")), ...DENIED },
  });
  return {
    "/scim/v2/Users": {
      get: {
        ...{ ...common, operationId: "listUsers", summary: "Lists the people of this service" },
        parameters: [
          query("filter", 'Such as `userName eq "ada@example.com"`.'),
          query("startIndex", "Place of the first entry, from 1.", false, { type: "integer" }),
          query("count", "Number of entries.", false, { type: "integer" }),
          ...CHOICE,
        ],
        responses: { "200": scim("A page of the list.", ref("ScimList")), "400": INVALID, ...DENIED },
      },
      post: {
        ...{ ...common, operationId: "createUser", summary: "Creates a person", parameters: CHOICE, requestBody: BODY },
        responses: {
          "201": user("The person."),
          "400": INVALID,
          ...DENIED,
          "409": TAKEN,
          "413": TOO_LARGE,
          "415": OTHER_TYPE,
        },
      },
    },
    "/scim/v2/Users/{id}": {
      get: {
        ...{ ...common, operationId: "readUser", summary: "Returns a person", parameters: [id, ...CHOICE] },
        responses: { "200": user("The person."), ...DENIED, "404": MISSING },
      },
      put: {
        ...{ ...common, operationId: "replaceUser", summary: "Replaces what is known of a person" },
        ...{ parameters: [id, ...CHOICE], requestBody: BODY },
        responses: { "200": user("The person."), "400": INVALID, ...DENIED, "404": MISSING, "409": TAKEN },
      },
      patch: {
        ...{ ...common, operationId: "changeUser", summary: "Changes a person" },
        ...{
          parameters: [id, ...CHOICE],
          requestBody: { ...BODY, content: { [TYPE]: { schema: { type: "object" } } } },
        },
        responses: { "200": user("The person."), "400": INVALID, ...DENIED, "404": MISSING, "409": TAKEN },
      },
      delete: {
        ...{ ...common, operationId: "deleteUser", summary: "Asks for the deletion of a person", parameters: [id] },
        responses: {
          "204": empty("The account is disabled, and is deleted later."),
          ...DENIED,
          "404": MISSING,
          "409": failure("The account is that of the last administrator."),
        },
      },
    },
    "/scim/v2/ServiceProviderConfig": { get: document("serviceProviderConfig", "what this service supports") },
    "/scim/v2/ResourceTypes": { get: document("resourceTypes", "the kinds of objects: users alone") },
    "/scim/v2/ResourceTypes/User": { get: document("userResourceType", "the kind of a user") },
    "/scim/v2/Schemas": { get: document("schemas", "all schemas") },
    [`/scim/v2/Schemas/${USER_SCHEMA}`]: { get: document("userSchema", "the schema of a user") },
  };
}
