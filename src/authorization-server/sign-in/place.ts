import type { FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { Audit } from "../engine/audit.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import type { KeptAccounts } from "./kept-accounts.ts";
import type { Entrant } from "./proof.ts";
import type { SignInCheck } from "./sign-in-check.ts";
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
  /** What the sign-in page shows. */
  readonly model: SignInModel;
  /** URLs that receive the answer to the client. */
  readonly formAction: readonly string[];
  /** The strength that the client wishes for, as `acrRank` has it; 0 for none. */
  readonly wantedRank: number;
  /** The session that is open in the browser. */
  session(): Promise<{ readonly accountId?: string | undefined; readonly uid: string } | undefined>;
  /** The end of all steps: the person is signed in. */
  enter(entrant: Entrant): Promise<FastifyReply>;
}

export interface SignInStepsOptions {
  readonly operator: string;
  readonly supportContact: string | null;
  readonly checkSignIn: SignInCheck;
  readonly kept: KeptAccounts;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly secondStep: SecondStep;
  /** Ends every session of a person. */
  readonly endAll: (userId: User["id"]) => Promise<void>;
  readonly audit: Audit;
  readonly log: Log;
}

/** The ends of a step. */
export interface StepEnds {
  /** The page on which a sign-in begins. */
  show(place: SignInPlace, refused?: Refused): FastifyReply;
  /** All steps were taken. */
  pass(place: SignInPlace, entrant: Entrant): Promise<FastifyReply>;
}
