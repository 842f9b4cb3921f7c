import type { FastifyReply } from "fastify";
import type { Signer } from "../../secrets/seal.ts";
import { redirect, sendPage } from "../http/forms.ts";
import { stepUpPage } from "../pages/step-up.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { SignInCheck } from "../sign-in/sign-in-check.ts";
import { checkOwnPassword } from "./own-password.ts";
import type { Visit, Visits } from "./visit.ts";

/** Pages below `/account` that want a recent sign-in. A request names one of them, and never a URL (U03). */
const STEP_UP_PAGES = ["email", "password", "export", "delete"] as const;

type StepUpPage = (typeof STEP_UP_PAGES)[number];

export interface StepUpOptions {
  readonly operator: string;
  readonly settings: { readonly STEP_UP_AGE: number };
  readonly forms: Signer;
  readonly known: KnownBrowsers;
  readonly checkSignIn: SignInCheck;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

type Act = (visit: Visit) => Promise<FastifyReply> | FastifyReply;

export interface StepUp {
  /**
   * Does `act` for a person who signed in within STEP_UP_AGE seconds. Anybody else is asked for the password, and then led to the page,
   * where they send the form once more: no POST is replayed (P29).
   */
  fresh(page: StepUpPage, act: Act): (visit: Visit) => Promise<FastifyReply>;
  /** The form that asks for the password. */
  show(visit: Visit): FastifyReply;
  submit(visit: Visit): Promise<FastifyReply>;
}

/** The proof that a signed-in person is still at the browser (U30). */
export function openStepUp(
  { operator, settings, forms, known, checkSignIn, now }: StepUpOptions,
  { root, saveAnew }: Pick<Visits, "root" | "saveAnew">,
): StepUp {
  const nowSeconds = () => Math.floor(now() / 1_000);
  const isFresh = ({ session }: Visit) => nowSeconds() - (session.loginTs ?? 0) <= settings.STEP_UP_AGE;

  function send(
    { reply, session, user }: Visit,
    page: StepUpPage,
    refused?: { status: number; message: string },
  ): FastifyReply {
    const errors = refused === undefined ? {} : { password: refused.message };
    const csrf = forms.sign(session.uid);
    const about = { operator, action: `${root}/step-up`, back: root, csrf, page, email: user.email, errors };
    return sendPage(reply, stepUpPage(about), { status: refused?.status ?? 200 });
  }

  return {
    fresh: (page, act) => async (visit) =>
      isFresh(visit) ? act(visit) : redirect(visit.reply, `${root}/step-up?for=${page}`),

    show(visit) {
      const page = pageNamed((visit.request.query as { for?: unknown }).for);
      return page === null ? redirect(visit.reply, root) : send(visit, page);
    },

    async submit(visit) {
      const { request, reply, session, user, field } = visit;
      const page = pageNamed(field("for"));
      if (page === null) return redirect(reply, root);
      const password = field("password");
      if (password === "") return send(visit, page, { status: 400, message: "Enter your password." });
      const refused = await checkOwnPassword(checkSignIn, visit, "step-up", password, "This is not your password.");
      if (refused !== null) return send(visit, page, refused);
      known.remember(request, reply, user);
      session.loginAccount({ accountId: user.id, amr: ["pwd"], loginTs: nowSeconds() });
      await saveAnew(session, request, reply);
      return redirect(reply, `${root}/${page}`);
    },
  };
}

function pageNamed(name: unknown): StepUpPage | null {
  return STEP_UP_PAGES.find((page) => page === name) ?? null;
}
