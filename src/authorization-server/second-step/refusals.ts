import { TRY_WINDOW } from "./tries.ts";

/** Why a second step was not taken; a page can show it as it shows a refused password. */
export interface SecondStepRefusal {
  /**
   * `malformed`: nothing was judged or counted. `start-again`: the first step has to be done again. `limited`: wait `retryAfter`. `off-duty`:
   * the authenticator app counts again after another factor, or an administrator, has vouched for the person.
   */
  readonly reason: "malformed" | "wrong" | "start-again" | "limited" | "off-duty";
  readonly status: 400 | 429;
  /** Seconds after which tries are counted from zero. */
  readonly retryAfter: number | null;
  /** For the person. */
  readonly message: string;
}

const REFUSED = { status: 400, retryAfter: null } as const;

/** @param supportContact `SUPPORT_CONTACT`: people who have lost everything find help there (U47) */
export function refusalTexts(supportContact: string | null) {
  const help = supportContact === null ? "ask an administrator" : `ask ${supportContact}`;
  return {
    noDigits: {
      ...REFUSED,
      reason: "malformed",
      message: "Enter the 6 digits that your authenticator app shows.",
    },
    wrongDigits: {
      ...REFUSED,
      reason: "wrong",
      message:
        "These digits are not right. Wait for the next ones, and check that your phone's clock is set automatically.",
    },
    noCode: {
      ...REFUSED,
      reason: "malformed",
      message: "A recovery code has 15 letters, in three groups of five.",
    },
    wrongCode: {
      ...REFUSED,
      reason: "wrong",
      message: "This recovery code is not right, or was used before. Check it, or try another one.",
    },
    startAgain: {
      ...REFUSED,
      reason: "start-again",
      message: "There were too many wrong attempts. Start the sign-in again.",
    },
    limited: {
      reason: "limited",
      status: 429,
      retryAfter: TRY_WINDOW,
      message: "There were too many attempts. Wait 15 minutes, then try again.",
    },
    offDuty: {
      ...REFUSED,
      reason: "off-duty",
      message: `There were too many wrong digits, so your authenticator app does not count for now. Use a recovery code or a passkey, or ${help} for help.`,
    },
  } as const satisfies Record<string, SecondStepRefusal>;
}
