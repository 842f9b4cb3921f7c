import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  AUTHENTICATED_PATHS,
  CLIENT_PATHS,
  engineRoutes,
  isClientPath,
  isLimited,
  PATHS,
  PUBLIC_PATHS,
} from "../../src/authorization-server/http/endpoints.ts";

describe("the table of endpoints", () => {
  test("every endpoint for clients but userinfo wants to know which client it is", () => {
    const authenticated = ["/token", "/introspect", "/revoke", "/par", "/device/auth"];
    assert.deepEqual([...AUTHENTICATED_PATHS].sort(), authenticated.sort());
    assert.deepEqual([...CLIENT_PATHS].sort(), [...authenticated, "/userinfo"].sort());
  });

  test("A47 requests that strangers can make us work for are limited", () => {
    for (const path of ["/authorize", "/device", "/userinfo"]) assert.equal(isLimited("GET", path), true, path);
    for (const { url, method } of engineRoutes(""))
      if (method.includes("POST")) assert.equal(isLimited("POST", url), true, url);
    for (const path of ["/interaction/:uid/sign-in", "/account/sign-in", "/account/password", "/setup"])
      assert.equal(isLimited("POST", path), true, path);
    for (const path of ["/jwks", "/", "/account", "/.well-known/openid-configuration"])
      assert.equal(isLimited("GET", path), false, path);
    assert.equal(isLimited("OPTIONS", "/token"), false);
  });

  test("keys and metadata are for anybody; errors are JSON there, and on pages they are pages", () => {
    assert.deepEqual(
      [...PUBLIC_PATHS].sort(),
      ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/jwks"].sort(),
    );
    for (const path of ["/register", "/register/abc", "/token", "/jwks"]) assert.equal(isClientPath(path), true, path);
    for (const path of ["/authorize", "/device", "/logout", "/"]) assert.equal(isClientPath(path), false, path);
  });

  test("browsers may ask first at what other origins can call, and only there", () => {
    for (const { url, method } of engineRoutes("")) {
      const asksFirst = isClientPath(url);
      assert.equal(method.includes("OPTIONS"), asksFirst, url);
    }
  });

  test("the metadata of an issuer with a path stand below it and before it (RFC 8414 section 3.1)", () => {
    const urls = engineRoutes("/auth").map(({ url }) => url);
    for (const url of [
      "/auth/.well-known/openid-configuration",
      "/.well-known/openid-configuration/auth",
      "/auth/.well-known/oauth-authorization-server",
      "/.well-known/oauth-authorization-server/auth",
      "/auth/authorize/:uid",
      "/auth/device/:uid",
      "/auth/logout/confirm",
    ])
      assert.ok(urls.includes(url), url);
    assert.equal(new Set(urls).size, urls.length);
    assert.equal(PATHS.registration, "/register");
  });
});
