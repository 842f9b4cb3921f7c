import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { clientFilterOf, clientPath } from "../../src/studio/browser/clients/client-list.ts";
import {
  changesOf,
  draftErrorOf,
  draftOf,
  errorIn,
  NEW_DRAFT,
  newInputOf,
  toggled,
} from "../../src/studio/browser/clients/form/client-draft.ts";
import {
  canBeDeleted,
  readOnlyReason,
  scopeWords,
  stateOf,
} from "../../src/studio/browser/clients/form/client-words.ts";
import type { AdministeredClient } from "../../src/studio/browser/documents/clients.ts";
import { idIn } from "../../src/studio/browser/frame/href.ts";
import { ApiFailure } from "../../src/studio/browser/ports.ts";

const CLIENT: AdministeredClient = {
  ...{ id: "c1", name: "App", type: "CONFIDENTIAL", origin: "OPERATOR", scopes: ["openid", "posts:read"] },
  ...{ createdAt: "2026-11-30T10:00:00.000Z", lastUsedAt: null, disabledAt: null, disabledByOwner: false },
  ...{ owner: null, hasSecret: true, redirectUris: ["https://a.example/cb"], postLogoutRedirectUris: [] },
  ...{ backchannelLogoutUri: null, grantTypes: ["AUTHORIZATION_CODE"], firstParty: false, dpopBound: false },
  ...{ idTokenAlgorithm: "ES256", jwks: null, jwksUri: null, assertionAlgorithm: null, resourceServer: null },
  ...{ certificateSubject: null, selfSigned: false, certificateBound: false, mustPush: false, mustSign: false },
  secrets: [],
};
const DRAFT = { ...NEW_DRAFT, name: "App", redirectUris: "https://a.example/cb" };

describe("S67 the form of a client", () => {
  test("only what differs is sent", () => {
    const draft = draftOf(CLIENT);
    assert.deepEqual(changesOf(CLIENT, draft), {});
    const changed = {
      ...draft,
      ...{ name: " App 2 ", redirectUris: "https://a.example/cb\n\n https://b.example/cb", mustPush: true },
      backchannelLogoutUri: "https://a.example/out",
    };
    assert.deepEqual(changesOf(CLIENT, changed), {
      name: "App 2",
      redirectUris: ["https://a.example/cb", "https://b.example/cb"],
      backchannelLogoutUri: "https://a.example/out",
      mustPush: true,
    });
    const withKeys = { ...CLIENT, jwks: '{"keys":[]}', hasSecret: false };
    const moved = { ...draftOf(withKeys), jwks: "", jwksUri: "https://a.example/keys" };
    assert.deepEqual(changesOf(withKeys, moved), { jwks: null, jwksUri: "https://a.example/keys" });
  });

  test("a new client has exactly one proof", () => {
    const proofs = (part: Partial<typeof NEW_DRAFT>) => {
      const { jwks, jwksUri, certificateSubject, selfSigned } = newInputOf({ ...DRAFT, ...part });
      return { jwks, jwksUri, certificateSubject, selfSigned };
    };
    const none = { jwks: undefined, jwksUri: undefined, certificateSubject: undefined, selfSigned: undefined };
    assert.deepEqual(proofs({ jwks: "{}", jwksUri: "https://a.example/k" }), none);
    assert.deepEqual(proofs({ proof: "jwks", jwks: "{}", jwksUri: "x" }), { ...none, jwks: "{}" });
    assert.deepEqual(proofs({ proof: "jwksUri", jwksUri: "x" }), { ...none, jwksUri: "x" });
    assert.deepEqual(proofs({ proof: "selfSigned", jwks: "{}" }), { ...none, jwks: "{}", selfSigned: true });
    const certificateSubject = { kind: "SUBJECT_DN", value: "CN=a" };
    assert.deepEqual(proofs({ proof: "certificate", subjectValue: "CN=a" }), { ...none, certificateSubject });
    assert.deepEqual(proofs({ type: "PUBLIC", proof: "jwks", jwks: "{}" }), none);
  });

  test("mistakes are seen before the server is asked, and its own errors find their field", () => {
    assert.equal(errorIn(DRAFT), null);
    for (const [part, field] of [
      [{ name: " " }, "name"],
      [{ redirectUris: "" }, "redirectUris"],
      [{ redirectUris: "a.example/cb" }, "redirectUris"],
      [{ postLogoutRedirectUris: "https://*.a.example" }, "postLogoutRedirectUris"],
      [{ type: "PUBLIC", grantTypes: ["CLIENT_CREDENTIALS"] }, "grantTypes"],
    ] as const)
      assert.equal(errorIn({ ...DRAFT, ...part })?.field, field);
    assert.equal(errorIn({ ...DRAFT, redirectUris: "", grantTypes: ["CLIENT_CREDENTIALS"] }), null);
    const fieldOf = (field: string | null) =>
      draftErrorOf(new ApiFailure({ kind: "bad-input", message: "No.", field }))?.field;
    assert.equal(fieldOf("input.jwksUri"), "jwksUri");
    assert.equal(fieldOf("input.certificateSubject"), "subjectValue");
    assert.equal(fieldOf("input.shoes"), null);
    assert.equal(draftErrorOf(new ApiFailure({ kind: "busy", message: "" })), null);
  });

  test("choices keep their order", () => {
    assert.deepEqual(toggled(["c", "a"], "b", true, ["a", "b", "c"]), ["a", "b", "c"]);
    assert.deepEqual(toggled(["a", "b"], "a", false, ["a", "b", "c"]), ["b"]);
  });
});

describe("S67 clients in words", () => {
  test("what cannot be edited has a reason", () => {
    assert.equal(readOnlyReason(CLIENT), null);
    assert.match(readOnlyReason({ id: "https://a.example/c", origin: "DOCUMENT" }) ?? "", /document at its URL/);
    assert.match(readOnlyReason({ id: "studio", origin: "OPERATOR" }) ?? "", /belongs to the program/);
    assert.equal(canBeDeleted({ id: "explorer", origin: "OPERATOR" }), false);
    assert.equal(canBeDeleted({ id: "https://a.example/c", origin: "DOCUMENT" }), true);
  });

  test("states and scopes", () => {
    const disabledAt = "2026-11-30T10:00:00.000Z";
    assert.equal(stateOf(CLIENT).words, "Active");
    assert.equal(stateOf({ ...CLIENT, disabledAt, disabledByOwner: true }).words, "Disabled by its owner");
    assert.equal(stateOf({ ...CLIENT, owner: { id: "p", name: "Ada", isActive: false } }).isWell, false);
    assert.equal(scopeWords([]), "None");
    assert.equal(scopeWords(NEW_DRAFT.scopes), "The usual ones");
    assert.equal(scopeWords(["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
  });

  test("filters stand in the URL, and an id that is a URL fits into a path", () => {
    const query = new URLSearchParams("origin=document&state=disabled&owner=p1&q=app");
    const filter = { origin: "DOCUMENT", state: "DISABLED", ownerId: "p1", search: "app" };
    assert.deepEqual(clientFilterOf(query), filter);
    assert.deepEqual(clientFilterOf(new URLSearchParams("origin=moon")), {});
    assert.equal(clientFilterOf(new URLSearchParams("owner=ada@example.com")), null);
    assert.equal(clientPath("https://a.example/c"), "/clients/https%3A%2F%2Fa.example%2Fc");
    assert.deepEqual(["https%3A%2F%2Fa.example%2Fc", "%"].map(idIn), ["https://a.example/c", "%"]);
  });
});
