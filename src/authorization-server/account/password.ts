import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import type { User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { PasswordRules } from "../../secrets/password-rules.ts";
import { hashPassword } from "../../secrets/passwords.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { fieldErrors, redirect, sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { passwordPage } from "../pages/password.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { SignInCheck } from "../sign-in/sign-in-check.ts";
import type { Access } from "./access.ts";
import { checkOwnPassword } from "./own-password.ts";
import type { Visit, Visits } from "./visit.ts";

export interface PasswordChangeOptions {
  readonly operator: string;
  readonly forms: Signer;
  readonly store: Pick<Store, "users">;
  readonly passwords: PasswordRules;
  readonly access: Access;
  readonly outgoing: Outgoing;
  readonly checkSignIn: SignInCheck;
  readonly known: KnownBrowsers;
}

/** The form in which a person who knows the password sets another. It ends every other session and all access. */
export function openPasswordChange(
  { operator, forms, store, passwords, access, outgoing, checkSignIn, known }: PasswordChangeOptions,
  { root, saveAnew, leave, tell }: Pick<Visits, "root" | "saveAnew" | "leave" | "tell">,
) {
  function show(
    { reply, session, user }: Visit,
    errors: Partial<Record<"current" | "password", string>> = {},
    status = Object.keys(errors).length === 0 ? 200 : 400,
  ): FastifyReply {
    const csrf = forms.sign(session.uid);
    const hasPassword = user.passwordHash !== null;
    const about = { operator, action: `${root}/password`, back: root, csrf, email: user.email, hasPassword };
    const page = passwordPage({ ...about, errors });
    return sendPage(reply, page, { status });
  }

  async function change(visit: Visit): Promise<FastifyReply> {
    const { request, reply, session, user, field } = visit;
    const [current, password] = [field("current"), field("password")];
    const errors: Partial<Record<"current" | "password", string>> = {};
    try {
      await passwords.assert(password, user);
    } catch (error) {
      Object.assign(errors, fieldErrors(error));
    }
    // Somebody without one has a passkey, and signed in with it a short time ago.
    const refused =
      user.passwordHash === null
        ? null
        : current === ""
          ? { status: 400, message: "Enter your current password." }
          : await checkOwnPassword(checkSignIn, visit, "password", current, "This is not your current password.");
    if (refused !== null) errors.current = refused.message;
    else if (user.passwordHash !== null && current === password) errors.password ??= "This is your password already.";
    if (Object.keys(errors).length > 0) return show(visit, errors, refused?.status);
    const changed = await save(user, await hashPassword(password));
    if (changed === null) return redirect(reply, root);
    known.remember(request, reply, changed);
    // Its grants end with those of the other sessions; nothing is kept under its old id.
    delete session.authorizations;
    await saveAnew(session, request, reply);
    await access.endAll(user.id, hashToken(session.jti));
    await tell(visit, "password", "changed");
    await outgoing.notice("password-changed", changed, { browser: nameBrowser(request.headers["user-agent"]) });
    return leave(visit, "password");
  }

  /** null where the person's credentials have changed since: whoever sent this may have been thrown out by it (R12). */
  async function save({ id, credentialVersion }: User, passwordHash: string): Promise<User | null> {
    try {
      return await store.users.update(id, { passwordHash, credentialVersion });
    } catch (error) {
      if (error instanceof AppError && error.code === "NOT_FOUND") return null;
      throw error;
    }
  }

  return { show: (visit: Visit) => show(visit), change };
}
