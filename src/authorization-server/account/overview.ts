import type { FastifyReply } from "fastify";
import type { AuditEvent } from "../../domain/audit.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { hashToken } from "../../secrets/token-hash.ts";
import { sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { accountPage, isAccountNote } from "../pages/account.ts";
import { shownEvents } from "../pages/account-events.ts";
import { openTimes } from "../pages/times.ts";
import type { SecondStep, SecondStepSettings } from "../second-step/second-step.ts";
import type { Upstreams } from "../upstreams/upstreams.ts";
import type { Access } from "./access.ts";
import { shownSecondStep } from "./shown-second-step.ts";
import type { Visit } from "./visit.ts";

export interface OverviewOptions {
  readonly operator: string;
  readonly store: Pick<Store, "accountStates" | "audit" | "passkeys" | "upstreamIdentities">;
  readonly access: Access;
  readonly outgoing: Outgoing;
  readonly forms: Signer;
  /** null: there are none. */
  readonly passkeys: object | null;
  readonly secondStep: Pick<SecondStep, "factorsOf">;
  readonly settings: Pick<SecondStepSettings, "SECOND_STEP">;
  readonly upstreams: Pick<Upstreams, "list" | "find">;
}

/** Lines of recent events. */
const MOST_EVENTS = 30;
/** Decisions that are read for them: those that are alike become one line. */
const MOST_DECISIONS = 200;

/** The account page: how its person gets in, where they are signed in, and what they allowed (U28). @param root the path of the page */
export function openOverview(options: OverviewOptions, root: string) {
  const { operator, store, access, outgoing, forms, upstreams } = options;
  return async ({ request, reply, session, user }: Visit): Promise<FastifyReply> => {
    const { done } = request.query as { done?: unknown };
    const current = hashToken(session.uid);
    const [sessions, clients, state, passkeys, secondStep, links, decisions] = await Promise.all([
      access.listSessions(user.id),
      access.listClients(user.id),
      store.accountStates.find(user.id),
      store.passkeys.listOf(user.id),
      shownSecondStep(options, user),
      store.upstreamIdentities.listOf(user.id),
      store.audit.list({ forPerson: user.id, limit: MOST_DECISIONS }),
    ]);
    const change = decisions.find(isPasswordChange);
    const page = accountPage({
      operator,
      root,
      csrf: forms.sign(session.uid),
      person: {
        ...user,
        hasPassword: user.passwordHash !== null,
        passkeys: options.passkeys === null ? null : passkeys.map(({ name }) => name),
        links:
          upstreams.list.length === 0 && links.length === 0
            ? null
            : links.map(({ provider, emailAtLink }) => ({
                name: upstreams.find(provider)?.name ?? provider,
                email: emailAtLink,
              })),
        passwordSinceSeconds: change === undefined ? null : Date.parse(change.at) / 1_000,
      },
      mail: { canSend: outgoing.isOn, isFailing: state.mailState === "failing" },
      secondStep,
      sessions: sessions.map((open) => ({ ...open, isCurrent: open.id === current })),
      clients: clients.allowed,
      given: clients.given,
      events: shownEvents(decisions, MOST_EVENTS),
      times: openTimes(request.headers["accept-language"]),
      note: isAccountNote(done) ? done : null,
    });
    return sendPage(reply, page);
  };
}

/** Whether there was another password afterwards. */
function isPasswordChange({ event, result, detail }: AuditEvent): boolean {
  return (
    result === "ok" && (event === "password" || (event === "recovery" && detail === "new password by a mailed link"))
  );
}
