import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { Passkey } from "../../domain/people/passkey.ts";
import { isSecondStepDemanded } from "../../domain/people/second-step.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { confirmFirst } from "../pages/confirm-first.ts";
import { isPasskeyNote, type PasskeyNote, passkeysPage, type ShownPasskey } from "../pages/passkeys.ts";
import { openTimes } from "../pages/times.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep, SecondStepSettings } from "../second-step/second-step.ts";
import { passkeyMark } from "../sign-in/proof.ts";
import type { Access } from "./access.ts";
import type { Visit, Visits } from "./visit.ts";

export interface OwnPasskeysOptions {
  readonly operator: string;
  readonly settings: Pick<SecondStepSettings, "SECOND_STEP" | "SUPPORT_CONTACT">;
  readonly store: Pick<Store, "passkeys">;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly secondStep: Pick<SecondStep, "factorsOf">;
  readonly access: Access;
  readonly outgoing: Outgoing;
  readonly forms: Signer;
}

/** Characters of a name. */
const NAME_LENGTH = 60;

/** The page on which people see, add, rename and remove their passkeys (U36). */
export function openOwnPasskeys(
  { operator, settings, store, passkeys, secondStep, access, outgoing, forms }: OwnPasskeysOptions,
  { root: back, tell }: Pick<Visits, "root" | "tell">,
) {
  const root = `${back}/passkeys`;

  return { show: showPage, add, rename, remove };

  async function showPage(visit: Visit): Promise<FastifyReply> {
    // The one that was removed a moment ago.
    const { passkey } = visit.request.query as { passkey?: unknown };
    return show(visit, null, typeof passkey === "string" ? await passkeys?.unknown(passkey) : null);
  }

  /** @param unknown a credential that the browser may forget */
  async function show(visit: Visit, error: string | null = null, unknown: string | null = null): Promise<FastifyReply> {
    const { request, reply, session, user } = visit;
    if (passkeys === null) return sendErrorPage(reply, operator, { ...NONE, next: { label: "Back", href: back } });
    const { done } = request.query as { done?: unknown };
    const own = await store.passkeys.listOf(user.id);
    const csrf = forms.sign(session.uid);
    // A passkey would let a person stay in an account that they made with an address of somebody else (P34).
    const prompt = user.emailVerified ? passkeys.offer(csrf, user, own, unknown) : null;
    const page = passkeysPage({
      ...{ operator, root, back, csrf, prompt, error },
      notYet:
        prompt === null
          ? confirmFirst({ root: back, sendsMail: outgoing.isOn, supportContact: settings.SUPPORT_CONTACT })
          : null,
      passkeys: own.map((passkey) => shown(passkey, passkeys.rpId)),
      accepted: own.length === 0 ? null : JSON.stringify(accepted(own, passkeys.rpId)),
      times: openTimes(request.headers["accept-language"]),
      note: error === null && isPasskeyNote(done) ? done : null,
    });
    return sendPage(reply, page, { status: error === null ? 200 : 400, script: prompt?.script ?? null });
  }

  async function add(visit: Visit): Promise<FastifyReply> {
    const { request, field, user } = visit;
    if (passkeys === null) return show(visit);
    const made = await passkeys.accept({ form: field("csrf"), field, request });
    if (made === null) return show(visit, NOT_MADE);
    try {
      await passkeys.add(user, made, request);
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return show(visit, error.message);
      if (error instanceof AppError && error.code === "NOT_FOUND") return redirect(visit.reply, root);
      throw error;
    }
    return leave(visit, "added");
  }

  async function rename(visit: Visit): Promise<FastifyReply> {
    const name = visit.field("name").trim();
    if (name === "" || [...name].length > NAME_LENGTH || !name.isWellFormed() || name.includes("\0"))
      return show(visit, `Give the passkey a name of 1 to ${NAME_LENGTH} characters.`);
    const isRenamed = await store.passkeys.rename(visit.user.id, visit.field("passkey"), name);
    return isRenamed ? leave(visit, "renamed") : redirect(visit.reply, root);
  }

  /** Whether the last passkey that works is the second step that the account must have. Without a password it is the only way in, too. */
  async function isDemanded(user: User): Promise<boolean> {
    if (user.passwordHash === null || !isSecondStepDemanded(settings.SECOND_STEP, user.role)) return false;
    const { totp, passkeys: usable } = await secondStep.factorsOf(user);
    return !totp && usable === 1;
  }

  async function remove(visit: Visit): Promise<FastifyReply> {
    const { field, user } = visit;
    const credentialId = field("passkey");
    const passkey = await store.passkeys.find(credentialId);
    if (passkeys === null || passkey === null || passkey.userId !== user.id) return redirect(visit.reply, root);
    if (passkey.rpId === passkeys.rpId && (await isDemanded(user))) return show(visit, DEMANDED);
    try {
      if (!(await store.passkeys.remove(user.id, credentialId, passkeys.rpId))) return redirect(visit.reply, root);
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return show(visit, error.message);
      throw error;
    }
    await tell(visit, "passkey", "removed");
    const browser = nameBrowser(visit.request.headers["user-agent"]);
    await outgoing.notice("passkey-removed", user, { passkey: passkey.name, browser });
    await access.endSessionsOfPasskey(user.id, passkeyMark(credentialId));
    return leave(visit, "removed", `&passkey=${credentialId}`);
  }

  function leave({ reply }: Visit, done: PasskeyNote, about = ""): FastifyReply {
    return redirect(reply, `${root}?done=${done}${about}`);
  }
}

/** `AllAcceptedCredentialsOptions` of Web Authentication Level 3, section 5.1.10.3. */
function accepted(own: readonly Passkey[], rpId: string) {
  const ids = own.map(({ credentialId }) => credentialId);
  return { rpId, userId: own.at(-1)?.userHandle, allAcceptedCredentialIds: ids };
}

function shown(passkey: Passkey, rpId: string): ShownPasskey {
  const { credentialId, name, isBackedUp, createdAt, usedAt } = passkey;
  return {
    ...{ credentialId, name, isBackedUp },
    createdAtSeconds: Date.parse(createdAt) / 1_000,
    usedAtSeconds: usedAt === null ? null : Date.parse(usedAt) / 1_000,
    isUsable: passkey.rpId === rpId,
  };
}

const NONE = {
  status: 404,
  title: "There are no passkeys here",
  message: "This service does not use passkeys.",
};

const DEMANDED = "Your account must have a second step. Set up an authenticator app first, or add another passkey.";

const NOT_MADE =
  "The passkey was not added: the page was out of date, or your browser sent nothing that can be used. Please try once more.";
