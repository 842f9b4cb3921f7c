/** A redirect URI on the person's own machine (RFC 8252 section 7.3): its host, and everything after the port. */
export const LOOPBACK_URI = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::\d{1,5})?(?=[/?]|$)(.*)$/s;

/** Host of the web that a redirect URI leads to. Null for a loopback address, and for the scheme of a program: both stay on the person's device. */
function webHostOf(uri: string): string | null {
  const url = new URL(uri);
  const isWeb = url.protocol === "https:" || url.protocol === "http:";
  return isWeb && !LOOPBACK_URI.test(uri) ? url.hostname : null;
}

/** Whether every answer goes to a loopback address, at which any program on the person's device can wait. */
export function isLoopbackOnly(redirectUris: readonly string[]): boolean {
  return redirectUris.length > 0 && redirectUris.every((uri) => LOOPBACK_URI.test(uri));
}

/**
 * Whether every answer goes to the person's device or to the host of a well-known agent, as with programs that act for a
 * person.
 *
 * @param knownAgents the setting KNOWN_AGENTS
 */
export function isAgentLike(redirectUris: readonly string[], knownAgents: readonly string[]): boolean {
  const isFit = (host: string | null) => host === null || knownAgents.includes(host);
  return redirectUris.length > 0 && redirectUris.map(webHostOf).every(isFit);
}

/** The well-known agent's host that such a client returns to; null for all others. @param knownAgents as `isAgentLike` has it */
export function knownAgentHost(redirectUris: readonly string[], knownAgents: readonly string[]): string | null {
  if (!isAgentLike(redirectUris, knownAgents)) return null;
  return redirectUris.map(webHostOf).find((host) => host !== null) ?? null;
}
