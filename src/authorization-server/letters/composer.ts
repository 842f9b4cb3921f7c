import type { Mail, MailKind } from "../../domain/people/mail.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Letter } from "../../mail/letter.ts";
import type { UpstreamPolicy } from "../upstreams/policy.ts";
import type { LetterSettings } from "./letter-settings.ts";
import type { MailedSecrets } from "./mailed-secrets.ts";

/** Services that make a letter from its mail. */
export interface LetterServices {
  readonly settings: LetterSettings;
  readonly store: Store;
  readonly secrets: MailedSecrets;
  readonly policy: Pick<UpstreamPolicy, "refusalFor" | "refusalOf">;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

/** `to` stands where the recipient is not the address that was typed: mail goes to the stored spelling (R22). */
export type LetterText = Pick<Letter, "subject" | "heading" | "parts"> & Partial<Pick<Letter, "to">>;

/**
 * Decides what a mail says when its turn comes, and makes the secret of its link; null for nothing to send. It may be called again for
 * one mail: then each letter has a link of its own, and all are good until one is used.
 */
export type Composer = (mail: Mail, services: LetterServices) => Promise<LetterText | null>;

export type Composers = Readonly<Partial<Record<MailKind, Composer>>>;
