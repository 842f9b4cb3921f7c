import { badInput } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import { deleteAccount, undoDeletion } from "../../domain/people/account-deletion.ts";
import { type AccountState, NEW_ACCOUNT } from "../../domain/people/account-state.ts";
import type { DeletionPosts } from "../../domain/people/deletion.ts";
import {
  changeRole,
  createPerson,
  disablePerson,
  enablePerson,
  endSessions,
  lockOut,
  type NewPerson,
  sendRecovery,
  unlockPerson,
} from "../../domain/people/people-administration.ts";
import { endOneSession, type PersonAccess, withdrawConsent } from "../../domain/people/person-access.ts";
import { resetSecondStep } from "../../domain/people/second-step-administration.ts";
import { setLocalSignIn, unlinkUpstream } from "../../domain/people/upstream-administration.ts";
import type { UpstreamIdentity } from "../../domain/people/upstream-identity.ts";
import { standingOf, type User } from "../../domain/people/user.ts";
import type { Role } from "../../domain/viewer.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import { accountFilter, keyOfPlace, listName, placeOfKey } from "./account-list.ts";
import {
  type AdministrationContext,
  type Arguments,
  type Change,
  enumName,
  enumValue,
  idOf,
  newestFirst,
  type Query,
} from "./field.ts";

export const PEOPLE_QUERIES: Readonly<Record<string, Query>> = {
  account: async (context, args) => {
    const { id, email } = args;
    if ((id == null) === (email == null)) throw badInput("id", "One of id and email must be given.");
    return findAccount(context, args);
  },
  accountBy: (context, { by }) => findAccount(context, by as Arguments),
  accounts: async (context, { after, filter }) => {
    const { store, first } = context;
    const wanted = accountFilter(filter);
    let facts: (user: User) => AccountFacts = () => NO_FACTS;
    return newestFirst(
      listName(wanted),
      { first, after },
      async (place, limit) => {
        const found = await store.users.listAccounts(wanted, place && placeOfKey(place), limit);
        facts = await factsOf(
          context,
          found.map(({ user }) => user),
        );
        return found.map((one) => ({ ...one, id: one.user.id }));
      },
      ({ user }) => accountValue(user, facts(user)),
      ({ place }) => keyOfPlace(place),
    );
  },
};

export const PEOPLE_CHANGES: Readonly<Record<string, Change>> = {
  createAccount: {
    async make(context, args) {
      const {
        name,
        email,
        role,
        password = null,
      } = args.input as Omit<NewPerson, "password"> & {
        password?: string | null;
      };
      const person = { name, email, role: enumValue(role) as Role, password };
      return { account: accountValue(await createPerson(context, person, "input."), NO_FACTS) };
    },
    recall,
  },
  changeRole: changing((administration, id, args) =>
    changeRole(administration, id, enumValue(args.role as string) as Role),
  ),
  disableAccount: {
    ...changing(disablePerson),
    async recall(context, id) {
      // The first time may have ended between the two.
      await lockOut(context, id);
      return recall(context, id);
    },
  },
  enableAccount: changing(enablePerson),
  deleteAccount: changing((administration, id, args) =>
    deleteAccount(administration, id, enumValue(args.posts as string) as DeletionPosts),
  ),
  undoDeletion: changing(undoDeletion),
  resetSecondStep: changing((administration, id, args) => resetSecondStep(administration, id, args.passkeys === true)),
  unlockAccount: changing(unlockPerson),
  setLocalSignIn: changing((administration, id, args) => setLocalSignIn(administration, id, args.isAllowed === true)),
  unlinkUpstream: changing((administration, id, { provider, subject }) => {
    const link = { provider: provider as string, subject: subject as string };
    const { passkeyId, upstreamName } = administration;
    return unlinkUpstream(administration, id, link, passkeyId, upstreamName(link.provider));
  }),
  endSession: {
    make: async (context, { id }) => accountOf(context, await endOneSession(context, id as string)),
    recall,
  },
  withdrawConsent: changing((administration, id, { clientId }) =>
    withdrawConsent(administration, id, clientId as string),
  ),
  endSessions: {
    ...changing(endSessions),
    async recall(context, id) {
      await context.store.artifacts.revokeUser(id); // as above
      return recall(context, id);
    },
  },
  sendRecovery: {
    async make(context, args) {
      const { user, link } = await sendRecovery(context, idOf(args));
      return { ...(await accountOf(context, user)), link };
    },
    async recall(context, id) {
      // Nobody knows whether the first mail was written down, or the first link was seen: there is another one.
      const user = stillThere(await context.store.users.find(id));
      return { ...(await accountOf(context, user)), link: await context.mail.recover(user) };
    },
  },
};

/** By the one value that is given. */
async function findAccount(context: AdministrationContext, key: Arguments) {
  const { users } = context.store;
  const id = key.email == null ? idOf(key) : null;
  const user = await (key.email == null ? id !== null && users.find(id) : users.findByEmail(key.email as string));
  return user ? accountValue(user, (await factsOf(context, [user]))(user)) : null;
}

function changing(
  change: (administration: AdministrationContext, id: Id | null, args: Arguments) => Promise<User>,
): Change {
  return {
    make: async (context, args) => accountOf(context, await change(context, idOf(args), args)),
    recall,
  };
}

async function recall(context: AdministrationContext, id: Id): Promise<Value> {
  return accountOf(context, stillThere(await context.store.users.find(id)));
}

async function accountOf(context: AdministrationContext, user: User): Promise<Value> {
  return { account: accountValue(user, (await factsOf(context, [user]))(user)) };
}

/** Facts about an account that stand in other rows than its person's. */
interface AccountFacts {
  readonly state: AccountState;
  readonly hasPasskey: boolean;
  readonly links: readonly UpstreamIdentity[];
  readonly access: PersonAccess;
}

const NO_ACCESS: PersonAccess = { sessions: [], clients: [] };
const NO_FACTS: AccountFacts = { state: NEW_ACCOUNT, hasPasskey: false, links: [], access: NO_ACCESS };

async function factsOf(
  { store: { accountStates, passkeys, upstreamIdentities }, passkeyId, access, selectsAny }: AdministrationContext,
  users: readonly User[],
): Promise<(user: User) => AccountFacts> {
  const ids = users.map(({ id }) => id);
  const asksForAccess = selectsAny(["Account.sessions", "Account.clients"]);
  const [states, holders, identities, open] = await Promise.all([
    accountStates.findAll(ids),
    passkeys.holders(ids, passkeyId),
    upstreamIdentities.listOfEach(ids),
    asksForAccess ? access.listOfEach(ids) : null,
  ]);
  const links = Map.groupBy(identities, ({ userId }) => userId);
  return ({ id }) => ({
    state: states.get(id) ?? NEW_ACCOUNT,
    hasPasskey: holders.has(id),
    links: links.get(id) ?? [],
    access: open?.get(id) ?? NO_ACCESS,
  });
}

function accountValue(
  user: User,
  { state: { mailState, lastSignInAt }, hasPasskey, links, access }: AccountFacts,
): Value {
  const { id, name, email, emailVerified, role, passwordHash, createdAt, disabledAt, deletesAt, deletedAt } = user;
  const hasPassword = passwordHash !== null;
  return {
    ...{
      id,
      name,
      email,
      emailVerified,
      role: enumName(role),
      hasPassword,
      createdAt,
      disabledAt,
      deletesAt,
      deletedAt,
    },
    signInMethods: [
      ...(hasPassword ? ["PASSWORD"] : []),
      ...(hasPasskey ? ["PASSKEY"] : []),
      ...(links.length > 0 ? ["UPSTREAM"] : []),
    ],
    upstreams: links.map(({ provider, subject, emailAtLink, linkedAt, usedAt }) => ({
      ...{ provider, subject, email: emailAtLink, linkedAt, usedAt },
    })),
    ...{ state: enumName(standingOf(user)), sessions: access.sessions, clients: access.clients },
    ...{ secondStep: user.secondStep, localSignIn: user.localSignIn, mailState: enumName(mailState), lastSignInAt },
  };
}
