import { emailKey, isEmail } from "../../domain/people/email.ts";
import type { Identity, Upstream } from "./upstream.ts";

/** The address that an upstream names. */
type Claimed = Pick<Identity, "email" | "emailVerified">;

/** Rules about what the word of an upstream is worth. They know entries and answers, and no person. */
export interface UpstreamPolicy {
  /** Whether its word proves the address (U64): it said true, is trusted, and the domain is its own. */
  provesEmail(identity: Claimed, upstream: Upstream): boolean;
  /**
   * The upstream at which everybody with an address of this domain signs in, and nowhere else (U65); null for none. It is asked for
   * addresses as they are typed and as they are stored, before any person is looked up.
   */
  enforcedFor(email: string): Upstream | null;
  /**
   * The sentence for an address that signs in elsewhere: it tells of the domain, and of nobody. null for an address that may sign in
   * this way.
   *
   * @param upstream null for a way of this server: password, passkey, mailed link
   */
  refusalFor(email: string, upstream: Upstream | null): string | null;
  /** The same for a person, who may be exempt (`user local`). */
  refusalOf(
    person: { readonly email: string; readonly localSignIn: boolean },
    upstream: Upstream | null,
  ): string | null;
  /** Whether an answer may count at all: an upstream that is enforced has to name an address of its own domains. */
  isOwn(identity: Claimed, upstream: Upstream): boolean;
  /**
   * Whether the answer of an unknown identity may make an account: `no`; `proved`, with its address as proved; or `after proof`, once
   * its person has read a mail of ours.
   */
  mayCreate(identity: Claimed, upstream: Upstream): "no" | "proved" | "after proof";
  /** Whether the upstream has asked for a second step, so that none is asked here (U41). */
  isSecondStep(identity: Identity, upstream: Upstream): boolean;
}

export function openUpstreamPolicy(upstreams: readonly Upstream[]): UpstreamPolicy {
  function enforcedFor(email: string): Upstream | null {
    const domain = domainOf(email);
    return upstreams.find(({ enforced, domains }) => enforced && domains.includes(domain)) ?? null;
  }

  function refusalFor(email: string, upstream: Upstream | null): string | null {
    const enforcer = enforcedFor(email);
    return enforcer === null || enforcer.id === upstream?.id
      ? null
      : `${domainOf(email)} signs in with ${enforcer.name}.`;
  }

  return {
    refusalFor,
    refusalOf: ({ email, localSignIn }, upstream) => (localSignIn ? null : refusalFor(email, upstream)),
    enforcedFor,
    provesEmail,
    isOwn: ({ email }, upstream) => !upstream.enforced || isAtDomain(email, upstream),
    mayCreate(identity, upstream) {
      const { email } = identity;
      if (!upstream.signUp || (upstream.domains.length > 0 && !isAtDomain(email, upstream))) return "no";
      if (email !== null && refusalFor(email, upstream) !== null) return "no";
      return provesEmail(identity, upstream) ? "proved" : "after proof";
    },
    isSecondStep: ({ acr, amr }, { mfa }) =>
      mfa !== null && ((acr !== null && mfa.acr.includes(acr)) || amr.some((one) => mfa.amr.includes(one))),
  };
}

function provesEmail(identity: Claimed, upstream: Upstream): boolean {
  return upstream.trustEmail && identity.emailVerified === true && isAtDomain(identity.email, upstream);
}

/** Whether the address is one, and at a domain of the upstream. */
function isAtDomain(email: string | null, { domains }: Upstream): boolean {
  return email !== null && isEmail(email) && domains.includes(domainOf(email));
}

/** In ASCII and lower case, without the dot that ends a whole name (RFC 1034 section 3.1). */
function domainOf(email: string): string {
  const key = emailKey(email.trim());
  return key.slice(key.lastIndexOf("@") + 1).replace(/\.$/, "");
}
