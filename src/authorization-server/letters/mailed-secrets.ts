import { randomBytes } from "node:crypto";
import type {
  AccountToken,
  AccountTokenStore,
  NewAccountToken,
  TokenPurpose,
} from "../../domain/people/account-token.ts";
import { emailKey } from "../../domain/people/email.ts";
import { INVITATION_SECONDS } from "../../domain/people/invitation.ts";
import { lettersOf, randomLetters } from "../../secrets/random-letters.ts";
import { openSigner } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";

const CODE_LENGTH = 8;

/** Seconds for which each kind of link is good (U14, U18, U20, U25). */
export const LIFETIMES = {
  "sign-up": 86_400,
  invitation: INVITATION_SECONDS,
  recovery: 3_600,
  "email-change": 86_400,
  "email-undo": 72 * 3_600,
} as const satisfies Record<TokenPurpose, number>;

type About = Pick<NewAccountToken, "purpose" | "email"> &
  Partial<
    Pick<
      NewAccountToken,
      "userId" | "credentialVersion" | "invitationId" | "interaction" | "provesEmail" | "browserHash"
    >
  > & {
    /** Defaults to the purpose's own. */
    readonly seconds?: number;
    /** Unix time in seconds from which on it undoes things, where that is earlier than now. */
    readonly sinceSeconds?: number;
  };

/** A link that somebody opened: good, or why it is not. */
export type LinkState =
  | { readonly state: "good"; readonly token: AccountToken }
  | { readonly state: "expired" | "used" | "void"; readonly token: AccountToken }
  | { readonly state: "unknown"; readonly token: null };

/** Secrets of links and codes. They are made when the mail is sent; only hashes are kept (R2). */
export interface MailedSecrets {
  /** Makes a link's secret. With `browserHash` a code for that browser comes with it. */
  issue(
    about: About,
  ): Promise<{ readonly secret: string; readonly code: string | null; readonly expiresAtSeconds: number }>;
  read(secret: string, purposes: readonly TokenPurpose[]): Promise<LinkState>;
  /** As `read`, for a page that knows the token's hash from an earlier one. */
  readHash(hash: string, purposes: readonly TokenPurpose[]): Promise<LinkState>;
  /** The token of a code that was typed in the browser that asked for it. The caller has counted the attempt. */
  readCode(typed: string, purpose: TokenPurpose, email: string, browserHash: string): Promise<LinkState>;
}

/** @param now Unix time in milliseconds */
export function openMailedSecrets(store: AccountTokenStore, secret: Uint8Array, now: () => number): MailedSecrets {
  const codes = openSigner(secret, "codes in mails");
  const nowSeconds = () => Math.floor(now() / 1_000);
  const macOf = (code: string, purpose: TokenPurpose, email: string) =>
    codes.sign(`${purpose} ${emailKey(email)} ${code}`);

  function stateOf(token: AccountToken | null, purposes: readonly TokenPurpose[]): LinkState {
    if (token === null || !purposes.includes(token.purpose)) return { state: "unknown", token: null };
    if (token.usedAtSeconds !== null) return { state: "used", token };
    if (token.voidedAtSeconds !== null) return { state: "void", token };
    return { state: token.expiresAtSeconds <= nowSeconds() ? "expired" : "good", token };
  }

  return {
    async issue({ purpose, email, seconds = LIFETIMES[purpose], browserHash = null, ...about }) {
      const secret = randomBytes(32).toString("base64url");
      const code = browserHash === null ? null : randomLetters(CODE_LENGTH);
      const createdAtSeconds = Math.min(about.sinceSeconds ?? Number.POSITIVE_INFINITY, nowSeconds());
      const expiresAtSeconds = nowSeconds() + seconds;
      await store.put({
        hash: hashToken(secret),
        purpose,
        email,
        provesEmail: about.provesEmail ?? true,
        userId: about.userId ?? null,
        credentialVersion: about.credentialVersion ?? null,
        invitationId: about.invitationId ?? null,
        codeMac: code === null ? null : macOf(code, purpose, email),
        browserHash,
        interaction: about.interaction ?? null,
        createdAtSeconds,
        expiresAtSeconds,
      });
      return { secret, code: code === null ? null : `${code.slice(0, 4)}-${code.slice(4)}`, expiresAtSeconds };
    },

    async read(secret, purposes) {
      if (!/^[\w-]{43}$/.test(secret)) return { state: "unknown", token: null };
      return stateOf(await store.find(hashToken(secret)), purposes);
    },

    readHash: async (hash, purposes) => stateOf(await store.find(hash), purposes),

    async readCode(typed, purpose, email, browserHash) {
      const code = lettersOf(typed);
      if (code.length !== CODE_LENGTH) return { state: "unknown", token: null };
      return stateOf(await store.findByCode(purpose, browserHash, macOf(code, purpose, email)), [purpose]);
    },
  };
}
