import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../domain/people/user.ts";
import { hashEmail } from "../../secrets/email-hash.ts";
import type { Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { openHostCookie } from "../http/host-cookies.ts";

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
  /**
   * The name under which attempts of this browser at the account are counted: strangers cannot use them up (A48). null
   * unless the person has signed in here before, with the present password.
   */
  budgetOf(request: FastifyRequest, user: User): string | null;
  /**
   * The name under which mails to the address are counted that this browser asks for: strangers cannot use them up (U32). null
   * unless somebody with the address has signed in here before. Nobody is looked up.
   */
  mailBudgetOf(request: FastifyRequest, email: string): string | null;
  /** Gives its cookie to a browser in which the person has just signed in. */
  remember(request: FastifyRequest, reply: FastifyReply, user: User): void;
}

/** Browsers in which people have signed in before. They are known by a sealed cookie, which nobody else can make. */
export function openKnownBrowsers(issuer: string, sealer: Sealer): KnownBrowsers {
  const browserCookie = openHostCookie(issuer, "known");

  function read(request: FastifyRequest): Known {
    const cookie = browserCookie.read(request);
    const text = cookie === undefined || cookie.length > 2_000 ? null : sealer.open(cookie, CONTEXT);
    return text === null ? { id: randomBytes(16).toString("base64url"), people: [] } : (JSON.parse(text) as Known);
  }

  return {
    budgetOf(request, user) {
      const { id, people } = read(request);
      return people.includes(markOf(user)) ? `browser ${id} ${user.id}` : null;
    },
    mailBudgetOf(request, email) {
      const { id, addresses = [] } = read(request);
      const address = addressMark(email);
      return addresses.includes(address) ? `browser ${id} ${address}` : null;
    },
    remember(request, reply, user) {
      const { id, people, addresses = [] } = read(request);
      const known: Known = {
        id,
        people: latest(markOf(user), people),
        addresses: latest(addressMark(user.email), addresses),
      };
      browserCookie.write(reply, sealer.seal(JSON.stringify(known), CONTEXT), KNOWN_SECONDS);
    },
  };
}

function latest(mark: string, marks: readonly string[]): string[] {
  return [mark, ...marks.filter((other) => other !== mark)].slice(0, MOST_PEOPLE);
}

function addressMark(email: string): string {
  return hashEmail(email).slice(0, 22);
}

/** It ends with the password, so that a thief's browser is no longer known. */
function markOf({ id, passwordHash }: User): string {
  return hashToken(`${id} ${passwordHash}`).slice(0, 22);
}
