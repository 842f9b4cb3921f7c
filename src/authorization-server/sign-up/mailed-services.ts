import type { FastifyReply, FastifyRequest } from "fastify";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { PasswordRules } from "../../secrets/password-rules.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Access } from "../account/access.ts";
import type { Account } from "../account/account.ts";
import type { Audit } from "../engine/audit.ts";
import type { LetterSettings } from "../letters/letter-settings.ts";
import type { MailedSecrets } from "../letters/mailed-secrets.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep } from "../second-step/second-step.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { PastInteractions } from "../sign-in/past-interactions.ts";
import type { SignUpMode } from "../sign-in/sign-in-links.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";

/** Everything that the pages of this room need. */
export interface MailedOptions {
  readonly settings: LetterSettings;
  readonly services: {
    readonly store: Store;
    readonly sealer: Sealer;
    readonly secret: Uint8Array;
    readonly previousSecret: Uint8Array | null;
    readonly secrets: MailedSecrets;
    readonly outgoing: Outgoing;
    readonly passwords: PasswordRules;
    readonly known: KnownBrowsers;
    /** null: there are none. */
    readonly passkeys: Passkeys | null;
    readonly secondStep: Pick<SecondStep, "isNeeded">;
    readonly signUp: SignUpMode;
    readonly upstreams: Pick<Upstreams, "policy">;
    /** null: mails go out. */
    readonly mailbox: object | null;
    readonly audit: Audit;
    readonly log: Log;
    /** Milliseconds of Unix time. */
    readonly now: () => number;
  };
  /** Parts that load the engine, so they are asked for when a person gets that far. */
  readonly protocol: () => Promise<{
    readonly access: Access;
    readonly account: Pick<Account, "begin" | "linkQuestion">;
    readonly past: PastInteractions;
  }>;
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
