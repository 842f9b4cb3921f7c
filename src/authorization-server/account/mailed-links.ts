import type { FastifyReply, FastifyRequest } from "fastify";
import type { AuditEventName } from "../../domain/audit.ts";
import type { AccountToken, TokenPurpose } from "../../domain/people/account-token.ts";
import type { Sealer } from "../../secrets/seal.ts";
import type { Audit } from "../engine/audit.ts";
import { sendPage } from "../http/forms.ts";
import type { LinkState, MailedSecrets } from "../letters/mailed-secrets.ts";
import { type BadLink, badLinkPage } from "../pages/bad-link.ts";
import { openTimes } from "../pages/times.ts";

/** Mailed links of one purpose. No page contains their secret: forms carry a sealed ticket in its place (U15). */
export interface MailedLinks {
  /** The link in the query of a request. Reading it spends nothing (U02). */
  ofQuery(request: FastifyRequest): Promise<LinkState>;
  ofTicket(ticket: string): Promise<LinkState>;
  ticketFor(token: AccountToken): string;
  /** Answers a link that is not good with the page that says why. */
  refuse(request: FastifyRequest, reply: FastifyReply, link: LinkState): Promise<FastifyReply>;
  /** Answers a link that was good a moment ago, and could not be spent: another request was first. */
  refuseSpent(request: FastifyRequest, reply: FastifyReply, token: AccountToken): Promise<FastifyReply>;
}

export interface MailedLinkServices {
  readonly operator: string;
  /** The page to sign in at. */
  readonly signInHref: string;
  readonly secrets: MailedSecrets;
  readonly sealer: Sealer;
  readonly audit: Audit;
}

export interface MailedLinkOptions {
  readonly purpose: TokenPurpose;
  /** The form that sends a new link; null where there is none. */
  readonly againHref: string | null;
  /** Whether nothing has made the link void meanwhile; left out where the database alone decides. */
  readonly isStillGood?: (token: AccountToken) => Promise<boolean>;
  /** Defaults to `changed`. */
  readonly whyVoid?: (token: AccountToken) => Promise<"other" | "withdrawn" | "changed">;
}

const EVENTS: Readonly<Record<TokenPurpose, AuditEventName>> = {
  "sign-up": "sign-up",
  invitation: "invitation",
  recovery: "recovery",
  "email-change": "email",
  "email-undo": "email",
};

export function openMailedLinks(
  { operator, signInHref, secrets, sealer, audit }: MailedLinkServices,
  { purpose, againHref, isStillGood = async () => true, whyVoid = async () => "changed" }: MailedLinkOptions,
): MailedLinks {
  const context = `ticket of a link, ${purpose}`;

  async function judge(link: LinkState): Promise<LinkState> {
    if (link.state !== "good" || (await isStillGood(link.token))) return link;
    return { state: "void", token: link.token };
  }

  async function refuse(request: FastifyRequest, reply: FastifyReply, link: LinkState): Promise<FastifyReply> {
    const bad = await describe(link, request);
    audit.note({
      ...{ event: EVENTS[purpose], result: "refused", userId: link.token?.userId ?? null, address: request.ip },
      ...{ requestId: request.id, detail: `link: ${bad.why}` },
    } as const);
    const page = badLinkPage({ ...bad, operator, againHref, signInHref, isInvitation: purpose === "invitation" });
    return sendPage(reply, page, { status: bad.why === "unknown" ? 404 : 410 });
  }

  async function describe(link: LinkState, request: FastifyRequest): Promise<BadLink> {
    const { element } = openTimes(request.headers["accept-language"]);
    switch (link.state) {
      case "expired":
        return { why: "expired", at: element(link.token.expiresAtSeconds) };
      case "used":
        return { why: "used", at: element(link.token.usedAtSeconds ?? 0) };
      case "void": {
        const { token } = link;
        const why = await whyVoid(token);
        return why === "other" ? { why, at: element(token.voidedAtSeconds ?? token.createdAtSeconds) } : { why };
      }
      default:
        return { why: "unknown" };
    }
  }

  return {
    async ofQuery({ query }) {
      const { token } = query as { token?: unknown };
      return judge(await secrets.read(typeof token === "string" ? token : "", [purpose]));
    },
    async ofTicket(ticket) {
      const hash = sealer.open(ticket, context);
      return hash === null ? { state: "unknown", token: null } : judge(await secrets.readHash(hash, [purpose]));
    },
    ticketFor: ({ hash }) => sealer.seal(hash, context),
    refuse,
    async refuseSpent(request, reply, token) {
      const link = await secrets.readHash(token.hash, [purpose]);
      return refuse(request, reply, link.state === "good" ? { state: "void", token } : link);
    },
  };
}
