/** Characters of the longest answer that is read at all. A form holds 56 KB. */
const MOST_CHARACTERS = 65_536;
/** Bytes of the longest credential id (L3, section 4). */
export const MOST_ID_BYTES = 1_023;
/** Bytes of the longest user handle (L3, section 5.4.3). */
const MOST_USER_HANDLE_BYTES = 64;
/** Bytes of the longest client data. Browsers write about 300. */
const MOST_CLIENT_DATA_BYTES = 4_096;

/** The outer form of an answer: its two ids are the same, and nothing in it is proved. */
export interface AnswerText {
  /** base64url of 1 to 1,023 bytes. */
  readonly id: string;
  /** base64url of 1 to 64 bytes; null where the authenticator names no person. */
  readonly userHandle: string | null;
  readonly response: Readonly<Record<string, unknown>>;
}

/** @returns null for text that is not the JSON of a `PublicKeyCredential` */
export function readAnswerText(text: string): AnswerText | null {
  if (text.length > MOST_CHARACTERS) return null;
  const answer = parseObject(text);
  const response = answer?.response;
  if (!answer || !isObject(response)) return null;
  const { id, rawId, type } = answer;
  const userHandle = response.userHandle ?? null;
  if (type !== "public-key" || id !== rawId || !isBase64url(id, MOST_ID_BYTES)) return null;
  if (userHandle !== null && !isBase64url(userHandle, MOST_USER_HANDLE_BYTES)) return null;
  return { id, userHandle, response };
}

/**
 * Whether a browser wrote this client data (L3, section 5.8.1) for the ceremony, the challenge and the origin, in a page that stands in
 * no frame of another origin.
 */
export function isClientData(
  clientDataJSON: unknown,
  expected: { readonly type: "webauthn.create" | "webauthn.get"; readonly challenge: string; readonly origin: string },
): clientDataJSON is string {
  if (!isBase64url(clientDataJSON, MOST_CLIENT_DATA_BYTES)) return false;
  const data = parseObject(Buffer.from(clientDataJSON, "base64url").toString());
  return (
    data?.type === expected.type &&
    data.challenge === expected.challenge &&
    data.origin === expected.origin &&
    (data.crossOrigin === undefined || data.crossOrigin === false) &&
    data.topOrigin === undefined
  );
}

/** Whether a value is the only base64url spelling of 1 to `most` bytes. */
export function isBase64url(value: unknown, most: number): value is string {
  if (typeof value !== "string" || value === "" || value.length > Math.ceil((most * 4) / 3)) return false;
  return Buffer.from(value, "base64url").toString("base64url") === value;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
