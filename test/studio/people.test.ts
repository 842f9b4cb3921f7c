import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { failureWords, postFailureWords, readFailureWords } from "../../src/studio/browser/api/failure-words.ts";
import { newPersonErrors } from "../../src/studio/browser/people/new-person.ts";
import { filterOf, PeopleList, type PersonRow, peopleList } from "../../src/studio/browser/people/people-list.ts";
import { PersonModel } from "../../src/studio/browser/people/person/person-model.ts";
import { type PlainStep, questionOf } from "../../src/studio/browser/people/person/steps.ts";
import { RetryKey } from "../../src/studio/browser/people/retry-key.ts";
import { detailWords, enumWords, listOfNames, methodWords, stateWords } from "../../src/studio/browser/people/words.ts";
import { type Api, ApiFailure, type FailureKind } from "../../src/studio/browser/ports.ts";

const row = (id: string): PersonRow => ({
  ...{ id, name: id, email: `${id}@example.com`, role: "MEMBER", state: "ACTIVE", secondStep: false },
  ...{ signInMethods: ["PASSWORD"], lastSignInAt: null },
});

interface Request {
  readonly name: string;
  readonly variables: unknown;
  readonly key: string | undefined;
}

/** An API that writes its requests down, and answers with what it is given. */
function openApi(...answers: readonly unknown[]) {
  const requests: Request[] = [];
  const left = [...answers];
  const run = async (document: { text: string }, variables: unknown, { key }: { key?: string } = {}) => {
    requests.push({ name: /(?:query|mutation) (\w+)/.exec(document.text)?.[1] ?? "", variables, key });
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { api: { run } as unknown as Api, requests };
}

const failure = (kind: FailureKind, message = "from the server", retryAfter: number | null = null) =>
  new ApiFailure({ kind, message, retryAfter });

describe("S65 the list of people", () => {
  test("its filter is in the query of the URL; what it does not know selects everybody", () => {
    const query = new URLSearchParams({ q: "  Ada ", role: "ADMIN", state: "DISABLED", view: "x" });
    assert.deepEqual(filterOf(query), { search: "Ada", role: "ADMIN", state: "DISABLED" });
    assert.deepEqual(filterOf(new URLSearchParams({ q: " ", role: "KING", state: "asleep" })), {});
    assert.equal(filterOf(new URLSearchParams({ q: "x".repeat(300) })).search?.length, 200);
  });

  test("rows stay until those of another filter are there, and Back finds the same list", async () => {
    const page = (ids: readonly string[]) => ({
      accounts: { nodes: ids.map(row), pageInfo: { hasNextPage: false, endCursor: null } },
    });
    const { api, requests } = openApi(page(["a", "b"]), failure("offline"), page(["a"]));
    const list = peopleList(api);
    assert.ok(list instanceof PeopleList && peopleList(api) === list);
    await list.show({});
    await list.show({ role: "EDITOR" });
    assert.deepEqual([list.rows.value?.length, list.failure.value?.kind], [2, "offline"]);
    await list.reload();
    assert.deepEqual([list.rows.value?.length, list.failure.value], [1, null]);
    assert.deepEqual(requests.at(-1)?.variables, { first: 50, after: null, filter: { role: "EDITOR" } });
  });

  test("states, ways to sign in and names in words", () => {
    assert.equal(stateWords({ state: "ACTIVE", signInMethods: ["PASSKEY"] }), "Active");
    assert.equal(stateWords({ state: "ACTIVE", signInMethods: [] }), "Active, cannot sign in yet");
    assert.equal(stateWords({ state: "DISABLED", signInMethods: [] }), "Locked out");
    assert.equal(methodWords(["PASSWORD", "UPSTREAM"]), "Password, another service");
    assert.match(methodWords([]), /cannot sign in/);
    assert.equal(enumWords("SECOND_STEP"), "Second step");
    assert.equal(listOfNames(["Ada"], false), "Ada");
    assert.equal(listOfNames(["Ada", "Ben", "Cleo"], false), "Ada, Ben and Cleo");
    assert.equal(listOfNames(["Ada", "Ben"], true), "Ada, Ben and others");
  });

  test("the detail of an entry leaves out the administrator who is named beside it", () => {
    const detail = "made member by 01a229f9-b200-7000-9e45-6818474b1378";
    assert.equal(detailWords({ detail, actor: {} }), "made member");
    assert.equal(detailWords({ detail, actor: null }), detail);
    assert.equal(detailWords({ detail: null, actor: {} }), "");
  });
});

describe("S65 a person who is added", () => {
  test("mistakes are named by their field, and a name is for new accounts alone", () => {
    assert.deepEqual(newPersonErrors({ way: "invite", email: " ada@example.com ", name: "" }), {});
    assert.deepEqual(Object.keys(newPersonErrors({ way: "create", email: "ada@", name: " " })), ["email", "name"]);
  });

  test("a retry has the same key; other values and the next change have another", () => {
    const keys = new RetryKey();
    const first = keys.for({ email: "a" });
    assert.equal(keys.for({ email: "a" }), first);
    const second = keys.for({ email: "b" });
    assert.notEqual(second, first);
    keys.forget();
    assert.notEqual(keys.for({ email: "b" }), second);
  });
});

describe("S66 one person", () => {
  const data = { accountBy: { id: "ben" }, clients: [], auditEntries: {}, administrators: {} };

  test("a change that gave no answer is sent again with its key, and then the person is read again", async () => {
    const { api, requests } = openApi(failure("offline"), {}, data);
    const model = new PersonModel(api, "ben");
    const question = questionOf({ kind: "lock" }, { id: "ben", name: "Ben" }, false);
    await assert.rejects(question.run(model), { kind: "offline" });
    assert.equal(await question.run(model), null);
    assert.deepEqual(
      requests.map(({ name }) => name),
      ["LockPerson", "LockPerson", "OpenPerson"],
    );
    assert.ok(requests[0]?.key !== undefined && requests[0].key === requests[1]?.key);
    assert.equal(model.data.value?.accountBy?.id, "ben");
  });

  test("a page that could not be read again keeps what it shows, and says so", async () => {
    const { api } = openApi(data, {}, failure("offline"));
    const model = new PersonModel(api, "ben");
    await model.load();
    await questionOf({ kind: "sessions" }, { id: "ben", name: "Ben" }, false).run(model);
    assert.deepEqual([model.data.value?.accountBy?.id, model.failure.value?.kind], ["ben", "offline"]);
  });

  const link = { provider: "corp", subject: "b1", email: null, linkedAt: "", usedAt: null };
  const session = { id: "s1", browser: "Firefox on Linux", address: null, signedInAt: "", lastUsedAt: null };
  const client = { clientId: "c1", name: "Reader", scopes: [], since: "", lastUsedAt: null, isGiven: false };
  const STEPS: readonly (readonly [PlainStep, mutation: string, variables: object, words: RegExp])[] = [
    [{ kind: "lock" }, "LockPerson", { id: "ben" }, /Lock Ben out\?.*Posts stay/],
    [{ kind: "recovery" }, "SendRecovery", { id: "ben" }, /link for a new password.*the link is the account/],
    [{ kind: "sessions" }, "EndAllSessions", { id: "ben" }, /can sign in again/],
    [{ kind: "attempts" }, "ForgetAttempts", { id: "ben" }, /Reset the failed attempts of Ben\?.*may be guessing/],
    [{ kind: "local", isAllowed: true }, "SetLocalSignIn", { id: "ben", isAllowed: true }, /Allow Ben to sign in here/],
    [{ kind: "local", isAllowed: false }, "SetLocalSignIn", { id: "ben", isAllowed: false }, /that service only/],
    [{ kind: "unlink", link }, "UnlinkService", { id: "ben", provider: "corp", subject: "b1" }, /as b1 at corp/],
    [{ kind: "session", session }, "EndOneSession", { id: "s1" }, /signed out of Firefox on Linux/],
    [{ kind: "client", client }, "WithdrawConsent", { id: "ben", clientId: "c1" }, /access of Reader/],
  ];
  for (const [step, mutation, variables, words] of STEPS)
    test(`${mutation} is asked for in words`, async () => {
      const { api, requests } = openApi({ sendRecovery: { link: "https://link" } }, data);
      const question = questionOf(step, { id: "ben", name: "Ben" }, false);
      assert.match([question.title, ...question.sentences].join(" "), words);
      const made = await question.run(new PersonModel(api, "ben"));
      assert.equal(made, step.kind === "recovery" ? "https://link" : null);
      assert.deepEqual([requests[0]?.name, requests[0]?.variables], [mutation, variables]);
    });

  test("who ends their own sessions hears that this one ends too", () => {
    const own = questionOf({ kind: "sessions" }, { id: "ada", name: "Ada" }, true);
    assert.match(own.sentences.join(" "), /You are signed out here/);
  });

  test("failures in words, with the server's own for what is wrong", () => {
    assert.match(failureWords(failure("offline")), /nothing happens twice/);
    assert.match(failureWords(failure("busy", "", 7)), /in 7 seconds/);
    assert.match(failureWords(failure("busy", "", 1_800)), /in 30 minutes/);
    assert.match(failureWords(failure("busy", "", 1)), /in 1 second\./);
    assert.match(failureWords(failure("signed-out")), /Sign in/);
    for (const error of ["conflict", "not-found", "busy", "offline", "forbidden"] as const) {
      for (const words of [failureWords, readFailureWords])
        assert.doesNotMatch(words(failure(error)), /post|text/, error);
      assert.equal(failureWords(failure("not-found")), "from the server");
    }
    assert.match(postFailureWords(failure("conflict")), /^Somebody changed the post\./);
    assert.match(readFailureWords(failure("not-found"), postFailureWords), /^The post no longer exists/);
    assert.equal(failureWords(failure("conflict")), "from the server");
    assert.match(failureWords(new TypeError("x")), /went wrong/);
  });
});
