import type { FastifyPluginAsync } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { assertUser, createFirstAdministrator } from "../../domain/people/user.ts";
import type { Store } from "../../domain/store/store.ts";
import type { Log } from "../../observe/log.ts";
import type { PasswordRules } from "../../secrets/password-rules.ts";
import { openSigner } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import { mountPath } from "../http/endpoints.ts";
import { fieldErrors, readForm, sendErrorPage, sendPage } from "../http/forms.ts";
import { setUpDonePage, setUpPage } from "../pages/set-up.ts";
import { judgeNewAccount } from "./new-account.ts";

export interface SetUpOptions {
  readonly issuer: string;
  /** Public address of the API. */
  readonly baseUrl: string;
  readonly operator: string;
  readonly hasStudio: boolean;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly store: Store;
  readonly passwords: PasswordRules;
  /** The words before a command that pages print. */
  readonly command: string;
  readonly log: Log;
  readonly audit: Audit;
}

export interface SetUp {
  readonly routes: FastifyPluginAsync;
  /** Holds as long as there is nobody. */
  url(): string;
}

/** The first administrator, by a link that only the operator's terminal shows. */
export function openSetUp({
  issuer,
  baseUrl,
  operator,
  hasStudio,
  secret,
  previousSecret,
  store,
  passwords,
  command,
  log,
  audit,
}: SetUpOptions): SetUp {
  const path = `${mountPath(issuer)}/setup`;
  const signer = openSigner(secret, "set-up link", previousSecret);
  const csrf = openSigner(secret, "set-up form").sign("set-up");
  const isOpen = async (token: string) => signer.verify("first administrator", token) && (await store.users.isEmpty());

  const routes: FastifyPluginAsync = async (server) => {
    server.get<{ Querystring: { token?: unknown } }>(path, async (request, reply) => {
      const { token } = request.query;
      if (typeof token !== "string" || !(await isOpen(token))) return sendErrorPage(reply, operator, SPENT);
      return sendPage(reply, form(token, { name: "", email: "" }, {}));
    });

    server.post(path, async (request, reply) => {
      const field = readForm(request);
      const token = field("token");
      if (!(await isOpen(token))) return sendErrorPage(reply, operator, SPENT);
      const values = { name: field("name"), email: field("email").trim() };
      if (field("csrf") !== csrf) return sendPage(reply, form(token, values, { form: STALE }), { status: 400 });
      try {
        const assertRest = () => assertUser({ ...values, role: "admin" });
        const passwordHash = await judgeNewAccount(passwords, field("password"), values, assertRest);
        const person = await createFirstAdministrator(store.users, { ...values, passwordHash });
        const facts = { event: "set-up", result: "ok", userId: person.id } as const;
        await audit.record({ ...facts, address: request.ip, requestId: request.id, detail: "the first administrator" });
        log.info({ event: "set-up", userId: person.id }, "the first administrator is there");
        return sendPage(reply, setUpDonePage({ operator, baseUrl, issuer, hasStudio, person, command }));
      } catch (error) {
        if (error instanceof AppError && error.code === "CONFLICT") return sendErrorPage(reply, operator, SPENT);
        return sendPage(reply, form(token, values, fieldErrors(error, LABELS)), { status: 400 });
      }
    });
  };

  function form(token: string, values: { name: string; email: string }, errors: Record<string, string>): string {
    return setUpPage({ operator, action: path, token, csrf, values, errors });
  }

  return {
    routes,
    url: () => `${issuer}/setup?token=${signer.sign("first administrator")}`,
  };
}

const LABELS = { name: "Your name", email: "The e-mail address" };

const SPENT = {
  status: 404,
  title: "This link opens nothing",
  message:
    "A set-up link works once, on an installation without people. If nobody is set up yet, the terminal shows the right link.",
  next: { label: "Go to the start page", href: "/" },
};

const STALE = "The form was out of date. Nothing was saved. Please send it again.";
