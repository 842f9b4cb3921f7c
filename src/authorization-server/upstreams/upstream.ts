import type { Id } from "../../domain/id.ts";

/** Another service at which people sign in: an entry of the file UPSTREAMS, which docs/accounts.md explains. */
export interface Upstream {
  /** Part of paths, and of the key of links: never to be changed. */
  readonly id: string;
  readonly name: string;
  /** The issuer of OpenID Connect, compared character by character; null where there is `oauth2`. */
  readonly issuer: string | null;
  readonly oauth2: OAuth2Endpoints | null;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
  /** Domains of e-mail addresses in ASCII, each that one alone. */
  readonly domains: readonly string[];
  /** Whether people at `domains` sign in there and nowhere else. */
  readonly enforced: boolean;
  readonly signUp: boolean;
  /** Whether its word proves an address at `domains`. */
  readonly trustEmail: boolean;
  /** Values of `acr` and `amr`, each of which proves a second step; null for none. */
  readonly mfa: { readonly acr: readonly string[]; readonly amr: readonly string[] } | null;
}

/** Endpoints of a service without discovery and ID tokens, in the shape of GitHub's. */
interface OAuth2Endpoints {
  readonly authorize: string;
  readonly token: string;
  readonly user: string;
  readonly emails: string;
}

/** The answer of an upstream about the person in front of the browser. The person is known by provider and subject alone (R3). */
export interface Identity {
  readonly provider: string;
  /** 1 to 255 printable ASCII characters, compared byte by byte. */
  readonly subject: string;
  /** By the grammar of our addresses; null for none. */
  readonly email: string | null;
  /** Whether the upstream said so with the boolean true: `policy.ts` decides whether that proves anything here. */
  readonly emailVerified: boolean;
  /** One line; null for none. */
  readonly name: string | null;
  readonly acr: string | null;
  readonly amr: readonly string[];
  /** Name of the upstream's session, for its back-channel sign-out; null for none. */
  readonly sid: string | null;
  /** Unix time of the sign-in at the upstream (`auth_time`); null where it does not say. */
  readonly signedInAtSeconds: number | null;
}

/** The identity that a session began with. */
export interface UpstreamOrigin {
  readonly provider: string;
  readonly subject: string;
  /** Hash of the upstream's session, as `hashSid` makes it; null for none. */
  readonly sid: string | null;
}

/** The act that a round trip is for, and whose it is: its answer counts for nothing else (R4). */
export type Bound =
  | { readonly for: "interaction"; readonly uid: string }
  /** Sign-in at `/account`, with the name of the browser from its form cookie, and the page that follows. */
  | { readonly for: "account"; readonly browser: string; readonly page: string | null }
  | { readonly for: "link"; readonly userId: Id; readonly session: string }
  /**
   * A signed-in person shows once more who they are, to go on to a page: the upstream has to ask them anew. `amr` has the methods by which
   * they have taken the second step here already.
   */
  | {
      readonly for: "step-up";
      readonly userId: Id;
      readonly session: string;
      readonly page: string;
      readonly amr: readonly string[];
    };

/** The person who comes back from the upstream, as this server knows them. */
export interface Visitor {
  /** The name of the browser from its form cookie; null without one. */
  readonly browser: string | null;
  /** Signed in here; null for nobody. */
  readonly person: { readonly userId: Id; readonly session: string } | null;
}
