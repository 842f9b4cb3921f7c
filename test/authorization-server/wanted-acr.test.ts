import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { essentialAcr, wantedAcr } from "../../src/authorization-server/tokens/wanted-acr.ts";
import { acrRank, MFA_ACR, PASSKEY_ACR, SFA_ACR } from "../../src/domain/acr.ts";

const claims = (acr: unknown) => ({
  claims: JSON.stringify({ id_token: { acr }, userinfo: { acr: { value: "phr" } } }),
});

describe("U60 the strength that a request wants", () => {
  test("U60 the order is sfa < mfa < phr, and nothing else has a place in it", () => {
    assert.deepEqual([SFA_ACR, MFA_ACR, PASSKEY_ACR].map(acrRank), [1, 2, 3]);
    for (const unknown of [undefined, null, "", "PHR", "phrh", "https://refeds.org/profile/mfa/", 3, ["phr"], {}])
      assert.equal(acrRank(unknown), 0, JSON.stringify(unknown));
  });

  test("U60 the weakest of several values is enough, in acr_values as in claims; unknown values are no wish", () => {
    const wished = (acr_values: string) => wantedAcr({ acr_values });
    assert.deepEqual(
      ["", "x", SFA_ACR, `${PASSKEY_ACR} ${MFA_ACR}`, `x ${PASSKEY_ACR}`, ` ${PASSKEY_ACR} `].map(wished),
      [0, 0, 1, 2, 3, 3],
    );
    for (const [acr, rank] of [
      [null, 0],
      [{ value: MFA_ACR }, 2],
      [{ values: [PASSKEY_ACR, SFA_ACR] }, 1],
      [{ values: ["x"] }, 0],
      [{ values: 7, value: null }, 0],
      [{ essential: true }, 0],
      [{ essential: true, values: [PASSKEY_ACR, "x"] }, 3],
      [{ essential: true, value: PASSKEY_ACR, values: [MFA_ACR] }, 2],
    ] as const)
      assert.equal(wantedAcr(claims(acr)), rank, JSON.stringify(acr));
    for (const params of [{}, { claims: undefined }, { claims: "{}" }, { claims: '{"userinfo":{}}' }])
      assert.equal(wantedAcr(params), 0);
  });

  test("U60 a wish and an essential value together: the stronger of both is wanted", () => {
    const both = (acr_values: string, value: string) =>
      wantedAcr({ acr_values, ...claims({ essential: true, value }) });
    assert.deepEqual([both(SFA_ACR, PASSKEY_ACR), both(PASSKEY_ACR, MFA_ACR), both(MFA_ACR, "x")], [3, 3, 2]);
  });

  test("U60 only essential values are required, and unknown ones alone cannot be reached", () => {
    assert.equal(essentialAcr({ acr_values: PASSKEY_ACR }), 0);
    for (const [acr, rank] of [
      [{ value: PASSKEY_ACR }, 0],
      [{ essential: "true", value: PASSKEY_ACR }, 0],
      [{ essential: true }, 0],
      [{ essential: true, value: MFA_ACR }, 2],
      [{ essential: true, values: ["x", SFA_ACR] }, 1],
      [{ essential: true, value: "x" }, Number.POSITIVE_INFINITY],
      [{ essential: true, values: [] }, Number.POSITIVE_INFINITY],
      [{ essential: true, values: 7 }, Number.POSITIVE_INFINITY],
    ] as const)
      assert.equal(essentialAcr(claims(acr)), rank, JSON.stringify(acr));
  });
});
