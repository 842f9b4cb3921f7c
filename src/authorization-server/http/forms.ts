import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../domain/errors.ts";
import { errorPage } from "../pages/error.ts";
import { type PagePolicy, pageHeaders } from "../pages/layout/layout.ts";

/** Bytes that suffice for every form and every request to the token endpoint; the engine accepts no more. */
export const BODY_LIMIT = 56 * 1_024;

export function isForm(contentType = ""): boolean {
  return /^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType);
}

/** Fields of a posted form; empty for any other kind of body. */
export function parseForm({ headers, body }: Pick<FastifyRequest, "headers" | "body">): URLSearchParams {
  return new URLSearchParams(isForm(headers["content-type"]) && Buffer.isBuffer(body) ? body.toString("utf8") : "");
}

/** The fields of a form. One that comes twice counts as missing. */
export function readForm(request: FastifyRequest): (name: string) => string {
  const fields = parseForm(request);
  return (name) => {
    const values = fields.getAll(name);
    return values.length === 1 ? (values[0] ?? "") : "";
  };
}

/**
 * Messages about a refused form, by the name of the field; `form` for a message that belongs to no field.
 *
 * @param labels how people know the fields whose names begin a message
 * @throws the error, unless it is a BAD_USER_INPUT
 */
export function fieldErrors(error: unknown, labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  if (!(error instanceof AppError) || error.code !== "BAD_USER_INPUT") throw error;
  const { field = null, broken = [{ field, message: error.message }] } = error.details;
  const errors: Record<string, string> = {};
  for (const { field, message } of broken) {
    const name = field ?? "form";
    const label = labels[name];
    errors[name] ??=
      label !== undefined && message.startsWith(`${name} `) ? label + message.slice(name.length) : message;
  }
  return errors;
}

export function sendPage(
  reply: FastifyReply,
  page: string,
  { status = 200, ...policy }: PagePolicy & { status?: number } = {},
): FastifyReply {
  return reply.code(status).headers(pageHeaders(policy)).send(page);
}

export function sendErrorPage(
  reply: FastifyReply,
  operator: string,
  error: {
    title: string;
    message: string;
    next?: { label: string; href: string } | null;
    requestId?: string;
    status?: number;
  },
): FastifyReply {
  const { status = 400, ...text } = error;
  return sendPage(reply, errorPage({ operator, ...text }), { status });
}

/** 303, so that the browser continues with GET and never posts a password again (RFC 9700 section 4.12). */
export function redirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(location, 303);
}
