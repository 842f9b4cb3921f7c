import type { KindName } from "../facts/kinds.ts";
import type { Places } from "../facts/places.ts";

/** Facts about a client that code about it needs. */
export interface SnippetClient {
  readonly kind: KindName;
  readonly id: string;
  readonly hasSecret: boolean;
  /** The first that is registered; null where there is none. */
  readonly redirectUri: string | null;
  readonly scopes: readonly string[];
}

/** Code in one file. */
export interface Snippet {
  /** Such as `openid-client`. */
  readonly name: string;
  readonly file: string;
  /** Commands that install what it needs and run it; null where a framework does. */
  readonly commands: string | null;
  /** Something to know first. */
  readonly note: string | null;
  readonly text: string;
}

export interface Writing {
  readonly client: SnippetClient;
  readonly places: Places;
  /** Space-separated. */
  readonly scope: string;
}

/** A literal of JavaScript, Python and JSON. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A word of the shell. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function isLoopback(uri: string): boolean {
  return /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?:[:/?]|$)/.test(uri);
}

/** Whether the program itself can answer at the URI, as a small server. */
export function isServed(uri: string): boolean {
  return /^https?:/.test(uri);
}

/** The port where a program answers to the URI. */
export function portOf(uri: string): number {
  const { port } = new URL(uri);
  return isLoopback(uri) && port !== "" ? Number(port) : 3000;
}

/** The URI with the port where the program answers: a loopback address may have any (RFC 8252 section 7.3). */
export function withPort(uri: string): string {
  return /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?:[/?]|$)/.test(uri)
    ? uri.replace(/^(http:\/\/[^/?]+)/, `$1:${portOf(uri)}`)
    : uri;
}

export function pathOf(uri: string): string {
  return new URL(uri).pathname || "/";
}

/** Lines without those that are null. */
export function lines(...all: readonly (string | null)[]): string {
  return `${all.filter((line) => line !== null).join("\n")}\n`;
}
