import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { SecondStepAttempt } from "../../../src/authorization-server/second-step/check.ts";
import { unlockSecondStep } from "../../../src/authorization-server/second-step/second-step.ts";
import type { User } from "../../../src/domain/people/user.ts";
import { aPasskey } from "../../conformance/samples.ts";
import { addAll, addApp, type Bench, BOUND, openBench, REQUEST, RP } from "./open-second-step.ts";

const MINUTE = 60_000;
const WRONG =
  "These digits are not right. Wait for the next ones, and check that your phone's clock is set automatically.";

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

/** The first step was right. */
async function begin(user: User, secondStep = bench.secondStep): Promise<SecondStepAttempt> {
  const field = await secondStep.begin(user, { bound: BOUND, amr: ["pwd"], request: REQUEST });
  const pending = (await secondStep.resume(field, BOUND)) ?? assert.fail("not pending");
  return { ...pending, event: "sign-in", request: REQUEST };
}

/** Digits that are wrong for sure: the app's are asked for. */
function notThese(...right: readonly string[]): string {
  for (let number = 100_000; ; number++) if (!right.includes(String(number))) return String(number);
}

describe("U41 U43 digits of the authenticator app", () => {
  test("U43 P23 they count once, on any node, and neither do those of an older step after them", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const other = bench.openAnother({}, await bench.openStore());
    const [mine, older] = [digits(), digits(-1)];
    const both = [bench.secondStep, other];
    const results = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        const secondStep = both[i % 2] ?? assert.fail();
        return secondStep.checkTotp(await begin(user, secondStep), ` ${mine.slice(0, 3)}-${mine.slice(3)} `);
      }),
    );
    assert.equal(results.filter(({ refused }) => refused === null).length, 1);
    for (const { refused } of results) if (refused !== null) assert.equal(refused.message, WRONG);
    for (const typed of [mine, older])
      assert.equal((await other.checkTotp(await begin(user), typed)).refused?.message, WRONG);
    assert.deepEqual((await bench.secondStep.checkTotp(await begin(user), digits(1))).refused, null);
  });

  test("U43 the text is the same for wrong, old and used ones, and for a person without an app", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const used = digits();
    await bench.secondStep.checkTotp(await begin(user), used);
    const wrong = notThese(digits(-1), digits(), digits(1));
    const refusals = [];
    for (const [who, typed] of [
      [user, wrong],
      [user, used],
      [user, digits(-3)],
      [await bench.person(), wrong],
    ] as const)
      refusals.push((await bench.secondStep.checkTotp(await begin(who), typed)).refused);
    for (const refused of refusals) assert.deepEqual(refused, { ...refusals[0], message: WRONG });
  });

  test("P23 digits of another script are not judged and not counted", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const attempt = await begin(user);
    for (let i = 0; i < 30; i++) {
      const { refused } = await bench.secondStep.checkTotp(attempt, "٠٨١٨٠٤");
      assert.equal(refused?.reason, "malformed");
    }
    assert.equal((await bench.secondStep.checkTotp(attempt, digits())).refused, null);
  });

  test("U43 five wrong ones lead back to the first step, where right ones do not help", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const attempt = await begin(user);
    const wrong = notThese(digits(-1), digits(), digits(1));
    const reasons = [];
    for (let i = 0; i < 5; i++) reasons.push((await bench.secondStep.checkTotp(attempt, wrong)).refused?.reason);
    assert.deepEqual(reasons, ["wrong", "wrong", "wrong", "wrong", "start-again"]);
    assert.equal((await bench.secondStep.checkTotp(attempt, digits())).refused?.reason, "start-again");
    assert.equal((await bench.secondStep.checkTotp(await begin(user), digits())).refused, null);
  });

  test("P24 R9 of 200 parallel guesses on two nodes, each in a sign-in of its own, ten are judged in 15 minutes", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const nodes = [bench.secondStep, bench.openAnother({}, await bench.openStore())];
    const guess = async (i: number, typed: string) => {
      const node = nodes[i % 2] ?? assert.fail();
      return (await node.checkTotp(await begin(user, node), typed)).refused;
    };
    const wrong = notThese(digits(-1), digits(), digits(1));
    const refusals = await Promise.all(Array.from({ length: 200 }, (_, i) => guess(i, wrong)));
    assert.equal(refusals.filter((refused) => refused?.reason === "wrong").length, 10);
    assert.equal(refusals.filter((refused) => refused?.reason === "limited").length, 190);
    const { totp } = await bench.store.secondSteps.findFactors(user.id, RP);
    assert.equal(totp?.failures, 10, "nothing else was judged");
    const limited = await guess(0, digits());
    assert.deepEqual([limited?.status, limited?.retryAfter, limited?.reason], [429, 900, "limited"]);
    bench.clock.now += 15 * MINUTE;
    assert.equal(await guess(1, digits()), null);
    assert.equal((await bench.store.secondSteps.findFactors(user.id, RP)).totp?.failures, 0);
  });

  test("P24 a guess that is cut off before its answer has counted", async () => {
    const { user, digits } = await addApp(bench, await bench.person());
    const attempts = { ...bench.store.attempts };
    const broken = { ...bench.store, attempts, secondSteps: { ...bench.store.secondSteps } };
    broken.secondSteps.spendTotp = async () => {
      throw new Error("the connection is gone");
    };
    const cut = bench.openAnother({}, broken);
    for (let i = 0; i < 10; i++) await assert.rejects(cut.checkTotp(await begin(user, cut), digits()), /is gone/);
    assert.equal((await bench.store.secondSteps.findFactors(user.id, RP)).totp?.failures, 10);
    assert.equal((await bench.secondStep.checkTotp(await begin(user), digits())).refused?.reason, "limited");
  });

  test("U43 after fifty failures in a row the app is off duty, until a code, a passkey or an operator brings it back", async () => {
    const { user, digits, codes } = await addAll(bench, await bench.person());
    const { secondSteps } = bench.store;
    const wearOut = async () => {
      for (let i = 0; i < 50; i++) await secondSteps.countTotp(user.id);
    };
    const judged = async () => {
      bench.clock.now += 15 * MINUTE;
      return (await bench.secondStep.checkTotp(await begin(user), digits())).refused;
    };
    await wearOut();
    assert.equal((await judged())?.reason, "off-duty");
    assert.match((await judged())?.message ?? "", /Use a recovery code or a passkey, or ask help@example\.com/);
    assert.equal((await bench.secondStep.factorsOf(user)).isTotpOffDuty, true);
    await bench.secondStep.checkRecoveryCode(await begin(user), codes[0] ?? "");
    assert.equal(await judged(), null);
    await wearOut();
    await bench.secondStep.passedByPasskey(await begin(user));
    assert.equal(await judged(), null);
    await wearOut();
    await unlockSecondStep(bench.store, user);
    assert.equal(await judged(), null);
  });
});

describe("U44 recovery codes at sign-in", () => {
  test("U44 P27 a code counts once, in parallel too, is told, and says how many are left", async () => {
    const { user, codes } = await addAll(bench, await bench.person());
    const [code = ""] = codes;
    const parallel = await Promise.all(
      Array.from({ length: 4 }, async () => bench.secondStep.checkRecoveryCode(await begin(user), code.toLowerCase())),
    );
    const lefts = parallel.flatMap((result) => (result.refused === null ? [result.left] : []));
    assert.deepEqual(lefts, [9]);
    const again = await bench.secondStep.checkRecoveryCode(await begin(user), code);
    assert.match(again.refused?.message ?? "", /not right, or was used before/);
    const [mail] = (await bench.store.mails.list({ userId: user.id, limit: 1 })) ?? [];
    assert.deepEqual([mail?.kind, mail?.params], ["recovery-code-used", { left: "9", browser: "Firefox on Linux" }]);
    assert.equal((await bench.store.users.find(user.id))?.secondStep, true, "the second step stays on");
  });

  test("P27 another person's code, and one of an older set, are refused", async () => {
    const ada = await addAll(bench, await bench.person());
    const eve = await addAll(bench, await bench.person());
    const check = async (user: User, code = "") =>
      (await bench.secondStep.checkRecoveryCode(await begin(user), code)).refused?.reason;
    assert.equal(await check(eve.user, ada.codes[0]), "wrong");
    const made = await bench.secondStep.factors.makeRecoveryCodes(ada.user, REQUEST);
    assert.equal(await check(made.user ?? ada.user, ada.codes[1]), "wrong");
    assert.equal(await check(made.user ?? ada.user, made.codes[1]), undefined);
  });

  test("U43 whoever uses up the tries for digits leaves the owner the recovery codes", async () => {
    const { user, digits, codes } = await addAll(bench, await bench.person());
    const wrong = notThese(digits(-1), digits(), digits(1));
    for (let i = 0; i < 11; i++) await bench.secondStep.checkTotp(await begin(user), wrong);
    assert.equal((await bench.secondStep.checkTotp(await begin(user), wrong)).refused?.reason, "limited");
    assert.equal((await bench.secondStep.checkRecoveryCode(await begin(user), codes[0] ?? "")).refused, null);
  });

  test("P24 codes are limited too, and a text that cannot be one is not counted", async () => {
    const { user, codes } = await addAll(bench, await bench.person());
    const check = async (typed: string) =>
      (await bench.secondStep.checkRecoveryCode(await begin(user), typed)).refused?.reason;
    for (let i = 0; i < 20; i++) assert.equal(await check("BCDFG"), "malformed");
    for (let i = 0; i < 10; i++) assert.equal(await check("BCDFG-HJKLM-NPQRS"), "wrong");
    assert.equal(await check(codes[0] ?? ""), "limited");
  });
});

describe("U41 the time between the two steps", () => {
  test("P25 it counts for its person, form and credentials, for ten minutes", async () => {
    const { secondStep, clock, store } = bench;
    const person = await bench.person();
    const start = (user: User) => secondStep.begin(user, { bound: BOUND, amr: ["pwd"], request: REQUEST });
    const field = await start(person);
    const pending = await secondStep.resume(field, BOUND);
    assert.deepEqual([pending?.user, pending?.amr], [person, ["pwd"]]);
    assert.notEqual((await secondStep.resume(await start(person), BOUND))?.round, pending?.round);
    assert.equal(await secondStep.resume(field, "form of another browser"), null);
    const flipped = `${field.slice(0, 60)}${field[60] === "A" ? "B" : "A"}${field.slice(61)}`;
    for (const text of ["", "x", flipped, "A".repeat(3_000)]) assert.equal(await secondStep.resume(text, BOUND), null);
    clock.now += 10 * MINUTE;
    assert.notEqual(await secondStep.resume(field, BOUND), null);
    clock.now += 1;
    assert.equal(await secondStep.resume(field, BOUND), null, "too old");
    const fresh = await start(person);
    await store.users.update(person.id, { passwordHash: "$argon2id$y" });
    assert.equal(await secondStep.resume(fresh, BOUND), null, "an older password");
    const present = (await store.users.find(person.id)) ?? assert.fail();
    const later = await start(present);
    await addApp(bench, present);
    assert.equal(await secondStep.resume(later, BOUND), null, "older factors");
    const last = await start((await store.users.find(person.id)) ?? assert.fail());
    await store.deletions.ask(person.id, { deletesAt: new Date(clock.now).toISOString(), posts: "keep" });
    assert.equal(await secondStep.resume(last, BOUND), null, "not active");
  });

  test("U49 P46 the person is told after five wrong ones, and after five that were given up: once in an hour", async () => {
    const told = async (user: User) =>
      (await bench.mailed(user)).filter((kind) => kind === "second-step-refused").length;
    const failing = await addAll(bench, await bench.person());
    const wrong = notThese(failing.digits(-1), failing.digits(), failing.digits(1));
    const attempt = await begin(failing.user);
    for (let i = 0; i < 4; i++) await bench.secondStep.checkTotp(attempt, wrong);
    assert.equal(await told(failing.user), 0);
    await bench.secondStep.checkTotp(attempt, wrong);
    assert.equal(await told(failing.user), 1);

    const leaving = await addAll(bench, await bench.person());
    for (let i = 0; i < 5; i++) await begin(leaving.user);
    assert.equal(await told(leaving.user), 0);
    for (let i = 0; i < 5; i++) await begin(leaving.user);
    assert.equal(await told(leaving.user), 1);
    bench.clock.now += 60 * MINUTE;
    await begin(leaving.user);
    assert.equal(await told(leaving.user), 2);

    const finishing = await addAll(bench, await bench.person());
    for (let i = 0; i < 12; i++) {
      assert.equal((await bench.secondStep.checkTotp(await begin(finishing.user), finishing.digits())).refused, null);
      bench.clock.now += 31_000;
    }
    assert.equal(await told(finishing.user), 0, "each was finished");
  });

  test("U49 a session that asks again is no sign of a known password", async () => {
    const { user, digits } = await addAll(bench, await bench.person());
    const wrong = notThese(digits(-1), digits(), digits(1));
    const attempt = { user, round: "session", event: "step-up", request: REQUEST } as const;
    for (let i = 0; i < 6; i++) await bench.secondStep.checkTotp(attempt, wrong);
    assert.doesNotMatch((await bench.mailed(user)).join(), /second-step-refused/);
  });
});

describe("U41 U45 U46 who is asked", () => {
  test("U41 U46 a person whose second step is on, or of whom SECOND_STEP demands one", async () => {
    const person = await bench.person();
    const editor = await bench.person({ role: "editor" });
    const { user: on } = await addAll(bench, await bench.person());
    const { user: prepared } = await addApp(bench, await bench.person({ role: "admin" }));
    const keyed = await bench.person({ role: "admin" });
    await bench.store.passkeys.create(aPasskey({ userId: keyed.id, rpId: RP, credentialId: "keyed" }), 0);
    const needs = async (SECOND_STEP: "optional" | "staff" | "required") => {
      const secondStep = bench.openAnother({ SECOND_STEP });
      return Promise.all([person, editor, on, prepared, keyed].map((user) => secondStep.needs(user)));
    };
    assert.deepEqual(await needs("optional"), ["nothing", "nothing", "ask", "nothing", "nothing"]);
    assert.deepEqual(await needs("staff"), ["nothing", "set-up", "ask", "ask", "ask"]);
    assert.deepEqual(await needs("required"), ["set-up", "set-up", "ask", "ask", "ask"]);
    const withoutPasskeys = bench.openAnother({ SECOND_STEP: "staff", PASSKEY_ID: null });
    assert.equal(await withoutPasskeys.needs(keyed), "set-up");
  });

  test("U45 it is turned on with a factor and codes, and off unless it is demanded; each is told", async () => {
    const { factors } = bench.secondStep;
    const person = await bench.person();
    assert.match((await factors.turnOn(person, REQUEST)).message ?? "", /^Add an authenticator app or a passkey first/);
    const { user } = await addApp(bench, person);
    assert.match((await factors.turnOn(user, REQUEST)).message ?? "", /^Make recovery codes first/);
    const made = await factors.makeRecoveryCodes(user, REQUEST);
    assert.equal(made.codes.length, 10);
    assert.match((await factors.turnOn(user, REQUEST)).message ?? "", /^Your account has changed/, "an old request");
    const on = (await factors.turnOn(made.user ?? user, REQUEST)).user ?? assert.fail();
    assert.equal(on.secondStep, true);
    const strict = bench.openAnother({ SECOND_STEP: "required" }).factors;
    assert.match((await strict.turnOff(on, REQUEST)).message ?? "", /must have a second step/);
    assert.match((await strict.removeTotp(on, REQUEST)).message ?? "", /Add a passkey first/);
    const off = (await factors.turnOff(on, REQUEST)).user ?? assert.fail();
    assert.equal(off.secondStep, false);
    assert.deepEqual(await bench.secondStep.factorsOf(off), {
      ...{ totp: false, isTotpOffDuty: false, codesLeft: 0, passkeys: 0 },
    });
    assert.deepEqual(await bench.mailed(person), [
      ...["totp-added", "recovery-codes-made", "second-step-on", "second-step-off"],
    ]);
    assert.deepEqual(await bench.audited(person), [
      "second-step ok: turned off",
      "second-step ok: turned on",
      "recovery-code ok: made",
      "second-step ok: authenticator app added",
    ]);
  });

  test("P21 U74 the audit has every decision, and nothing that was typed", async () => {
    const { user, digits, codes } = await addAll(bench, await bench.person());
    const [right, wrong] = [digits(), notThese(digits(-1), digits(), digits(1))];
    await bench.secondStep.checkTotp(await begin(user), wrong);
    await bench.secondStep.checkTotp({ ...(await begin(user)), event: "step-up" }, right);
    await bench.secondStep.checkRecoveryCode(await begin(user), "BCDFG-HJKLM-NPQRS");
    await bench.secondStep.checkRecoveryCode(await begin(user), codes[0] ?? "");
    await bench.secondStep.passedByPasskey(await begin(user));
    const events = await bench.audited(user);
    assert.deepEqual(events.slice(0, 5), [
      "second-step ok: passkey",
      "recovery-code ok: entered",
      "recovery-code refused: entered",
      "second-step ok: authenticator app, asked again",
      "second-step refused: authenticator app",
    ]);
    const all = JSON.stringify([
      await bench.store.audit.list({ userId: user.id, limit: 100 }),
      await bench.store.mails.list({ userId: user.id, limit: 100 }),
      await bench.store.secondSteps.findFactors(user.id, RP),
    ]);
    for (const secret of [right, wrong, ...codes]) assert.ok(!all.includes(secret));
  });
});
