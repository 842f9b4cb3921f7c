import type { FastifyReply, FastifyRequest } from "fastify";
import type Provider from "oidc-provider";
import type { User } from "../../domain/people/user.ts";
import type { Log } from "../../observe/log.ts";
import type { Signer } from "../../secrets/seal.ts";
import { openBrowserForms } from "../http/browser-forms.ts";
import { readForm, redirect } from "../http/forms.ts";
import type { AfterSignIn } from "../sign-in/after-sign-in.ts";
import type { SignInPlace } from "../sign-in/place.ts";
import { type Entrant, sessionFacts } from "../sign-in/proof.ts";
import { type SignUpMode, signInLinks } from "../sign-in/sign-in-links.ts";
import { type SignInStepName, type SignInSteps, signInHandlers } from "../sign-in/steps.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { SeenSession } from "./session-origin.ts";
import { STEP_UP_PAGES } from "./step-up-pages.ts";
import type { Handler, Visits } from "./visit.ts";

export interface AccountSignInOptions {
  readonly issuer: string;
  readonly provider: Provider;
  readonly steps: SignInSteps;
  readonly afterSignIn: AfterSignIn;
  readonly signUp: SignUpMode;
  readonly upstreams: Upstreams;
  readonly log: Log;
}

export interface AccountSignIn {
  readonly show: Handler;
  /** The page to which a round trip to another service leads back. */
  readonly arrive: Handler;
  /** The name of a browser that has no session; null without its cookie. */
  readonly browserOf: (request: FastifyRequest) => string | null;
  /** The forms of the sign-in, by their path below the account page. */
  readonly steps: Readonly<Record<SignInStepName, Handler>>;
  /** Signs in somebody who has shown to be the person, and remembers the browser. */
  begin(request: FastifyRequest, reply: FastifyReply, entrant: Entrant): Promise<void>;
  /**
   * The page that asks whether to link an identity, for a person who has just signed in for that (U63); null where none waits.
   *
   * @param interaction the sign-in for a client that goes on afterwards; null for none
   */
  linkQuestion(request: FastifyRequest, reply: FastifyReply, user: User, interaction: string | null): string | null;
}

/** Pages below `/account` that a sign-in leads back to. The form names one of them, and never a URL (U03). */
const PAGES: readonly string[] = [...STEP_UP_PAGES, "email/finish", "name"];

const FORM = "sign-in";

/** The sign-in form at `/account`: a person who comes here has no client that asks for a sign-in. */
export function openAccountSignIn(
  { issuer, provider, steps, afterSignIn, signUp, upstreams, log }: AccountSignInOptions,
  signer: Signer,
  { root, saveAnew, contextOf }: Pick<Visits, "root" | "saveAnew" | "contextOf">,
): AccountSignIn {
  const forms = openBrowserForms(issuer, signer);

  return {
    show: async (request, reply) => steps.show(placeOf(request, reply, pageOf(request))),
    arrive: async (request, reply) => {
      const wanted = upstreams.arrivals.read(request)?.arrival.page;
      return steps.arrive(placeOf(request, reply, PAGES.find((page) => page === wanted) ?? null));
    },
    browserOf: forms.browserOf,
    steps: signInHandlers((name) => async (request, reply) => {
      const field = readForm(request);
      if (!forms.verify(request, FORM, field("csrf"))) return redirect(reply, root);
      return steps[name](placeOf(request, reply, PAGES.find((page) => page === field("for")) ?? null));
    }),
    begin,
    linkQuestion,
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
      bound: () => ({ for: "account", browser: forms.browserOf(request) ?? "", page }),
      session: () => provider.Session.get(contextOf(request, reply)),
      async enter(entrant) {
        await begin(request, reply, entrant);
        const question = linkQuestion(request, reply, entrant.user, null);
        return redirect(reply, question ?? (page === null ? root : `${root}/${page}`));
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

  /** The first person who signs in after that wish is the only one who is asked: others use the browser too (P40). */
  function linkQuestion(
    request: FastifyRequest,
    reply: FastifyReply,
    { id }: User,
    interaction: string | null,
  ): string | null {
    const waiting = upstreams.arrivals.read(request);
    if (waiting === null || "failed" in waiting.arrival || !waiting.arrival.isToLink) return null;
    if (waiting.arrival.owner !== null && waiting.arrival.owner !== id) return null;
    upstreams.arrivals.change(reply, waiting, { owner: id });
    return interaction === null ? `${root}/link` : `${root}/link?interaction=${interaction}`;
  }
}
