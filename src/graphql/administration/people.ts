import { badInput } from "../../domain/errors.ts";
import type { Id } from "../../domain/id.ts";
import {
  changeRole,
  createPerson,
  disablePerson,
  enablePerson,
  type NewPerson,
  type PeopleAdministration,
} from "../../domain/people/people-administration.ts";
import type { User } from "../../domain/people/user.ts";
import type { Role } from "../../domain/viewer.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
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
  account: async ({ store }, args) => {
    const { id, email } = args;
    if ((id == null) === (email == null)) throw badInput("id", "One of id and email must be given.");
    return findAccount(store, args);
  },
  accountBy: ({ store }, { by }) => findAccount(store, by as Arguments),
  accounts: ({ store, first }, { after }) =>
    newestFirst(
      "accounts",
      { first, after },
      (place, limit) => store.users.listNewest(place?.id, limit),
      (user) => accountValue(user),
    ),
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
      return { account: accountValue(await createPerson(administrationOf(context), person, "input.")) };
    },
    recall,
  },
  changeRole: {
    make: async (context, args) => ({
      account: accountValue(
        await changeRole(administrationOf(context), idOf(args), enumValue(args.role as string) as Role),
      ),
    }),
    recall,
  },
  disableAccount: {
    ...changing(disablePerson),
    async recall(context, id) {
      // The first time may have ended between the two.
      await context.store.artifacts.revokeUser(id);
      return recall(context, id);
    },
  },
  enableAccount: changing(enablePerson),
};

/** By the one value that is given. */
async function findAccount({ users }: AdministrationContext["store"], key: Arguments): Promise<Value | null> {
  if (key.email != null) return accountValue(await users.findByEmail(key.email as string));
  const id = idOf(key);
  return id === null ? null : accountValue(await users.find(id));
}

function changing(change: (administration: PeopleAdministration, id: Id | null) => Promise<User>): Change {
  return {
    make: async (context: AdministrationContext, args: Arguments) => ({
      account: accountValue(await change(administrationOf(context), idOf(args))),
    }),
    recall,
  };
}

async function recall({ store }: AdministrationContext, id: Id): Promise<Value> {
  return { account: accountValue(stillThere(await store.users.find(id))) };
}

function administrationOf({ tools, ...context }: AdministrationContext): PeopleAdministration {
  return { ...context, now: tools.now, hashPassword: tools.hashPassword };
}

function accountValue<T extends User | null>(user: T): T extends null ? Value | null : Value;
function accountValue(user: User | null): Value | null {
  if (user === null) return null;
  const { id, name, email, emailVerified, role, passwordHash, createdAt, disabledAt } = user;
  const hasPassword = passwordHash !== null;
  return { id, name, email, emailVerified, role: enumName(role), hasPassword, createdAt, disabledAt };
}
