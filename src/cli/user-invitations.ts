import { type Command, Option } from "commander";
import { programName } from "../config/command-line.ts";
import type { Config } from "../config/config.ts";
import { type Id, parseId } from "../domain/id.ts";
import { type Invitation, invitationState } from "../domain/people/invitation.ts";
import {
  type Invited,
  inviteAccount,
  resendInvitation,
  withdrawInvitation,
} from "../domain/people/invitation-administration.ts";
import { ROLES, type Role } from "../domain/viewer.ts";
import { withAdministration, withStore } from "./context.ts";
import { afterOption, limitOption } from "./list-options.ts";
import { onItsWay, withPeopleMail } from "./people.ts";
import { hint, printRecord, printSecret, printTable } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

interface LinkOptions {
  link?: boolean;
  json?: boolean;
}

/** The commands of `user` about people who have no account yet. */
export function addInvitationCommands(command: Command): Command {
  command
    .command("invite")
    .description("invites somebody by mail, or with a link on the terminal, good for 7 days")
    .requiredOption("--email <address>", "e-mail address of the account")
    .addOption(new Option("--role <role>", "role of the account").choices(ROLES).default("member"))
    .option("--link", "print the link instead of sending a mail")
    .option("--json", "print JSON")
    .action((options: LinkOptions & { email: string; role: Role }) =>
      withPeopleMail(async (administration, config) => {
        const invited = await inviteAccount({ ...administration, way: wayOf(options) }, options);
        await print(invited, options, config);
      }),
    );
  command
    .command("resend <invitation-id>")
    .description("sends another link to an invited person, good for 7 days")
    .option("--link", "print the link instead of sending a mail")
    .option("--json", "print JSON")
    .action((id: string, options: LinkOptions) =>
      withPeopleMail(async (administration, config) => {
        const invited = await resendInvitation({ ...administration, way: wayOf(options) }, parseId(id));
        await print(invited, options, config);
      }),
    );
  command
    .command("invitations")
    .description("lists invitations, newest first")
    .addOption(afterOption("invitation", "invitations"))
    .addOption(limitOption(1_000))
    .option("--json", "print JSON")
    .action(({ after, limit, json }: { after?: Id; limit: number; json?: boolean }) =>
      withStore(async (store, _config, now) => {
        const found = await store.invitations.list(after, limit);
        const rows = found.map((one) => ({ ...one, state: invitationState(one, now()) }));
        if (json) return printTable(rows, true);
        if (rows.length === 0) return hint("Nobody is invited.");
        return printTable(rows.map(summary), false, ["id"]);
      }),
    );
  command
    .command("withdraw <invitation-id>")
    .description("ends an invitation and its links immediately")
    .action((id: string) =>
      withAdministration(async (administration) => {
        const { email } = await withdrawInvitation(administration, parseId(id));
        hint(`The invitation of ${cellText(email)} is withdrawn. Its links have ended.`);
      }),
    );
  return command;
}

function wayOf({ link }: LinkOptions) {
  return link ? "shown" : "mailed";
}

async function print({ invitation, link }: Invited, { json }: LinkOptions, config: Config): Promise<void> {
  const { id, email, role, expiresAt } = invitation;
  const shown = { id, email, role, expiresAt, ...(json || link !== null ? { link } : {}) };
  const lost = () => `The invitation is ${id}. Get another link: ${programName()} user resend ${id} --link`;
  await printSecret(printRecord(shown, json), lost);
  const to = cellText(email);
  if (link === null) hint(onItsWay(`${to} is invited as ${role}, and the mail is on its way.`, config), json);
  else hint(`Give this link to ${to}. It is shown this once only, and is good for 7 days.`, json);
}

/** The columns of a list. */
function summary({ id, email, role, state }: Invitation & { readonly state: string }) {
  return { id, email, role, state };
}
