import { AppError, badInput } from "../errors.ts";
import { assertText } from "../text.ts";

/**
 * A redirect URI is absolute, has no fragment (RFC 6749 section 3.1.2) and no user information, and is https, or
 * http on a loopback IP or localhost (RFC 8252 section 7.3), or a private-use scheme with a dot (RFC 8252 section 7.1).
 * Its host is written as browsers read it, so that what is compared is where people go; there are no wildcards.
 *
 * @param nativeSchemes schemes without a dot that are accepted too, because well-known programs have them
 * @throws AppError BAD_USER_INPUT
 */
export function assertRedirectUri(field: string, uri: string, nativeSchemes: readonly string[] = []): void {
  assertText(field, uri, { min: 1, max: 2_000 });
  const url = URL.parse(uri);
  if (url === null) throw badInput(field, `"${uri}" is not an absolute URI.`);
  if (uri.includes("#")) throw badInput(field, `"${uri}" must not have a fragment.`);
  if (/[\s\\]/.test(uri)) throw badInput(field, `"${uri}" must not have spaces or backslashes.`);
  if (/[^\x21-\x7e]/.test(uri)) throw badInput(field, `"${uri}" must be written as ${url.href}`);
  if (url.username !== "" || url.password !== "") throw badInput(field, `"${uri}" must not have user information.`);
  if (url.hostname.includes("*")) throw badInput(field, `"${uri}" must name one host: it is matched exactly.`);
  if (url.origin !== "null" && !uri.startsWith(url.origin))
    throw badInput(field, `"${uri}" must be written as ${url.href}`);
  if (url.protocol === "https:") return;
  if (url.protocol === "http:") {
    if (["127.0.0.1", "[::1]", "localhost"].includes(url.hostname)) return;
    throw badInput(field, `"${uri}" must use https: plain http is for loopback addresses only.`);
  }
  const scheme = url.protocol.slice(0, -1);
  if (!scheme.includes(".") && !nativeSchemes.includes(scheme)) {
    const others = nativeSchemes.length === 0 ? "" : ` (or one of ${nativeSchemes.join(", ")})`;
    throw badInput(
      field,
      `"${uri}" must use https, http on a loopback address, or a scheme with a dot such as com.example.app${others}.`,
    );
  }
}

/**
 * The URIs that can be registered, of those that a client asks for: it may list some for other servers (RFC 7591
 * section 2 lets a server replace what was asked for).
 *
 * @throws AppError BAD_USER_INPUT for the first one where none can be registered
 */
export function usableRedirectUris(field: string, uris: readonly string[], nativeSchemes: readonly string[]): string[] {
  let first: AppError | null = null;
  const usable = uris.filter((uri) => {
    try {
      assertRedirectUri(field, uri, nativeSchemes);
      return true;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      first ??= error;
      return false;
    }
  });
  if (usable.length === 0 && first !== null) throw first;
  return usable;
}

/**
 * The server calls this URI. Where its name leads is judged when it is called.
 *
 * @throws AppError BAD_USER_INPUT
 */
export function assertCalledUri(field: string, uri: string): void {
  assertRedirectUri(field, uri);
  if (!/^https?:/.test(uri)) throw badInput(field, `"${uri}" must use https.`);
}
