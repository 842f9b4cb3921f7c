import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { pathsOf } from "../../bin/reference/openapi/document.ts";
import { openApiText } from "../../bin/reference/pages.ts";
import { ENDPOINTS } from "../../src/authorization-server/http/endpoints.ts";
import { EVENT_TYPES } from "../../src/domain/events/event.ts";
import { exampleBody } from "../../src/domain/events/webhook-example.ts";
import type { RecordedAnswer } from "../answers.ts";
import { openTestApp } from "../app.ts";
import { Contract } from "../contract.ts";

const text = readFileSync(join(import.meta.dirname, "../../docs/openapi.json"), "utf8");

function answerOf(url: string, status: number, body: unknown, headers: Record<string, string> = {}): RecordedAnswer {
  return {
    ...{ method: "POST", url, requestBody: "", status },
    headers: new Map(Object.entries({ "content-type": "application/json", ...headers })),
    body: JSON.stringify(body),
  };
}

describe("docs/openapi.json", () => {
  test("D04 it is what the program says (npm run docs:reference)", () => {
    assert.equal(text, openApiText());
  });

  test("D04 the linter of Redocly has nothing to say", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: text, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer]),
      [],
    );
    const wrong = await lintFromString({
      source: text.replace('"operationId": "token"', '"operationId": "jwks"'),
      config,
    });
    assert.ok(wrong.length > 0, "a fault is noticed");
  });

  test("D04 it has every endpoint of the protocols with its methods, and every event of webhooks", () => {
    const paths = pathsOf();
    for (const { path, methods } of Object.values(ENDPOINTS))
      assert.deepEqual(
        Object.keys(paths[path] ?? {}),
        methods.map((method) => method.toLowerCase()),
        path,
      );
    assert.deepEqual(Object.keys(JSON.parse(text).webhooks), EVENT_TYPES);
  });

  test("D04 example events of webhooks have the form of the document, and another form is noticed", () => {
    const contract = new Contract();
    const at = "2026-11-30T12:00:00.000Z";
    for (const type of EVENT_TYPES)
      for (const includesUnpublished of [true, false])
        assert.equal(contract.differenceInEvent(exampleBody({ includesUnpublished }, type, at)), null, type);
    assert.notEqual(contract.differenceInEvent(JSON.stringify({ type: "post.lost", timestamp: at, data: {} })), null);
  });

  test("D04 an answer that the document does not describe is noticed", () => {
    const contract = new Contract();
    const difference = (...answer: Parameters<typeof answerOf>) => contract.differenceIn(answerOf(...answer));
    const tokens = { access_token: "x", token_type: "Bearer", expires_in: 900, scope: "" };
    assert.equal(difference("/token?x=1", 200, tokens), null);
    assert.match(difference("/token", 200, { ...tokens, secret: 1 }) ?? "", /additional properties/);
    assert.match(difference("/token", 200, { ...tokens, expires_in: "900" }) ?? "", /must be integer/);
    assert.match(difference("/token", 200, tokens, { "content-type": "text/plain" }) ?? "", /is text\/plain/);
    assert.match(difference("/token", 418, tokens) ?? "", /status that the document leaves out/);
    assert.match(difference("/token", 400, { error: "no_such_error" }) ?? "", /must be equal to one of/);
    assert.match(difference("/token", 429, { error: "temporarily_unavailable" }) ?? "", /has no retry-after/);
    assert.match(difference("/revoke", 200, {}) ?? "", /has a body/);
    assert.equal(difference("/account", 418, {}), null, "pages for people are left out");
  });

  test("D04 each operation of a running server answers as the document says", async () => {
    const app = await openTestApp({ REGISTRATION: "open", PUBLIC_READ: "true" });
    const contract = new Contract();
    try {
      for (const operation of new Set(contract.statuses().map((line) => line.replace(/ \w+$/, "")))) {
        const [verb = "", path = ""] = operation.split(" ");
        const method = verb.toUpperCase();
        const url = app.config.BASE_URL + path.replace("{door}", "graphql").replaceAll(/\{\w+\}/g, "1");
        const response = await fetch(url, {
          ...{ method, redirect: "manual" },
          ...(method === "GET" || method === "DELETE" ? {} : { body: new URLSearchParams({ x: "1" }) }),
        });
        const headers = new Map(response.headers);
        const answer = {
          method,
          url: path,
          requestBody: "",
          status: response.status,
          headers,
          body: await response.text(),
        };
        assert.equal(contract.differenceIn(answer), null, operation);
      }
    } finally {
      await app.close();
    }
  });
});
