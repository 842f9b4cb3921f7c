import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { readForm, redirect } from "../http/forms.ts";
import type { AfterSignIn } from "../sign-in/after-sign-in.ts";
import type { SignInPlace } from "../sign-in/place.ts";
import { type Entrant, sessionFacts } from "../sign-in/proof.ts";
import { type SignUpMode, signInLinks } from "../sign-in/sign-in-links.ts";
import { type SignInStepName, type SignInSteps, signInHandlers } from "../sign-in/steps.ts";
import type { SeenSession } from "./session-origin.ts";
import type { Handler, Visits } from "./visit.ts";

export interface AccountSignInOptions {
  readonly issuer: string;
  readonly provider: Provider;
  readonly steps: SignInSteps;
  readonly afterSignIn: AfterSignIn;
  readonly signUp: SignUpMode;
  readonly log: Log;
}

export interface AccountSignIn {
  readonly show: Handler;
  /** The forms of the sign-in, by their path below the account page. */
  readonly steps: Readonly<Record<SignInStepName, Handler>>;
  /** Signs in somebody who has shown to be the person, and remembers the browser. */
  begin(request: FastifyRequest, reply: FastifyReply, entrant: Entrant): Promise<void>;
}

/** Pages below `/account` that a sign-in leads back to. The form names one of them, and never a URL (U03). */
const PAGES: readonly string[] = [
  ...["email", "email/finish", "password", "passkeys", "second-step", "authenticator", "name", "export", "delete"],
];

const FORM = "sign-in";

/** The sign-in form at `/account`: a person who comes here has no client that asks for a sign-in. */
export function openAccountSignIn(
  { issuer, provider, steps, afterSignIn, signUp, log }: AccountSignInOptions,
  signer: Signer,
  { root, saveAnew, contextOf }: Pick<Visits, "root" | "saveAnew" | "contextOf">,
): AccountSignIn {
  const forms = openBrowserForms(issuer, signer);

  return {
    show: async (request, reply) => steps.show(placeOf(request, reply, pageOf(request))),
    steps: signInHandlers((name) => async (request, reply) => {
      const field = readForm(request);
      if (!forms.verify(request, FORM, field("csrf"))) return redirect(reply, root);
      return steps[name](placeOf(request, reply, PAGES.find((page) => page === field("for")) ?? null));
    }),
    begin,
  };

  /** The page that was asked for; null for the account page, and for one that is shown on the way to another. */
  function pageOf(request: FastifyRequest): string | null {
    const path = request.routeOptions.url?.slice(root.length + 1);
    return PAGES.find((page) => page === path) ?? null;
  }

  function placeOf(request: FastifyRequest, reply: FastifyReply, page: string | null): SignInPlace {
    return {
      ...{ request, reply, root, field: readForm(request), csrf: forms.prove(request, reply, FORM) },
      ...{ clientId: null, formAction: [], wantedRank: 0 },
      model: { clientName: null, links: signInLinks(issuer, signUp, null), page },
      session: () => provider.Session.get(contextOf(request, reply)),
      async enter(entrant) {
        await begin(request, reply, entrant);
        return redirect(reply, page === null ? root : `${root}/${page}`);
      },
    };
  }

  async function begin(request: FastifyRequest, reply: FastifyReply, { user, proof }: Entrant): Promise<void> {
    afterSignIn(request, reply, user);
    let session = (await provider.Session.get(contextOf(request, reply))) as SeenSession;
    if (session.accountId !== undefined && session.accountId !== user.id) {
      await session.destroy();
      session = new provider.Session();
    }
    session.loginAccount({ accountId: user.id, ...sessionFacts(proof) });
    await saveAnew(session, request, reply);
    log.info({ event: "sign-in", userId: user.id, clientId: null, requestId: request.id }, "signed in");
  }
}
