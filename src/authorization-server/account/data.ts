import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Store } from "../../domain/store/store.ts";
import type { Signer } from "../../secrets/seal.ts";
import { sendErrorPage, sendPage } from "../http/forms.ts";
import type { Outgoing } from "../letters/outgoing.ts";
import { exportPage } from "../pages/account-data.ts";
import { nameBrowser } from "../pages/browser-name.ts";
import { type ExportOptions, exportAccount } from "./account-export.ts";
import type { Visit, Visits } from "./visit.ts";

export interface DataOptions extends ExportOptions {
  readonly operator: string;
  readonly forms: Signer;
  readonly store: ExportOptions["store"] & Pick<Store, "attempts">;
  readonly outgoing: Outgoing;
}

/** Files that a person may download in a day (P51). */
const MOST_EXPORTS = 3;
const DAY = 86_400;

/** The page on which people download everything that is kept about them (U73). */
export function openData(options: DataOptions, { root, tell }: Pick<Visits, "root" | "tell">) {
  const { operator, forms, store, outgoing, now } = options;

  function show({ reply, session }: Visit): FastifyReply {
    const csrf = forms.sign(session.uid);
    return sendPage(reply, exportPage({ operator, action: `${root}/export`, back: root, csrf }));
  }

  async function download(visit: Visit): Promise<FastifyReply> {
    const { request, reply, user } = visit;
    const count = await store.attempts.add(`exports of ${user.id}`, DAY, Math.floor(now() / 1_000));
    if (count > MOST_EXPORTS) {
      reply.header("retry-after", String(DAY));
      return sendErrorPage(reply, operator, { ...TOO_MANY, next: { label: "Back to your account", href: root } });
    }
    await tell(visit, "export", "downloaded");
    await outgoing.notice("export-made", user, { browser: nameBrowser(request.headers["user-agent"]) });
    return reply.headers(HEADERS).send(Readable.from(exportAccount(options, user), { objectMode: false }));
  }

  return { show, download };
}

const HEADERS = {
  "content-type": "application/json",
  "content-disposition": 'attachment; filename="account-export.json"',
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const TOO_MANY = {
  status: 429,
  title: "Three files a day",
  message: "You have downloaded your data three times within a day. Try again tomorrow.",
};
