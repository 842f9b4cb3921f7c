import type { FastifyReply } from "fastify";
import type { UserStore } from "../../domain/people/user.ts";
import { assertName } from "../../domain/text.ts";
import type { Signer } from "../../secrets/seal.ts";
import { fieldErrors, sendPage } from "../http/forms.ts";
import { namePage } from "../pages/name.ts";
import type { Visit } from "./visit.ts";

export interface NameChangeOptions {
  readonly operator: string;
  /** The path of the account page. */
  readonly root: string;
  readonly forms: Signer;
  readonly users: UserStore;
}

/** The form in which a person changes their own name. `change` answers itself what it refuses. */
export function openNameChange({ operator, root, forms, users }: NameChangeOptions) {
  function show({ reply, session, user }: Visit, typed = user.name, errors: { name?: string } = {}): FastifyReply {
    const csrf = forms.sign(session.uid);
    const page = namePage({ operator, action: `${root}/name`, back: root, csrf, name: typed, errors });
    return sendPage(reply, page, { status: errors.name === undefined ? 200 : 400 });
  }

  async function change(visit: Visit): Promise<"changed" | "same" | FastifyReply> {
    const name = visit.field("name").trim();
    try {
      assertName("name", name);
    } catch (error) {
      return show(visit, name, fieldErrors(error, { name: "Your name" }));
    }
    if (name === visit.user.name) return "same";
    await users.changeProfile(visit.user.id, { name }, null);
    return "changed";
  }

  return { show: (visit: Visit) => show(visit), change };
}
