import type { Mail, MailState } from "../../domain/people/mail.ts";
import { assertMayMail, retryMail, sendTestMail } from "../../domain/people/mail-administration.ts";
import { stillThere } from "../execution/change.ts";
import type { Value } from "../plan/object-shape.ts";
import { type Change, enumName, newestFirst, type Query } from "./field.ts";

export const MAIL_QUERIES: Readonly<Record<string, Query>> = {
  mails: ({ store, first }, { after, state }) =>
    newestFirst(
      "mails",
      { first, after },
      (place, limit) =>
        store.mails.list({ state: (state ?? undefined) as MailState | undefined, after: place?.id, limit }),
      mailValue,
    ),
};

const recall: Change["recall"] = async ({ store }, id) => ({
  mail: mailValue(stillThere(await store.mails.find(id))),
});

export const MAIL_CHANGES: Readonly<Record<string, Change>> = {
  sendTestMail: {
    make: async (context, args) => ({ mail: mailValue(await sendTestMail(context, args.to as string)) }),
    recall,
  },
  retryMail: {
    async make(context, { id }) {
      await assertMayMail(context);
      return { mail: mailValue(await retryMail(context, id as string)) };
    },
    recall,
  },
};

/** Without the facts of its text: the name or the browser of a person is none of an administrator's business. */
function mailValue({ params: _, userId, ...mail }: Mail): Value {
  return { ...mail, kind: enumName(mail.kind), personId: userId, address: mail.address === "" ? null : mail.address };
}
