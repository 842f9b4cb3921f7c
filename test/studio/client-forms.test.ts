import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { judgeUris, urisError, urisOf } from "../../src/studio/browser/client-forms/redirect-uris.ts";

describe("S71 redirect URIs, judged while somebody types", () => {
  const errorOf = (uri: string) => judgeUris(uri)[0]?.error ?? "";
  const adviceOf = (uri: string) => judgeUris(uri)[0]?.advice ?? "";

  test("good ones pass, and spaces and empty lines do not count", () => {
    const text = "  https://app.example.com/callback \n\nhttp://127.0.0.1/cb\ncom.example.app:/callback\n";
    assert.deepEqual(urisOf(text), [
      "https://app.example.com/callback",
      "http://127.0.0.1/cb",
      "com.example.app:/callback",
    ]);
    assert.ok(judgeUris(text).every(({ error, advice }) => error === null && advice === null));
    assert.equal(urisError(text), null);
  });

  test("common mistakes say what helps", () => {
    for (const [uri, words] of [
      ["https://*.example.com/cb", /Wildcards/],
      ["app.example.com/cb", /Begin with https:\/\/, such as https:\/\/app\.example\.com\/cb/],
      ["app.example.com:8443/cb", /Begin with https/],
      ["localhost:3000/cb", /Begin with http:\/\//],
      ["http://app.example.com/cb", /Use https, such as https:\/\/app\.example\.com\/cb/],
      ["https://app.example.com/cb#done", /Leave out the part from # on: https:\/\/app\.example\.com\/cb$/],
      ["https://a.example/cb, https://b.example/cb", /one URI in each line/],
      ["HTTPS://App.example.com/cb", /must be written as https:\/\/app\.example\.com\/cb/],
      ["https://ada:secret@app.example.com/cb", /user information/],
      ["javascript:alert(1)", /must use https/],
      ["data:text/html,x", /must use https/],
      ["callback", /not an absolute URI/],
    ] as const)
      assert.match(errorOf(uri), words, uri);
  });

  test("traps that the server accepts are explained", () => {
    for (const [uri, words] of [
      ["https://app.example.com/cb/", /with the slash/],
      ["https://app.example.com", /without one/],
      ["https://app.example.com/", /with the slash/],
      ["http://localhost:3000/cb", /two hosts/],
      ["https://app.example.com/CallBack", /Upper and lower case/],
      ["https://app.example.com/cb?from=us", /query/],
      ["cursor://anysphere/cb", /NATIVE_SCHEMES/],
    ] as const) {
      assert.equal(errorOf(uri), "", uri);
      assert.match(adviceOf(uri), words, uri);
    }
  });

  test("a URI in the list twice is noticed, and one sentence says what is wrong with the form", () => {
    const text = "https://a.example/cb\nhttps://a.example/cb";
    assert.deepEqual(
      judgeUris(text).map(({ error }) => error),
      [null, "This URI is in the list twice."],
    );
    assert.equal(urisError(text), "“https://a.example/cb” is not possible. This URI is in the list twice.");
    assert.equal(urisError("x\ny"), "2 of the URIs are not possible.");
  });
});
