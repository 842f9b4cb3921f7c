import type { FastifyReply } from "fastify";
import type { User } from "../../domain/people/user.ts";
import type { Sealer, Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { isSecondStepNote, ownSecondStepPage, type SecondStepNote } from "../pages/account-second-step.ts";
import { confirmFirst } from "../pages/confirm-first.ts";
import { recoveryCodesPage } from "../pages/recovery-codes.ts";
import { recoveryCodesFile } from "../second-step/recovery-codes.ts";
import type { SecondStep, SecondStepSettings, ShownFactors } from "../second-step/second-step.ts";
import { PASSWORD_PROOF, sessionFacts, twoStepProof } from "../sign-in/proof.ts";
import type { Access } from "./access.ts";
import { openSealedCodes } from "./sealed-codes.ts";
import type { SeenSession } from "./session-origin.ts";
import { type ShownSecondStepOptions, shownSecondStep } from "./shown-second-step.ts";
import type { Visit, Visits } from "./visit.ts";

export interface OwnSecondStepOptions extends ShownSecondStepOptions {
  readonly settings: Pick<SecondStepSettings, "SECOND_STEP" | "SUPPORT_CONTACT">;
  readonly operator: string;
  readonly forms: Signer;
  readonly sealer: Sealer;
  readonly secondStep: SecondStep;
  readonly access: Access;
  readonly outgoing: Pick<Outgoing, "isOn">;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

export type OwnSecondStep = ReturnType<typeof openOwnSecondStep>;

/** The page on which people turn their second step on and off, and the pages of new recovery codes (U44, U45). */
export function openOwnSecondStep(
  options: OwnSecondStepOptions,
  { root: back, saveAnew }: Pick<Visits, "root" | "saveAnew">,
) {
  const { operator, settings, forms, sealer, secondStep, access, outgoing, now } = options;
  const root = `${back}/second-step`;
  const { factors } = secondStep;
  const sealedCodes = openSealedCodes(sealer, now);

  return {
    show: (visit: Visit) => send(visit),
    showError: (visit: Visit, error: string) => send(visit, error),
    leave,
    sendNewCodes,
    makeCodes: (visit: Visit) => sendNewCodes(visit, { hasShownApp: false }),
    downloadCodes,
    turnOn,
    turnOff,
  };

  async function send({ request, reply, session, user }: Visit, error: string | null = null): Promise<FastifyReply> {
    const { done } = request.query as { done?: unknown };
    const shown = await shownSecondStep(options, user);
    const page = ownSecondStepPage({
      ...{ operator, root: back, csrf: forms.sign(session.uid), shown, error },
      notYet: mayAddAuthenticator(user, { totp: shown.hasAuthenticator })
        ? null
        : confirmFirst({ root: back, sendsMail: outgoing.isOn, supportContact: settings.SUPPORT_CONTACT }),
      note: error === null && isSecondStepNote(done) ? done : null,
    });
    return sendPage(reply, page, { status: error === null ? 200 : 400 });
  }

  function leave({ reply }: Visit, done: SecondStepNote): FastifyReply {
    return redirect(reply, `${root}?done=${done}`);
  }

  /** Makes recovery codes, and answers with the one page that shows them. */
  async function sendNewCodes(visit: Visit, { hasShownApp }: { readonly hasShownApp: boolean }): Promise<FastifyReply> {
    const { request, reply, session } = visit;
    const { user, message, codes } = await factors.makeRecoveryCodes(visit.user, request);
    if (user === null) return send(visit, message);
    const csrf = forms.sign(session.uid);
    const { totp, passkeys } = await secondStep.factorsOf(user);
    const page = recoveryCodesPage({
      ...{ operator, csrf, codes, next: root, isAppAdded: hasShownApp },
      hidden: { codes: sealedCodes.seal(user, { codes, hasShownApp }, csrf) },
      fileAction: `${back}/recovery-codes/file`,
      keptAction: !user.secondStep && (totp || passkeys > 0) ? `${root}/on` : null,
    });
    return sendPage(reply, page);
  }

  async function downloadCodes({ reply, session, user, field }: Visit): Promise<FastifyReply> {
    const opened = sealedCodes.open(user, field("codes"), forms.sign(session.uid));
    if (opened === null)
      return sendErrorPage(reply, operator, { ...NO_FILE, next: { label: "Make new codes", href: root } });
    return reply.headers(FILE_HEADERS).send(recoveryCodesFile(opened.codes, operator, user.email));
  }

  async function turnOn(visit: Visit): Promise<FastifyReply> {
    const { request, reply, session, user, field } = visit;
    if (user.secondStep) return redirect(reply, root);
    const opened = sealedCodes.open(user, field("codes"), forms.sign(session.uid));
    const changed = await factors.turnOn(user, request);
    if (changed.user === null) return send(visit, changed.message);
    if (opened?.hasShownApp === true && isByPassword(session)) raise(session, user);
    // Its grants end with those of the other sessions; nothing is kept under its old id.
    delete session.authorizations;
    await saveAnew(session, request, reply);
    await access.endAll(user.id, hashToken(session.jti));
    return leave(visit, "on");
  }

  async function turnOff(visit: Visit): Promise<FastifyReply> {
    const { user, message } = await factors.turnOff(visit.user, visit.request);
    return user === null ? send(visit, message) : leave(visit, "off");
  }
}

/** Keeps out a person who made the account with an address of somebody else: an app would let them stay in it (P34). */
export function mayAddAuthenticator({ emailVerified }: User, { totp }: Pick<ShownFactors, "totp">): boolean {
  return emailVerified || totp;
}

function isByPassword({ acr, amr }: SeenSession): boolean {
  return acr === PASSWORD_PROOF.acr && amr?.includes("pwd") === true;
}

/** The session has shown the app too. The sign-in is no younger for that. */
function raise(session: SeenSession, { id: accountId }: User): void {
  const { loginTs } = session;
  session.loginAccount({
    ...{ accountId, ...sessionFacts(twoStepProof(PASSWORD_PROOF.amr, ["otp"])) },
    ...(loginTs === undefined ? {} : { loginTs }),
  });
}

const FILE_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "content-disposition": 'attachment; filename="recovery-codes.txt"',
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const NO_FILE = {
  title: "The codes are no longer here",
  message:
    "Recovery codes are shown only once, and your account has changed since, or an hour has passed. If you did not keep them, make new ones.",
};
