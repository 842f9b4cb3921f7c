import type { User } from "../../domain/people/user.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { qrCode } from "./qr-code.ts";
import { digitsOf, matchAtSetUp, newTotpSecret, totpUri } from "./totp.ts";

/** Milliseconds for which the page of a new app can be sent. */
const LIFETIME = 60 * 60_000;

/** A new app that waits for its first digits. All of it is for its person's page alone. */
interface NewAuthenticator {
  /** For a hidden field of the form. */
  readonly sealed: string;
  /** Base32, in groups of four, for people who type it. */
  readonly secret: string;
  /** Link that opens an app on the same device. */
  readonly uri: string;
  /** An SVG element of the link. */
  readonly qrCode: string;
}

type FirstDigits =
  | { readonly step: number; readonly secret: string }
  /** The message is for the person, who can try once more; null where the page has to be opened again. */
  | { readonly step: null; readonly message: string | null };

interface Sealed {
  readonly secret: string;
  /** `User.credentialVersion` when the page was opened. */
  readonly version: number;
  /** Milliseconds of Unix time. */
  readonly until: number;
}

/** Apps that are not confirmed: their secrets stand in the page's form, and the database knows nothing of them (U42). */
export interface AuthenticatorSetUp {
  /** @param bound form that it stands in */
  begin(user: User, bound: string): Promise<NewAuthenticator>;
  /** The same app once more, for a page with an error; null where the page has to be opened again. */
  show(user: User, sealed: string, bound: string): Promise<NewAuthenticator | null>;
  /** Judges the first digits. */
  read(user: User, sealed: string, bound: string, typed: string): Promise<FirstDigits>;
}

/** @param now Unix time in milliseconds */
export function openAuthenticatorSetUp(operator: string, sealer: Sealer, now: () => number): AuthenticatorSetUp {
  const placeOf = ({ id }: User, bound: string) => `new authenticator app of ${id} in ${bound}`;

  function open(user: User, sealed: string, bound: string): string | null {
    const text = sealed.length > 2_000 ? null : sealer.open(sealed, placeOf(user, bound));
    if (text === null) return null;
    const { secret, version, until } = JSON.parse(text) as Sealed;
    return until < now() || version !== user.credentialVersion ? null : secret;
  }

  async function pageOf(user: User, sealed: string, secret: string): Promise<NewAuthenticator> {
    const uri = await totpUri(secret, operator, user);
    const groups = secret.replace(/(.{4})(?=.)/g, "$1 ");
    return { sealed, secret: groups, uri, qrCode: await qrCode(uri, "QR code for your authenticator app") };
  }

  return {
    async begin(user, bound) {
      const secret = await newTotpSecret();
      const content: Sealed = { secret, version: user.credentialVersion, until: now() + LIFETIME };
      return pageOf(user, sealer.seal(JSON.stringify(content), placeOf(user, bound)), secret);
    },

    async show(user, sealed, bound) {
      const secret = open(user, sealed, bound);
      return secret === null ? null : pageOf(user, sealed, secret);
    },

    async read(user, sealed, bound, typed) {
      const secret = open(user, sealed, bound);
      if (secret === null) return { step: null, message: null };
      const digits = digitsOf(typed);
      if (digits === null) return { step: null, message: "Enter the 6 digits that the app shows." };
      const match = await matchAtSetUp(secret, digits, now());
      if (match === null) return { step: null, message: "These digits are not right. Wait for the next ones." };
      return "step" in match ? { step: match.step, secret } : { step: null, message: driftText(match.driftSeconds) };
    },
  };
}

function driftText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const direction = seconds < 0 ? "behind" : "ahead";
  return `The clock of your phone is about ${minutes} ${minutes === 1 ? "minute" : "minutes"} ${direction}. Set it automatically, then try again.`;
}
