import { badInput } from "../../domain/errors.ts";
import { nobody } from "../../domain/people/people-administration.ts";
import { idOf, type Query } from "./field.ts";

/** UTF-16 units of the document, which is in memory as a whole, several times over. */
const MOST = 16 * 1_024 * 1_024;

export const EXPORT_QUERIES: Readonly<Record<string, Query>> = {
  accountExport: async ({ store, exportAccount, record }, args) => {
    const id = idOf(args);
    const user = id === null ? null : await store.users.find(id);
    if (user === null) throw nobody();
    let text = "";
    for await (const piece of await exportAccount(user)) {
      text += piece;
      if (text.length > MOST)
        throw badInput("id", "This export has more than 16 MiB. Write it to a file at the terminal: user export.");
    }
    await record({ event: "export", result: "ok", userId: user.id, detail: "downloaded by an administrator" });
    return text;
  },
};
