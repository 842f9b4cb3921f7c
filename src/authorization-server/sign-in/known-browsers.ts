import { createHash, randomBytes } from "node:crypto";
import { emailKey } from "../../domain/people/email.ts";
import type { User } from "../../domain/people/user.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hostCookieName, hostCookieOptions } from "../http/host-cookies.ts";

/** Seconds for which a browser is remembered after a sign-in. */
const KNOWN_SECONDS = 180 * 86_400;
/** People whom one browser is remembered for; the one who has not signed in for longest is forgotten. */
const MOST_PEOPLE = 5;
const CONTEXT = "known browser";

/** The content of the cookie, sealed. */
interface Known {
  readonly id: string;
  /** One hash per person, which changes with the password; the latest sign-in first. */
  readonly people: readonly string[];
  /** Hashes of the addresses of the last people; cookies from before mails have none. */
  readonly addresses?: readonly string[];
}

export interface KnownBrowsers {
  readonly cookieName: string;
  readonly cookieOptions: ReturnType<typeof hostCookieOptions> & { readonly maxAge: number; readonly signed: false };
  /**
   * The name under which attempts of this browser at the account are counted: strangers cannot use them up (A48). null
   * unless the person has signed in here before, with the present password.
   */
  budgetOf(cookie: string | undefined, user: User): string | null;
  /**
   * The name under which mails to the address are counted that this browser asks for: strangers cannot use them up (U32). null
   * unless somebody with the address has signed in here before. Nobody is looked up.
   */
  mailBudgetOf(cookie: string | undefined, email: string): string | null;
  /** The cookie for a browser in which the person has just signed in. */
  remember(cookie: string | undefined, user: User): string;
}

/** Browsers in which people have signed in before. They are known by a sealed cookie, which nobody else can make. */
export function openKnownBrowsers(issuer: string, sealer: Sealer): KnownBrowsers {
  function read(cookie: string | undefined): Known {
    const text = cookie === undefined || cookie.length > 2_000 ? null : sealer.open(cookie, CONTEXT);
    return text === null ? { id: randomBytes(16).toString("base64url"), people: [] } : (JSON.parse(text) as Known);
  }

  return {
    cookieName: hostCookieName(issuer, "known"),
    cookieOptions: { ...hostCookieOptions(issuer), maxAge: KNOWN_SECONDS * 1_000, signed: false },
    budgetOf(cookie, user) {
      const { id, people } = read(cookie);
      return people.includes(markOf(user)) ? `browser ${id} ${user.id}` : null;
    },
    mailBudgetOf(cookie, email) {
      const { id, addresses = [] } = read(cookie);
      const address = addressMark(email);
      return addresses.includes(address) ? `browser ${id} ${address}` : null;
    },
    remember(cookie, user) {
      const { id, people, addresses = [] } = read(cookie);
      const known: Known = {
        id,
        people: latest(markOf(user), people),
        addresses: latest(addressMark(user.email), addresses),
      };
      return sealer.seal(JSON.stringify(known), CONTEXT);
    },
  };
}

function latest(mark: string, marks: readonly string[]): string[] {
  return [mark, ...marks.filter((other) => other !== mark)].slice(0, MOST_PEOPLE);
}

function addressMark(email: string): string {
  return createHash("sha256").update(emailKey(email)).digest("base64url").slice(0, 22);
}

/** It ends with the password, so that a thief's browser is no longer known. */
function markOf({ id, passwordHash }: User): string {
  return createHash("sha256").update(`${id} ${passwordHash}`).digest("base64url").slice(0, 22);
}
