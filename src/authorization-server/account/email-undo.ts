import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { emailKey } from "../../domain/people/email.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import { mountPath } from "../http/endpoints.ts";
import { readForm, sendErrorPage, sendPage } from "../http/forms.ts";
import type { MailedSecrets } from "../letters/mailed-secrets.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { emailUndonePage, emailUndoPage } from "../pages/email.ts";
import type { Access } from "./access.ts";
import { openBrowserProof } from "./browser-proof.ts";
import { type BadState, sendBadLink, UNUSABLE } from "./email-link.ts";
import type { Handler, Visits } from "./visit.ts";

export interface EmailUndoOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly forms: Signer;
  readonly store: Pick<Store, "accountTokens" | "deletions" | "users">;
  readonly access: Access;
  readonly secrets: MailedSecrets;
  readonly outgoing: Outgoing;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/**
 * The way back to the former address, by the link that it was mailed (U25). It needs no session: somebody else may have taken the account
 * over. The address is typed once more, because scanners of mail open links and press buttons (U02).
 */
export function openEmailUndo(
  { issuer, operator, forms, store, access, secrets, outgoing, log, audit, now }: EmailUndoOptions,
  { root, contextOf }: Pick<Visits, "root" | "contextOf">,
): { show: Handler; submit: Handler } {
  const proof = openBrowserProof(issuer, forms, contextOf, "e-mail undo");
  const read = (token: string) => secrets.read(token, ["email-undo"]);

  function badLink(request: FastifyRequest, reply: FastifyReply, found: BadState): FastifyReply {
    return sendBadLink(request, reply, found, { operator, againHref: null, signInHref: root });
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    errors: { email?: string; form?: string } = {},
  ): FastifyReply {
    const about = { operator, action: `${root}/email/undo`, csrf: proof.give(request, reply), token, errors };
    return sendPage(reply, emailUndoPage(about), { status: Object.keys(errors).length === 0 ? 200 : 400 });
  }

  async function submit(...[request, reply]: Parameters<Handler>): Promise<FastifyReply> {
    const field = readForm(request);
    const token = field("token");
    const found = await read(token);
    if (found.state !== "good") return badLink(request, reply, found);
    if (!proof.verify(request, reply, field("csrf"))) return send(request, reply, token, { form: STALE });
    const { hash, email, userId } = found.token;
    if (emailKey(field("email").trim()) !== emailKey(email)) return send(request, reply, token, { email: OTHER });
    if (userId === null) throw new Error("an undo belongs to a person");
    try {
      // Whoever took the account over may have asked for its deletion (P57).
      if ((await store.users.find(userId))?.deletesAt != null) await store.deletions.undo(userId);
      const undo = () => store.accountTokens.undoEmail(hash, Math.floor(now() / 1_000));
      const user = await access.endAllBy(userId, undo);
      if (user === null) return badLink(request, reply, { state: "void", token: found.token });
      const facts = { event: "email", userId, requestId: request.id } as const;
      log.info(facts, "took the former address back");
      await audit.record({ ...facts, result: "ok", address: request.ip, detail: "took the former address back" });
      await outgoing.toAddress("recovery", user.email);
      const recoverHref = `${mountPath(issuer)}/recover`;
      return sendPage(reply, emailUndonePage({ operator, email: user.email, recoverHref }));
    } catch (error) {
      if (error instanceof AppError && error.code === "CONFLICT") return sendErrorPage(reply, operator, UNUSABLE);
      throw error;
    }
  }

  return {
    async show(request, reply) {
      const { token } = request.query as { token?: unknown };
      const found = await read(typeof token === "string" ? token : "");
      if (found.state !== "good") return badLink(request, reply, found);
      return send(request, reply, String(token));
    },
    submit,
  };
}

const STALE = "The form was out of date. Nothing was changed. Please send it again.";
const OTHER = "This is not the address at which you got the mail.";
