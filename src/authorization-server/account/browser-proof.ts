import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Signer } from "../../secrets/seal.ts";
import { hostCookieName, hostCookieOptions } from "../http/host-cookies.ts";
import type { Visits } from "./visit.ts";

/**
 * Ties a form to a browser that has no session (A12), by the cookie of `http/form-cookie.ts`. It is set through the engine like every other
 * cookie of these pages: Fastify would drop those.
 */
export interface BrowserProof {
  /** The proof for the form. The browser gets the cookie with which it counts. */
  give(request: FastifyRequest, reply: FastifyReply): string;
  verify(request: FastifyRequest, reply: FastifyReply, proof: string): boolean;
}

/** @param form the name of the form: the proof of one is none for another */
export function openBrowserProof(
  issuer: string,
  forms: Signer,
  contextOf: Visits["contextOf"],
  form: string,
): BrowserProof {
  const name = hostCookieName(issuer, "account");

  return {
    give(request, reply) {
      const { cookies } = contextOf(request, reply);
      const known = cookies.get(name);
      const browser = known ?? randomBytes(16).toString("base64url");
      if (known === undefined) cookies.set(name, browser, { ...hostCookieOptions(issuer), signed: false });
      return forms.sign(`${form} ${browser}`);
    },
    verify(request, reply, proof) {
      const browser = contextOf(request, reply).cookies.get(name);
      return browser !== undefined && forms.verify(`${form} ${browser}`, proof);
    },
  };
}
