import { type Grant, interactionPolicy } from "oidc-provider";
import type { ClientTrials } from "../clients/client-trials.ts";
import type { Resources } from "../tokens/resources.ts";
import { type AcrCheckOptions, openAcrChecks } from "./acr-checks.ts";
import type { SignUpMode } from "./sign-in-links.ts";

/**
 * When to ask the person. As the engine has it, but for seven things: who was disabled while signed in must sign in
 * again; native clients are not asked about anew each time, since what was agreed to is remembered for every client; what
 * is wanted for an API elsewhere need not be agreed to for ours; nobody but its owner tries a client in the studio; a wanted `acr` has an order of strength (acr-checks.ts);
 * `prompt=select_account` is known (OpenID Connect Core section 3.1.2.1), and `prompt=create` where anybody may sign up (Initiating User Registration via OpenID Connect 1.0).
 */
export function openInteractionPolicy(
  resources: Resources,
  signUp: SignUpMode,
  strength: AcrCheckOptions,
  trials: Pick<ClientTrials, "check">,
) {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy
    .get("login")
    ?.checks.add(
      new Check(
        "account_unavailable",
        "the account of this session cannot be used",
        "login_required",
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.account === undefined,
      ),
    );
  for (const reason of ["essential_acr", "essential_acrs"]) policy.get("login")?.checks.remove(reason);
  for (const check of openAcrChecks(strength)) policy.get("login")?.checks.add(check);
  policy.get("login")?.checks.add(trials.check(Check));
  policy.get("consent")?.checks.remove("native_client_prompt");
  policy.get("consent")?.checks.remove(OWN_SCOPES_MISSING);
  policy.get("consent")?.checks.add(
    new Check(OWN_SCOPES_MISSING, "requested scopes not granted", "consent_required", ({ oidc }) => {
      const decided = new Set((oidc.entities.Grant as Grant).getOIDCScopeEncountered().split(" "));
      const here = resources.scopesHere(oidc.requestParamOIDCScopes, resources.targetsOf(oidc.params?.resource));
      return here.some((scope) => !decided.has(scope));
    }),
  );
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  if (signUp === "open") policy.add(new Prompt({ name: "create", requestable: true }), 0);
  return policy;
}

/** The engine's name for that reason. */
const OWN_SCOPES_MISSING = "op_scopes_missing";
