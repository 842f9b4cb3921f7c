import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import { openTotpSecret } from "../../../src/authorization-server/second-step/totp.ts";
import type { User } from "../../../src/domain/people/user.ts";
import { reseal } from "../../../src/secrets/reseal.ts";
import { openSealer } from "../../../src/secrets/seal.ts";
import { addApp, type Bench, BOUND, openBench, REQUEST, SECRET } from "./open-second-step.ts";

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

function digitsAt(secret: string, timestamp: number): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret.replaceAll(" ", "")), timestamp, digits: 6, period: 30 });
}

describe("U42 set-up of an authenticator app", () => {
  const confirm = (user: User, sealed: string, typed: string, bound = BOUND) =>
    bench.secondStep.factors.confirmTotp(user, { sealed, bound, typed }, REQUEST);

  test("U42 nothing is stored until its digits are right, and these do not count again", async () => {
    const { secondStep, clock, store } = bench;
    const person = await bench.person();
    const shown = await secondStep.setUp.begin(person, BOUND);
    assert.match(shown.secret, /^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    assert.equal(new URL(shown.uri).searchParams.get("secret"), shown.secret.replaceAll(" ", ""));
    assert.match(shown.qrCode, /^<svg /);
    assert.deepEqual(await secondStep.setUp.show(person, shown.sealed, BOUND), shown, "after an error it is the same");
    assert.equal((await store.users.find(person.id))?.credentialVersion, 0);
    assert.match((await confirm(person, shown.sealed, "12 34")).message ?? "", /^Enter the 6 digits/);
    assert.equal((await secondStep.factorsOf(person)).totp, false);
    const digits = digitsAt(shown.secret, clock.now);
    const added = await confirm(person, shown.sealed, `${digits.slice(0, 3)} ${digits.slice(3)}`);
    assert.equal(added.user?.credentialVersion, 1);
    const attempt = { user: added.user ?? person, round: "r", event: "sign-in", request: REQUEST } as const;
    assert.equal((await secondStep.checkTotp(attempt, digits)).refused?.reason, "wrong");
    clock.now += 60_000;
    assert.equal((await secondStep.checkTotp(attempt, digitsAt(shown.secret, clock.now))).refused, null);
  });

  test("U42 a wrong clock is named", async () => {
    const person = await bench.person();
    const { sealed, secret } = await bench.secondStep.setUp.begin(person, BOUND);
    const messageAt = async (steps: number) =>
      (await confirm(person, sealed, digitsAt(secret, bench.clock.now + steps * 30_000))).message;
    const end = "Set it automatically, then try again.";
    assert.equal(await messageAt(-4), `The clock of your phone is about 2 minutes behind. ${end}`);
    assert.equal(await messageAt(-2), `The clock of your phone is about 1 minute behind. ${end}`);
    assert.equal(await messageAt(10), `The clock of your phone is about 5 minutes ahead. ${end}`);
    assert.equal(await messageAt(11), "These digits are not right. Wait for the next ones.");
  });

  test("U42 P34 the form counts for its person, page and hour, and not after a change of credentials", async () => {
    const { secondStep, clock, store } = bench;
    const [ada, eve] = [await bench.person(), await bench.person()];
    const { sealed, secret } = await secondStep.setUp.begin(ada, BOUND);
    const outdated = async (user: User, bound?: string) => {
      assert.match(
        (await confirm(user, sealed, digitsAt(secret, clock.now), bound)).message ?? "",
        /Open the page again/,
      );
      assert.equal(await secondStep.setUp.show(user, sealed, bound ?? BOUND), null);
    };
    await outdated(eve);
    await outdated(ada, "another form");
    await outdated({ ...ada, credentialVersion: 1 });
    clock.now += 61 * 60_000;
    await outdated(ada);
    assert.equal((await store.users.find(ada.id))?.credentialVersion, 0);
  });

  test("U08 a secret stays readable when SECRET_KEY changes", async () => {
    const own = await openBench();
    try {
      const { user } = await addApp(own, await own.person());
      const present = new Uint8Array(32).fill(8);
      const counts = await reseal(own.store.sealedTexts, openSealer(present, SECRET), () => false);
      assert.deepEqual(counts, { outdated: 1, unreadable: 0 });
      const { totp } = await own.store.secondSteps.findFactors(user.id, null);
      assert.match(openTotpSecret(openSealer(present), user, totp?.sealedSecret ?? ""), /^[A-Z2-7]{32}$/);
    } finally {
      await own.close();
    }
  });

  test("U42 another app takes the place of the first", async () => {
    const { secondStep, clock } = bench;
    const add = async (user: User) => {
      const { sealed, secret } = await secondStep.setUp.begin(user, BOUND);
      const added = await confirm(user, sealed, digitsAt(secret, clock.now));
      clock.now += 60_000;
      return { user: added.user ?? assert.fail(), secret };
    };
    const first = await add(await bench.person());
    const second = await add(first.user);
    const check = async (secret: string) =>
      (
        await secondStep.checkTotp(
          { user: second.user, round: "r", event: "sign-in", request: REQUEST },
          digitsAt(secret, clock.now),
        )
      ).refused?.reason;
    assert.equal(await check(first.secret), "wrong");
    assert.equal(await check(second.secret), undefined);
  });
});
