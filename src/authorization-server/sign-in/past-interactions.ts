import type { Store } from "../../domain/store/store.ts";
import { type AdapterOptions, findPastInteraction } from "../engine/adapter.ts";
import { UNAVAILABLE_SCOPE } from "../grants/request-checks.ts";
import { mountPath, PATHS } from "../http/endpoints.ts";

interface Link {
  readonly label: string;
  readonly href: string;
}

/** Ways on from an interaction that is finished or has expired: by the Back button, a second tab, a page left open. */
export interface PastInteractions {
  /** The client's own front page: all that someone else's browser may learn. */
  wayBack(uid: string): Promise<Link | null>;
  /**
   * The same request once more; for the browser that made it.
   * @param address gives that of a request by its parameters; `beganAtSeconds` is Unix time
   */
  restart(
    uid: string,
    address: (params: Readonly<Record<string, unknown>>, beganAtSeconds: number) => Promise<string>,
  ): Promise<Link | null>;
  /** The addresses at which its client gets the answer: a form that leads there must name them in its page's headers. Empty for none. */
  redirectUris(uid: string): Promise<string[]>;
}

export function openPastInteractions(options: AdapterOptions, issuer: string): PastInteractions {
  return {
    async wayBack(uid) {
      const params = (await findPastInteraction(uid, options))?.params;
      return params === undefined ? null : toClient(params, options.store);
    },
    async restart(uid, address) {
      const past = await findPastInteraction(uid, options);
      if (past?.params === undefined) return null;
      if (past.deviceCode !== undefined)
        return { label: "Enter a code", href: mountPath(issuer) + PATHS.code_verification };
      return { label: "Start again", href: await address(past.params, past.iat ?? 0) };
    },
    async redirectUris(uid) {
      const past = await findPastInteraction(uid, options);
      const uri = past?.deviceCode === undefined ? past?.params?.redirect_uri : undefined;
      return typeof uri === "string" ? [uri] : [];
    },
  };
}

/** The authorization request that an interaction came from. */
export function authorizationUrl(issuer: string, params: Readonly<Record<string, unknown>>): string {
  // Several values are of `resource` alone (RFC 8707 section 2).
  const query = Object.entries(params).flatMap(([name, values]) =>
    [values]
      .flat()
      .flatMap((value) => (typeof value === "string" && name !== UNAVAILABLE_SCOPE ? [[name, value]] : [])),
  );
  return `${issuer}${PATHS.authorization}?${new URLSearchParams(query)}`;
}

/** The parameters of a request without what its person has done since it came. */
export function withoutPrompts(
  { prompt, ...params }: Readonly<Record<string, unknown>>,
  done: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof prompt !== "string") return params;
  const left = prompt.split(" ").filter((name) => !done.includes(name));
  return left.length === 0 ? params : { ...params, prompt: left.join(" ") };
}

async function toClient(params: Readonly<Record<string, unknown>>, { clients }: Store): Promise<Link | null> {
  const client = await clients.find(String(params.client_id));
  const url = URL.parse(String(params.redirect_uri));
  if (client === null || (url?.protocol !== "https:" && url?.protocol !== "http:")) return null;
  return { label: `Go back to ${client.name}`, href: `${url.origin}/` };
}
