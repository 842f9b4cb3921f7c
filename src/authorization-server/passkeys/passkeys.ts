import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { AuditResult } from "../../domain/audit.ts";
import type { FirstPasskey, Passkey, PasskeyStore } from "../../domain/people/passkey.ts";
import { isActive, mayKeep, type User, type UserStore } from "../../domain/people/user.ts";
import type { AttemptStore } from "../../domain/store/attempts.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import type { PasskeyPrompt } from "../pages/layout/passkey-button.ts";
import type { UpstreamPolicy } from "../upstreams/policy.ts";
import { isBase64url, MOST_ID_BYTES } from "./answer-text.ts";
import { openPasskeyAnswers } from "./answers.ts";
import { openChallenges } from "./challenges.ts";
import { nameModel } from "./models.ts";
import { ALGORITHMS } from "./public-key.ts";
import { scriptUrl } from "./script.ts";

export interface PasskeyOptions {
  readonly settings: { readonly AUTH_URL: string; readonly OPERATOR_NAME: string; readonly PASSKEY_ID: string | null };
  readonly services: {
    readonly store: { readonly users: UserStore; readonly passkeys: PasskeyStore; readonly attempts: AttemptStore };
    readonly sealer: Sealer;
    readonly policy: Pick<UpstreamPolicy, "refusalOf">;
    readonly audit: Audit;
    readonly outgoing: Outgoing;
    /** Milliseconds of Unix time. */
    readonly now: () => number;
  };
}

/** An answer of a browser that was sent with a form. */
interface Answered {
  /** The proof of the form. */
  readonly form: string;
  readonly field: (name: string) => string;
  readonly request: FastifyRequest;
}

interface SignInAnswer extends Answered {
  /** `second-step`: its caller writes down that it was right. */
  readonly event: "sign-in" | "step-up" | "second-step";
  /** The only person that it may be; anybody unless given. */
  readonly owner?: User["id"];
  readonly clientId: string | null;
}

/** The person may be one whose account will be deleted unless they keep it: `isActive` tells. */
type PasskeySignIn =
  | { readonly user: User; readonly passkey: Passkey }
  | { readonly user: null; readonly refusal: PasskeyRefusal };

export interface PasskeyRefusal {
  readonly message: string;
  /** A credential that nobody has here: the browser may forget it. null for any other refusal. */
  readonly unknown: string | null;
}

/** Somebody who may get a passkey. */
interface Owner {
  readonly name: string;
  readonly email: string;
}

export interface Passkeys {
  readonly rpId: string;
  /** Makes the prompt of a page that asks for a sign-in with any passkey (U37). @param unknown as `PasskeyRefusal` has it */
  ask(form: string, unknown?: string | null): PasskeyPrompt;
  /** Makes the prompt of a page that asks a signed-in person for one of their passkeys; null for a person without any. */
  askOwner(form: string, user: User): Promise<PasskeyPrompt | null>;
  /**
   * Finds the person who signs in with a passkey. The audit has it before this resolves to somebody. Attempts do not count against the
   * account, so that no stranger locks it (P46).
   */
  signIn(answer: SignInAnswer): Promise<PasskeySignIn>;
  /**
   * Makes the prompt of a page on which the person adds a passkey (U36).
   *
   * @param present those that the person has
   * @param unknown as `PasskeyRefusal` has it
   */
  offer(form: string, owner: Owner, present: readonly Passkey[], unknown?: string | null): PasskeyPrompt;
  /**
   * Adds a passkey to an account, and tells its person.
   * @throws AppError as `PasskeyStore.create`
   */
  add(user: User, passkey: FirstPasskey, request: FastifyRequest): Promise<void>;
  /** The passkey that a browser has made; null for an answer that is not good, or came too late. */
  accept(answer: Answered): Promise<FirstPasskey | null>;
  /** A credential that the browser may forget, because nobody has it here: the id, or null. */
  unknown(credentialId: string): Promise<string | null>;
}

/** Sign-in with passkeys; null where there are none (PASSKEYS). */
export function openPasskeys({ settings, services }: PasskeyOptions): Passkeys | null {
  const { AUTH_URL: issuer, OPERATOR_NAME: operator, PASSKEY_ID: rpId } = settings;
  if (rpId === null) return null;
  const { store, sealer, policy, audit, outgoing, now } = services;
  const challenges = openChallenges(sealer, store.attempts, now);
  const answers = openPasskeyAnswers({ origin: new URL(issuer).origin, rpId });
  const script = scriptUrl(issuer);

  function askFor(form: string, allowCredentials: readonly object[], unknown: string | null = null): PasskeyPrompt {
    const { challenge, state } = challenges.issue("sign-in", form);
    const options = { challenge, rpId, allowCredentials, userVerification: "required", timeout: TIMEOUT };
    return { kind: "get", script, state, options: JSON.stringify(options), unknown };
  }

  /** The person of a passkey that is theirs and is for this server; whether they may enter is not asked. */
  async function ownerOf(
    challenge: string,
    answer: string,
    owner?: User["id"],
  ): Promise<{ user: User; passkey: Passkey } | Judged> {
    const claim = answers.claimOf(answer);
    if (claim === null) return { refused: "malformed", unknown: null };
    const passkey = await store.passkeys.find(claim.credentialId);
    if (passkey === null) return { refused: "unknown", unknown: claim.credentialId };
    if (owner !== undefined && owner !== passkey.userId)
      return { refused: "another person's", unknown: null, userId: owner };
    const use = await answers.readUse(answer, challenge, passkey);
    const user = await store.users.find(passkey.userId);
    if (use === null || user === null) return { refused: "not proved", unknown: null, userId: passkey.userId };
    // Nobody may enter: the passkey is as unknown as any other (P33).
    if (!isActive(user) && !mayKeep(user)) return { refused: "not active", unknown: null, userId: user.id };
    const usedAt = new Date(now()).toISOString();
    if (await store.passkeys.use(passkey.credentialId, { ...use, usedAt })) return { user, passkey };
    return { refused: "the counter went back", unknown: null, userId: user.id, user };
  }

  return {
    rpId,

    ask: (form, unknown = null) => askFor(form, [], unknown),

    async askOwner(form, user) {
      const own = (await store.passkeys.listOf(user.id)).filter((passkey) => passkey.rpId === rpId);
      return own.length === 0 ? null : askFor(form, own.map(descriptor));
    },

    async signIn({ form, field, request, event, clientId, owner }) {
      const spent = await challenges.spend("sign-in", form, field("state"));
      if (spent === null) return { user: null, refusal: { message: TOO_OLD, unknown: null } };
      const found = await ownerOf(spent.challenge, field("answer"), owner);
      const facts = (result: AuditResult, userId: string | null, detail: string) => ({
        ...{ event, result, userId, clientId, detail },
        ...{ address: request.ip, requestId: request.id },
      });
      if ("refused" in found) {
        audit.note(facts("refused", found.userId ?? null, `passkey: ${found.refused}`));
        // A copy of the device may exist.
        if (found.user !== undefined)
          await outgoing.notice("passkey-refused", found.user, { browser: nameBrowser(request.headers["user-agent"]) });
        return { user: null, refusal: { message: UNKNOWN, unknown: found.unknown } };
      }
      const { user, passkey } = found;
      // As a second step it comes after the service that the domain signs in with. Otherwise it is as unknown as any other (P33).
      if (event !== "second-step" && policy.refusalOf(user, null) !== null) {
        audit.note(facts("refused", user.id, "passkey: the domain signs in elsewhere"));
        return { user: null, refusal: { message: UNKNOWN, unknown: null } };
      }
      if (isActive(user)) {
        if (event !== "second-step") await audit.record(facts("ok", user.id, "passkey"));
      } else audit.note(facts("refused", user.id, "the account will be deleted"));
      return { user, passkey };
    },

    offer(form, owner, present, unknown = null) {
      const handle = present.at(-1)?.userHandle ?? firstHandle(form);
      const { challenge, state } = challenges.issue("new passkey", form, handle);
      const options = {
        challenge,
        rp: { id: rpId, name: operator },
        user: { id: handle, name: owner.email, displayName: owner.name || owner.email },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
        attestation: "none",
        excludeCredentials: present.map(descriptor),
        timeout: TIMEOUT,
      };
      return { kind: "create", script, state, options: JSON.stringify(options), unknown };
    },

    async unknown(credentialId) {
      if (!isBase64url(credentialId, MOST_ID_BYTES)) return null;
      return (await store.passkeys.find(credentialId)) === null ? credentialId : null;
    },

    async add(user, passkey, { ip: address, id: requestId, headers }) {
      await store.passkeys.create({ ...passkey, userId: user.id }, user.credentialVersion);
      await audit.record({ event: "passkey", result: "ok", userId: user.id, address, requestId, detail: "added" });
      const browser = nameBrowser(headers["user-agent"]);
      await outgoing.notice("passkey-added", user, { passkey: passkey.name, browser });
    },

    async accept({ form, field, request }) {
      const spent = await challenges.spend("new passkey", form, field("state"));
      if (spent === null) return null;
      const credential = await answers.readNew(field("answer"), spent.challenge);
      if (credential === null) return null;
      const name = nameModel(credential.aaguid) ?? nameBrowser(request.headers["user-agent"]);
      return { ...credential, userHandle: spent.about, name, createdAt: new Date(now()).toISOString() };
    },
  };
}

/**
 * 32 bytes that nobody can guess, base64url: the proof of a form is secret, and belongs to one person. It stays while the person tries
 * again, so that a device replaces a passkey that never reached us.
 */
function firstHandle(form: string): string {
  return createHash("sha256").update(`user handle, ${form}`).digest("base64url");
}

interface Judged {
  /** The reason, for the audit. */
  readonly refused: string;
  readonly unknown: string | null;
  readonly userId?: User["id"];
  /** The person to be told. */
  readonly user?: User;
}

/** Milliseconds for which the browser waits for the person. */
const TIMEOUT = 300_000;

const TOO_OLD = "The page was out of date. Please try once more.";

const UNKNOWN = "This passkey is not known here. It may have been removed.";

/** `PublicKeyCredentialDescriptorJSON`. */
function descriptor({ credentialId, transports }: Passkey) {
  return { type: "public-key", id: credentialId, ...(transports.length === 0 ? {} : { transports }) };
}
