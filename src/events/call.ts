import type { Webhook } from "../domain/events/webhook.ts";
import type { DeliveryAttempt, SentHeader } from "../domain/events/webhook-delivery.ts";
import type { Id } from "../domain/id.ts";
import { explain, failureWords, statusWords } from "./failure-words.ts";
import { signedHeaders } from "./signature.ts";

/** Bytes of an answer that are kept as text. */
const ANSWER_BYTES = 1_024;

/** Calls an address that an administrator has chosen: not into our own network (A37), and no redirect is followed. */
type Send = (
  url: string,
  request: {
    readonly method: "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeout: number;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface CallOptions {
  readonly send: Send;
  /** @returns null for what was sealed under another secret */
  readonly openSecret: (sealed: string, webhookId: Id) => string | null;
  /** Milliseconds for the whole of the call. */
  readonly timeout: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export interface Call extends DeliveryAttempt {
  /** As `error`, in the words that lists have. */
  readonly shortError: string | null;
}

/** Sends a signed body once. Only what the receiver answers with 2xx in time has no error. @returns null when it was cancelled */
export async function call(
  webhook: Webhook,
  { id, body }: { readonly id: string; readonly body: string },
  signal: AbortSignal,
  options: CallOptions,
): Promise<Call | null> {
  const { send, timeout, now } = options;
  const startedAt = now();
  const started = performance.now();
  let sent: Readonly<Record<string, string>> | null = null;
  let status: number | null = null;
  let answer: string | null = null;
  let shortError: string | null = null;
  try {
    const headers = {
      ...{ "content-type": "application/json", "user-agent": "content-api" },
      ...signedHeaders({ id, body, at: startedAt }, secretsOf(webhook, options)),
    };
    sent = headers;
    const response = await send(webhook.url, { method: "POST", headers, body, timeout, signal });
    status = response.status;
    answer = beginningOf(await response.arrayBuffer());
    shortError = statusWords(status);
  } catch (thrown) {
    if (signal.aborted) return null;
    shortError = failureWords(thrown);
  }
  return {
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(performance.now() - started),
    status,
    answer,
    error: explain(status, shortError),
    shortError,
    headers: sent === null ? null : headersOf(sent),
  };
}

/** The secrets to sign with; a previous one that does not open is past use. @throws Error where the present one does not open */
function secretsOf(
  { id, secret, previousSecret, previousUntil }: Webhook,
  { openSecret, now }: Pick<CallOptions, "openSecret" | "now">,
): string[] {
  const isBoth = previousSecret !== null && previousUntil !== null && Date.parse(previousUntil) > now();
  const present = openSecret(secret, id);
  if (present === null) throw new Error("its secret was encrypted under another SECRET_KEY: rotate it");
  const previous = isBoth ? openSecret(previousSecret, id) : null;
  return previous === null ? [present] : [present, previous];
}

function headersOf(sent: Readonly<Record<string, string>>): SentHeader[] {
  return Object.entries(sent).map(([name, value]) => ({ name, value }));
}

/** The first bytes as text: UTF-8 without a character that is cut, and without control characters that no page shows. */
function beginningOf(bytes: ArrayBuffer): string {
  const isCut = bytes.byteLength > ANSWER_BYTES;
  const text = new TextDecoder().decode(bytes.slice(0, ANSWER_BYTES), { stream: isCut });
  return text.replaceAll(/[^\P{Cc}\t\n\r]/gu, "\uFFFD");
}
