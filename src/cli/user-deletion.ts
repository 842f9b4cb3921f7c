import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { AppError } from "../domain/errors.ts";
import { deleteAccount, undoDeletion } from "../domain/people/account-deletion.ts";
import { DELETION_POSTS, type DeletionPosts } from "../domain/people/deletion.ts";
import { record, withStore } from "./context.ts";
import { getByEmail, withPeopleMail } from "./people.ts";
import { hint, OutputError } from "./terminal/output.ts";
import { cellText } from "./terminal/table.ts";

/** The commands of `user` about people who leave, or take their data with them. */
export function addDeletionCommands(command: Command): Command {
  command
    .command("delete <email>")
    .description("locks a person out, and deletes the account after DELETION_DELAY; until then it can be kept")
    .addOption(
      new Option("--posts <choice>", "keep the posts, by Former member, or delete them")
        .choices(DELETION_POSTS)
        .makeOptionMandatory(),
    )
    .action((email: string, { posts }: { posts: DeletionPosts }) =>
      withPeopleMail(async (administration, config) => {
        const { id } = await getByEmail(administration.store, email);
        const user = await deleteAccount({ ...administration, deletionDelay: config.DELETION_DELAY }, id, posts);
        const until = `is deleted at ${user.deletesAt}, unless it is kept with user undelete`;
        hint(`${cellText(user.email)} is locked out, and the account ${until}.`);
      }),
    );
  command
    .command("undelete <email>")
    .description("keeps an account that would be deleted")
    .action((email: string) =>
      withPeopleMail(async (administration, config) => {
        const { id } = await getByEmail(administration.store, email);
        const user = await undoDeletion({ ...administration, deletionDelay: config.DELETION_DELAY }, id);
        hint(`The account of ${cellText(user.email)} stays, and its person can sign in again.`);
      }),
    );
  command
    .command("export <email>")
    .description("prints everything that is kept about a person, as JSON")
    .option("--file <path>", "write it to a new file instead, which only you can read")
    .action(exportPerson);
  return command;
}

/** @throws OutputError when not everything got there */
async function writeTo(target: NodeJS.WritableStream, pieces: Readable): Promise<void> {
  try {
    await pipeline(pieces, target, { end: target !== process.stdout });
  } catch (error) {
    throw error instanceof AppError ? error : new OutputError(error as NodeJS.ErrnoException);
  }
}

async function exportPerson(email: string, { file }: { file?: string }): Promise<void> {
  await withStore(async (store, config, now) => {
    const user = await getByEmail(store, email);
    const { openAuthorizationServerOf } = await import("../app/authorization-server.ts");
    const server = await openAuthorizationServerOf(config, store, { now });
    try {
      await record(store, config, now, {
        event: "export",
        result: "ok",
        userId: user.id,
        detail: "at the terminal",
      });
      const pieces = Readable.from(await server.exportAccount(user), { objectMode: false });
      if (file === undefined) await writeTo(process.stdout, pieces);
      else {
        await writeTo(createWriteStream(file, { flags: "wx", mode: 0o600 }), pieces);
        hint(`Everything about ${cellText(user.email)} is in ${cellText(file)}.`);
      }
    } finally {
      await server.close();
    }
  });
}
