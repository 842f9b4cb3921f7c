import { Argument, Command, Option } from "commander";
import { forgetAttempts } from "../authorization-server/sign-in/unlock.ts";
import { programName } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { badInput } from "../domain/errors.ts";
import {
  changeRole,
  createPerson,
  disablePerson,
  enablePerson,
  endSessions,
  sendRecovery,
  unlockPerson,
} from "../domain/people/people-administration.ts";
import { isSecondStepDemanded } from "../domain/people/second-step.ts";
import { resetSecondStep } from "../domain/people/second-step-administration.ts";
import { setLocalSignIn } from "../domain/people/upstream-administration.ts";
import type { User } from "../domain/people/user.ts";
import { ROLES, type Role } from "../domain/viewer.ts";
import { openPasswordRules } from "../secrets/password-rules.ts";
import { hashPassword } from "../secrets/passwords.ts";
import { record, withAdministration, withStore } from "./context.ts";
import { getByEmail, onItsWay, withPeopleMail } from "./people.ts";
import { hint, printLines, printRecord, printSecret, printTable } from "./terminal/output.ts";
import { askPassword, passwordFromStdin } from "./terminal/password.ts";
import { cellText } from "./terminal/table.ts";
import { addDeletionCommands } from "./user-deletion.ts";
import { addInvitationCommands } from "./user-invitations.ts";

interface CreateOptions {
  email: string;
  name: string;
  role: Role;
  passwordStdin?: boolean;
  json?: boolean;
}

export function userCommand(): Command {
  const command = new Command("user").description("people who sign in");
  command
    .command("create")
    .description("adds a person")
    .requiredOption("--email <address>", "e-mail address, with which the person signs in")
    .requiredOption("--name <name>", "name that others see")
    .addOption(new Option("--role <role>", "role of the person").choices(ROLES).default("member"))
    .option("--password-stdin", "read the password from standard input (otherwise it is asked for on the terminal)")
    .option("--json", "print JSON")
    .action(create);
  command
    .command("list")
    .description("lists everybody")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withStore(async (store) => {
        const people = await store.users.list();
        if (options.json) return printTable(people.map(describe), true);
        if (people.length === 0) return hint("There is nobody yet.");
        return printTable(people.map(summary), false, ["email"]);
      }),
    );
  command
    .command("show <email>")
    .description("prints everything about a person")
    .option("--json", "print JSON")
    .action((email: string, options: { json?: boolean }) =>
      withStore(async (store) => printRecord(describe(await getByEmail(store, email)), options.json)),
    );
  command
    .command("set-password <email>")
    .description("sets a new password and signs the person out everywhere")
    .option("--password-stdin", "read the password from standard input")
    .action((email: string, options: { passwordStdin?: boolean }) =>
      withStore(async (store, config, now) => {
        const user = await getByEmail(store, email);
        const password = await readPassword(options.passwordStdin, user, config);
        if (password === null)
          throw badInput("password", "There is no terminal to ask for the password: use --password-stdin.");
        const passwordHash = await hashPassword(password);
        await store.users.update(user.id, { passwordHash });
        await store.artifacts.revokeUser(user.id);
        await record(store, config, now, {
          event: "password",
          result: "ok",
          userId: user.id,
          detail: "set at the terminal",
        });
        hint(`The password of ${cellText(user.email)} is set, and every session of that person has ended.`);
      }),
    );
  command
    .command("set-role <email> <role>")
    .description("changes what a person may do, within a second")
    .action((email: string, role: string) =>
      withPeopleMail(async (administration) => {
        const { id } = await getByEmail(administration.store, email);
        const user = await changeRole(administration, id, role as Role);
        hint(`${cellText(user.email)} has the role ${user.role} now.`);
      }),
    );
  for (const [name, description, change, done] of [
    [
      "disable",
      "locks a person out: no sign-in, and every token is rejected within a second",
      disablePerson,
      "is disabled: no sign-in, and every token is rejected within a second.",
    ],
    ["enable", "lets a disabled person in again", enablePerson, "is enabled and can sign in again."],
  ] as const) {
    command
      .command(`${name} <email>`)
      .description(description)
      .action((email: string) =>
        withAdministration(async (administration) => {
          const user = await change(administration, (await getByEmail(administration.store, email)).id);
          hint(`${cellText(user.email)} ${done}`);
        }),
      );
  }
  command
    .command("unlock <email>")
    .description("lets a person sign in again after too many failed attempts")
    .action((email: string) =>
      withAdministration(async (administration) => {
        const { store } = administration;
        const { id } = await getByEmail(store, email);
        const forget = (person: User) => forgetAttempts(store, person);
        const user = await unlockPerson({ ...administration, forgetAttempts: forget }, id);
        hint(`${cellText(user.email)} can sign in again: failed attempts are forgotten.`);
      }),
    );
  command
    .command("recover <email>")
    .description("gives a person a link to set a new password, by mail or on the terminal, good for 24 hours")
    .option("--link", "print the link instead of sending a mail")
    .option("--json", "print JSON")
    .action(recover);
  command
    .command("reset-second-step <email>")
    .description("turns off the second step of a person who has lost the authenticator app and the recovery codes")
    .option("--passkeys", "remove the person's passkeys too, and end all sessions and tokens")
    .action((email: string, { passkeys = false }: { passkeys?: boolean }) =>
      withPeopleMail(async (administration, config) => {
        const { id } = await getByEmail(administration.store, email);
        const user = await resetSecondStep(administration, id, passkeys);
        const sentences = [
          `The second step of ${cellText(user.email)} is off.`,
          isSecondStepDemanded(config.SECOND_STEP, user.role) && "SECOND_STEP demands a new one at the next sign-in.",
          administration.mail.isOn && "Mails tell the person and all administrators.",
        ];
        hint(sentences.filter(Boolean).join(" "));
      }),
    );
  command
    .command("local <email>")
    .addArgument(new Argument("<state>", "whether it is allowed").choices(["on", "off"]))
    .description("lets a person sign in here although their domain signs in with another service, or ends that")
    .action((email: string, state: "on" | "off") =>
      withPeopleMail(async (administration) => {
        const { id } = await getByEmail(administration.store, email);
        const user = await setLocalSignIn(administration, id, state === "on");
        hint(
          state === "on"
            ? `${cellText(user.email)} can sign in here with a password or a passkey, whatever the domain signs in with.`
            : `${cellText(user.email)} signs in as the domain does.`,
        );
      }),
    );
  command
    .command("sign-out <email>")
    .description("ends every session and token of a person, who can sign in again")
    .action((email: string) =>
      withAdministration(async (administration) => {
        const user = await endSessions(administration, (await getByEmail(administration.store, email)).id);
        hint(`${cellText(user.email)} is signed out everywhere: all sessions and tokens have ended.`);
      }),
    );
  return addDeletionCommands(addInvitationCommands(command));
}

async function recover(email: string, { link: shows, json }: { link?: boolean; json?: boolean }): Promise<void> {
  await withPeopleMail(async (administration, config) => {
    const { id } = await getByEmail(administration.store, email);
    const { user, link } = await sendRecovery({ ...administration, way: shows ? "shown" : "mailed" }, id);
    const to = cellText(user.email);
    if (json || link !== null) {
      const printed = json ? printRecord({ email: user.email, link }, true) : printLines([link ?? ""]);
      await printSecret(printed, () => `Get another link: ${programName()} user recover ${to}`);
    }
    if (link === null) hint(onItsWay(`A mail with a link to set a new password is on its way to ${to}.`, config), json);
    else
      hint(
        `Give this link to ${to}, who can set a new password with it within 24 hours. It is shown this once only.`,
        json,
      );
  });
}

async function create(options: CreateOptions): Promise<void> {
  await withAdministration(async (administration, config) => {
    const { email, name, role } = options;
    const password = await readPassword(options.passwordStdin, { email, name }, config);
    const user = await createPerson({ ...administration, hashPassword }, { email, name, role, password });
    await printRecord(describe(user), options.json);
    hint(`${cellText(user.email)} is added as ${user.role}.`, options.json);
    if (password === null)
      hint(`No password is set. Set one: ${programName()} user set-password ${cellText(user.email)}`, options.json);
  });
}

/** From standard input or the terminal; null where neither is asked for nor possible. */
async function readPassword(
  fromStdin: boolean | undefined,
  person: Pick<User, "email" | "name">,
  config: Config,
): Promise<string | null> {
  if (!fromStdin && !process.stdin.isTTY) return null;
  const password = fromStdin ? await passwordFromStdin() : await askPassword("Password (at least 15 characters): ");
  await openPasswordRules(config).assert(password, person);
  if (!fromStdin && (await askPassword("The same once more: ")) !== password)
    throw badInput("password", "The two passwords differ.");
  return password;
}

/** The columns of a list. */
function summary(user: User) {
  const { email, name, role, createdAt } = user;
  return { email, name, role, created: createdAt.slice(0, 10), state: stateOf(user) };
}

function stateOf({ disabledAt, deletesAt, deletedAt }: User): string {
  if (deletedAt !== null) return "deleted";
  if (deletesAt !== null) return "leaving";
  return disabledAt === null ? "active" : "disabled";
}

function describe({ id, email, name, role, createdAt, disabledAt, deletesAt, deletedAt }: User) {
  return { id, email, name, role, createdAt, disabledAt, deletesAt, deletedAt };
}
