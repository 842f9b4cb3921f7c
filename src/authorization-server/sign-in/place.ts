import type { FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { Audit } from "../engine/audit.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import type { Bound } from "../upstreams/upstream.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { KeptAccounts } from "./kept-accounts.ts";
import type { Entrant } from "./proof.ts";
import type { SignInCheck } from "./sign-in-check.ts";
import type { SignUpMode } from "./sign-in-links.ts";
import type { Refused, SignInModel } from "./sign-in-page.ts";

/** One request of somebody who signs in: at the account page, or because a client asks. */
export interface SignInPlace {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly field: (name: string) => string;
  /** The path that the steps of the sign-in stand below. */
  readonly root: string;
  /** Proves that a form came from a page of this place (A12). */
  readonly csrf: string;
  readonly clientId: string | null;
  /** Parts of the sign-in page that this place decides. */
  readonly model: SignInModel;
  /** URLs that receive the answer to the client. */
  readonly formAction: readonly string[];
  /** The strength that the client wishes for, as `acrRank` has it; 0 for none. */
  readonly wantedRank: number;
  /** This place, for a round trip to another service. */
  readonly bound: () => Bound;
  /** The session that is open in the browser. */
  session(): Promise<{ readonly accountId?: string | undefined; readonly uid: string } | undefined>;
  /** The end of all steps: the person is signed in. */
  enter(entrant: Entrant): Promise<FastifyReply>;
}

export interface SignInStepsOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly supportContact: string | null;
  readonly checkSignIn: SignInCheck;
  readonly kept: KeptAccounts;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly secondStep: SecondStep;
  /** Ends every session of a person. */
  readonly endAll: (userId: User["id"]) => Promise<void>;
  readonly upstreams: Upstreams;
  readonly signUp: SignUpMode;
  readonly store: Pick<Store, "users" | "upstreamIdentities" | "artifacts">;
  readonly settings: { readonly SIGN_UP_ROLE: "member" | "editor"; readonly SESSION_MAX: number };
  readonly audit: Audit;
  readonly log: Log;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The ends of a step. */
export interface StepEnds {
  /** The page on which a sign-in begins. */
  show(place: SignInPlace, refused?: Refused): FastifyReply;
  /** The first step was taken. */
  admit(place: SignInPlace, entrant: Entrant): Promise<FastifyReply>;
  /** All steps were taken. */
  pass(place: SignInPlace, entrant: Entrant): Promise<FastifyReply>;
}
