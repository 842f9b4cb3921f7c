import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type Provider from "oidc-provider";
import type { Store } from "../../domain/store/store.ts";
import type { Mailbox } from "../../mail/mailbox.ts";
import type { Log } from "../../observe/log.ts";
import type { PasswordRules } from "../../secrets/password-rules.ts";
import { openSigner, type Sealer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import type { Audit } from "../engine/audit.ts";
import { redirect, sendPage } from "../http/forms.ts";
import type { LetterSettings } from "../letters/letter-settings.ts";
import type { MailedSecrets } from "../letters/mailed-secrets.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { signedOutEverywherePage } from "../pages/account.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { SecondStep, SecondStepSettings } from "../second-step/second-step.ts";
import type { AfterSignIn } from "../sign-in/after-sign-in.ts";
import type { KnownBrowsers } from "../sign-in/known-browsers.ts";
import type { PastInteractions } from "../sign-in/past-interactions.ts";
import type { SignInCheck } from "../sign-in/sign-in-check.ts";
import type { SignUpMode } from "../sign-in/sign-in-links.ts";
import { SIGN_IN_STEPS, type SignInStepName, type SignInSteps } from "../sign-in/steps.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { Access } from "./access.ts";
import { openOwnAuthenticator } from "./authenticator.ts";
import { openCarried } from "./carried.ts";
import { openData } from "./data.ts";
import { openAccountDeletion } from "./deletion.ts";
import { openEmailChange } from "./email.ts";
import { openLinks } from "./links.ts";
import { openNameChange } from "./name.ts";
import { openOverview } from "./overview.ts";
import { openOwnPasskeys } from "./passkeys.ts";
import { openPasswordChange } from "./password.ts";
import { openOwnSecondStep } from "./second-step.ts";
import { type AccountSignIn, openAccountSignIn } from "./sign-in.ts";
import { openStepUp } from "./step-up.ts";
import { openUpstreamReturns } from "./upstream-returns.ts";
import { type Handler, openVisits, type Visits } from "./visit.ts";

export interface AccountOptions {
  readonly issuer: string;
  readonly operator: string;
  readonly settings: LetterSettings & Pick<SecondStepSettings, "SECOND_STEP">;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly sealer: Sealer;
  readonly provider: Provider;
  readonly store: Store;
  readonly passwords: PasswordRules;
  readonly access: Access;
  readonly outgoing: Outgoing;
  readonly secrets: MailedSecrets;
  readonly mailbox: Mailbox | null;
  readonly checkSignIn: SignInCheck;
  readonly steps: SignInSteps;
  /** null: there are none. */
  readonly passkeys: Passkeys | null;
  readonly secondStep: SecondStep;
  readonly upstreams: Upstreams;
  readonly past: PastInteractions;
  readonly afterSignIn: AfterSignIn;
  readonly known: KnownBrowsers;
  readonly signUp: SignUpMode;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds of Unix time. */
  readonly now: () => number;
}

/** The routes below `/account`: GET shows a page, POST takes a form. */
const ROUTES = [
  "GET ",
  "GET /authenticator",
  "GET /delete",
  "GET /email",
  "GET /email/finish",
  "GET /email/sent",
  "GET /export",
  "GET /link",
  "GET /links",
  "GET /name",
  "GET /passkeys",
  "GET /password",
  "GET /second-step",
  "GET /step-up",
  "GET /upstream",
  "POST /authenticator",
  "POST /authenticator/remove",
  "POST /delete",
  "POST /email",
  "POST /email/code",
  "POST /email/finish",
  "POST /email/prove",
  "POST /end-client",
  "POST /end-session",
  "POST /export",
  "POST /link",
  "POST /links",
  "POST /links/remove",
  "POST /name",
  "POST /passkeys",
  "POST /passkeys/name",
  "POST /passkeys/remove",
  "POST /password",
  "POST /recovery-codes",
  "POST /recovery-codes/file",
  "POST /second-step/off",
  "POST /second-step/on",
  "POST /sign-out",
  "POST /sign-out-everywhere",
  "POST /step-up",
  "POST /step-up/passkey",
  "POST /step-up/upstream",
] as const;

/** The steps of a sign-in post below the page too. */
const ALL_ROUTES = [...ROUTES, ...SIGN_IN_STEPS.map((step) => `POST /${step}` as const)];

export type Account = Readonly<Record<(typeof ALL_ROUTES)[number], Handler>> &
  Pick<Visits, "personOf"> &
  Pick<AccountSignIn, "begin" | "linkQuestion"> & {
    /** For browsers that other services send back. */
    readonly upstreamCallback: Handler;
    /** For other services that tell of a sign-out. */
    readonly upstreamSignOut: Handler;
  };

/** @param handlers loads the engine, so it is called when somebody first comes */
export function accountRoutes(mount: string, handlers: () => Promise<Account>): FastifyPluginAsync {
  return async (server) => {
    for (const route of ALL_ROUTES) {
      const [method = "", path] = route.split(" ");
      const handler: Handler = async (request, reply) => (await handlers())[route](request, reply);
      server.route({ method, url: `${mount}/account${path}`, handler });
    }
    server.get(`${mount}/upstream/:id/callback`, async (request, reply) =>
      (await handlers()).upstreamCallback(request, reply),
    );
    server.post(`${mount}/upstream/:id/logout`, async (request, reply) =>
      (await handlers()).upstreamSignOut(request, reply),
    );
    // Password managers look for it at the root of the host (W3C "A Well-Known URL for Changing Passwords").
    server.get("/.well-known/change-password", async (_request, reply) => redirect(reply, `${mount}/account/password`));
  };
}

/** A person's own pages: what stands open in their name, and how it is ended. */
export function openAccount(options: AccountOptions): Account {
  const { issuer, operator, store, access, sealer, now } = options;
  const forms = openSigner(options.secret, "account forms", options.previousSecret);
  const visits = openVisits({ ...options, forms });
  const { root, personOf, signedIn, onPost, leave, tell } = visits;
  const about = { ...options, forms, carried: openCarried(issuer, sealer, now) };
  const signIn = openAccountSignIn(options, forms, visits);
  const stepUp = openStepUp(about, visits);
  const names = openNameChange({ operator, root, forms, users: store.users });
  const passwords = openPasswordChange(about, visits);
  const email = openEmailChange(about, visits, signIn.show);
  const deletion = openAccountDeletion(about, visits);
  const data = openData(about, visits);
  const ownPasskeys = openOwnPasskeys(about, visits);
  const secondStep = openOwnSecondStep(about, visits);
  const authenticator = openOwnAuthenticator(about, visits, secondStep);
  const links = openLinks(about, visits);
  const returns = openUpstreamReturns(
    { ...about, signIn, acts: { link: links.finish, stepUp: stepUp.finishUpstream } },
    visits,
  );
  const { fresh } = stepUp;
  const page = (show: Parameters<typeof signedIn>[0]) => signedIn(show, signIn.show);

  const signIns = Object.fromEntries(SIGN_IN_STEPS.map((step) => [`POST /${step}`, signIn.steps[step]])) as Record<
    `POST /${SignInStepName}`,
    Handler
  >;

  return {
    personOf,
    begin: signIn.begin,
    linkQuestion: signIn.linkQuestion,
    upstreamCallback: returns.callback,
    upstreamSignOut: returns.signOut,
    "GET ": page(openOverview(about, root)),
    "GET /authenticator": page(fresh("authenticator", authenticator.show)),
    "GET /delete": page(fresh("delete", deletion.show)),
    "GET /email": page(fresh("email", email.show)),
    "GET /email/finish": signedIn(email.showLink, email.openLink),
    "GET /email/sent": page((visit) => email.showSent(visit)),
    "GET /export": page(fresh("export", data.show)),
    "GET /link": page(fresh("link", (visit) => links.showQuestion(visit))),
    "GET /links": page(fresh("links", links.show)),
    "GET /name": page(names.show),
    "GET /passkeys": page(fresh("passkeys", ownPasskeys.show)),
    "GET /password": page(fresh("password", passwords.show)),
    "GET /second-step": page(fresh("second-step", secondStep.show)),
    "GET /step-up": page(stepUp.show),
    "GET /upstream": signIn.arrive,
    "POST /authenticator": onPost(fresh("authenticator", authenticator.confirm)),
    "POST /authenticator/remove": onPost(fresh("second-step", authenticator.remove)),
    "POST /delete": onPost(fresh("delete", deletion.ask)),
    "POST /email": onPost(fresh("email", email.ask)),
    "POST /email/code": onPost(email.enterCode),
    "POST /email/finish": onPost(email.finish),
    "POST /email/prove": onPost(email.prove),
    "POST /end-client": onPost(async (visit) => {
      const clientId = visit.field("client");
      await access.endClient(visit.user.id, clientId);
      await tell(visit, "session", "client ended", clientId);
      return leave(visit, "client");
    }),
    "POST /end-session": onPost(async (visit) => {
      const isEnded = await access.endSession(visit.user.id, visit.field("session"));
      if (isEnded) await tell(visit, "session", "one session ended");
      return leave(visit, "session");
    }),
    "POST /export": onPost(fresh("export", data.download)),
    "POST /link": onPost(fresh("link", links.answer)),
    "POST /links": onPost(fresh("links", links.start)),
    "POST /links/remove": onPost(fresh("links", links.remove)),
    "POST /name": onPost(async (visit) => {
      const result = await names.change(visit);
      if (result === "changed") await tell(visit, "person", "changed their own name");
      return result === "changed" || result === "same" ? leave(visit, "name") : result;
    }),
    "POST /passkeys": onPost(fresh("passkeys", ownPasskeys.add)),
    "POST /passkeys/name": onPost(fresh("passkeys", ownPasskeys.rename)),
    "POST /passkeys/remove": onPost(fresh("passkeys", ownPasskeys.remove)),
    "POST /password": onPost(fresh("password", passwords.change)),
    "POST /recovery-codes": onPost(fresh("second-step", secondStep.makeCodes)),
    "POST /recovery-codes/file": onPost(secondStep.downloadCodes),
    "POST /second-step/off": onPost(fresh("second-step", secondStep.turnOff)),
    "POST /second-step/on": onPost(fresh("second-step", secondStep.turnOn)),
    "POST /sign-out": onPost(async (visit) => {
      await access.endSession(visit.user.id, hashToken(visit.session.uid), { keepsOffline: true });
      await tell(visit, "sign-out", "at the account page");
      return redirect(visit.reply, root);
    }),
    "POST /sign-out-everywhere": onPost(async (visit): Promise<FastifyReply> => {
      await access.endAll(visit.user.id);
      await tell(visit, "sign-out", "everywhere");
      return sendPage(visit.reply, signedOutEverywherePage({ operator, signInHref: root }));
    }),
    ...signIns,
    "POST /step-up": onPost(stepUp.submit),
    "POST /step-up/passkey": onPost(stepUp.submitPasskey),
    "POST /step-up/upstream": onPost(stepUp.submitUpstream),
  };
}
