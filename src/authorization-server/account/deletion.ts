import type { FastifyReply } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { deletionTime } from "../../domain/people/account-deletion.ts";
import { DELETION_POSTS } from "../../domain/people/deletion.ts";
import { emailKey } from "../../domain/people/email.ts";
import { isActive, type User } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { redirect, sendErrorPage, sendPage } from "../http/forms.ts";
import { deletionParams } from "../letters/deletion-letters.ts";
import type { LetterSettings } from "../letters/letter-settings.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { deletionAskedPage, deletionPage } from "../pages/deletion.ts";
import { openTimes } from "../pages/times.ts";
import type { Access } from "./access.ts";
import type { Visit, Visits } from "./visit.ts";

export interface AccountDeletionOptions {
  readonly operator: string;
  readonly settings: LetterSettings;
  readonly forms: Signer;
  readonly store: Pick<Store, "deletions" | "users">;
  readonly access: Access;
  readonly outgoing: Outgoing;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

type Errors = Partial<Record<"email" | "posts" | "form", string>>;

/** The form in which a person leaves (U72). The account is locked at once, and deleted after a delay. */
export function openAccountDeletion(
  { operator, settings, forms, store, access, outgoing, now }: AccountDeletionOptions,
  { root, tell }: Pick<Visits, "root" | "tell">,
) {
  const { DELETION_DELAY: delay, SUPPORT_CONTACT: contact } = settings;

  function show({ reply, session, user }: Visit, posts = "", errors: Errors = {}, status = 200): FastifyReply {
    if (settings.ACCOUNT_DELETION === "admin") return sendErrorPage(reply, operator, byAdministrators(contact, root));
    const about = { email: user.email, posts, delay, errors, csrf: forms.sign(session.uid) };
    return sendPage(reply, deletionPage({ operator, action: `${root}/delete`, back: root, ...about }), { status });
  }

  async function ask(visit: Visit): Promise<FastifyReply> {
    if (settings.ACCOUNT_DELETION === "admin") return show(visit);
    const { request, reply, user, field } = visit;
    const posts = DELETION_POSTS.find((choice) => choice === field("posts"));
    const errors: Errors = {};
    if (posts === undefined) errors.posts = "Choose what becomes of your posts.";
    if (emailKey(field("email").trim()) !== emailKey(user.email)) errors.email = "This is not your e-mail address.";
    if (posts === undefined || errors.email !== undefined) return show(visit, posts, errors, 400);
    let asked: User | null;
    try {
      const deletesAt = deletionTime(now(), delay);
      asked = await access.endAllBy(user.id, () => store.deletions.ask(user.id, { deletesAt, posts }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "CONFLICT") throw error;
      const present = await store.users.find(user.id);
      if (present === null || !isActive(present)) return redirect(reply, root); // the form was sent twice
      return show(visit, posts, { form: LAST }, 409);
    }
    await tell(visit, "deletion", `asked for, posts: ${posts}`);
    const params = deletionParams(asked ?? user);
    await outgoing.notice("deletion-asked", user, {
      ...params,
      browser: nameBrowser(request.headers["user-agent"]),
    });
    const deletesAtSeconds = Date.parse(params.deletesAt ?? "") / 1_000;
    const times = openTimes(request.headers["accept-language"]);
    return sendPage(reply, deletionAskedPage({ operator, signInHref: root, deletesAtSeconds, times }));
  }

  return { show: (visit: Visit) => show(visit), ask };
}

const LAST =
  "You are the last administrator, and somebody must be able to manage this server. Make somebody else an administrator first. Your account was not changed.";

function byAdministrators(contact: string | null, href: string) {
  return {
    status: 403,
    title: "Administrators delete accounts here",
    message: `You cannot delete your account yourself. Ask ${contact ?? "an administrator"}.`,
    next: { label: "Back to your account", href },
  };
}
