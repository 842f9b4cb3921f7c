import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Signer } from "../../secrets/seal.ts";
import { openHostCookie } from "./host-cookies.ts";

/** Ties forms to a browser that has no session, so that no other site posts them (A12). */
export interface BrowserForms {
  /** The random name of the browser, from its cookie; null without one. */
  browserOf(request: FastifyRequest): string | null;
  /** The proof for the form named, which counts for no other form. Gives the cookie to a browser without it: once an answer. */
  prove(request: FastifyRequest, reply: FastifyReply, form: string): string;
  verify(request: FastifyRequest, form: string, proof: string): boolean;
}

export function openBrowserForms(issuer: string, signer: Signer): BrowserForms {
  const cookie = openHostCookie(issuer, "account");
  const textOf = (form: string, browser: string) => `${form} ${browser}`;

  function browserOf(request: FastifyRequest): string | null {
    const value = cookie.read(request);
    return value !== undefined && /^[\w-]{22}$/.test(value) ? value : null;
  }

  function give(reply: FastifyReply): string {
    const value = randomBytes(16).toString("base64url");
    cookie.write(reply, value);
    return value;
  }

  return {
    browserOf,
    prove: (request, reply, form) => signer.sign(textOf(form, browserOf(request) ?? give(reply))),
    verify(request, form, proof) {
      const browser = browserOf(request);
      return browser !== null && signer.verify(textOf(form, browser), proof);
    },
  };
}
