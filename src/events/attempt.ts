import type { Webhook } from "../domain/events/webhook.ts";
import { type DeliveryOutcome, nextAttempt, type WebhookDelivery } from "../domain/events/webhook-delivery.ts";
import type { Id } from "../domain/id.ts";
import { signedHeaders } from "./signature.ts";

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

export interface AttemptOptions {
  readonly send: Send;
  /** @returns null for what was sealed under another secret */
  readonly openSecret: (sealed: string, webhookId: Id) => string | null;
  /** Milliseconds for the whole of the call. */
  readonly timeout: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** The outcome to record; `isGone` if the receiver answered 410. null: the call was cancelled. */
export type Attempt = { readonly outcome: DeliveryOutcome; readonly isGone: boolean } | null;

/** Characters of a reason that are kept. */
const MOST_CHARACTERS = 200;

/** Sends one delivery once. Only what the receiver answers with 2xx in time is delivered. */
export async function attempt(
  webhook: Webhook,
  { eventId, payload, failures }: WebhookDelivery,
  signal: AbortSignal,
  options: AttemptOptions,
): Promise<Attempt> {
  const { send, timeout, now, random } = options;
  let status: number | null = null;
  let error: string | null = null;
  try {
    const headers = signedHeaders({ id: eventId, body: payload, at: now() }, secretsOf(webhook, options));
    const response = await send(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "content-api", ...headers },
      body: payload,
      timeout,
      signal,
    });
    status = response.status;
    if (status < 200 || status > 299) error = `the receiver answered ${status}`;
  } catch (thrown) {
    if (signal.aborted) return null;
    error = reasonOf(thrown);
  }
  const at = now();
  const attemptAt = new Date(at).toISOString();
  if (error === null) {
    const outcome = { state: "DELIVERED", dueAt: null, failures, attemptAt, status, error } as const;
    return { outcome, isGone: false };
  }
  const isGone = status === 410;
  const next = isGone ? null : nextAttempt(failures + 1, at, random());
  const outcome: DeliveryOutcome = {
    state: next === null ? "FAILED" : "PENDING",
    dueAt: next === null ? null : new Date(next).toISOString(),
    failures: failures + 1,
    attemptAt,
    status,
    error,
  };
  return { outcome, isGone };
}

/** The secrets to sign with; a previous one that does not open is past use. @throws Error where the present one does not open */
function secretsOf(
  { id, secret, previousSecret, previousUntil }: Webhook,
  { openSecret, now }: AttemptOptions,
): string[] {
  const isBoth = previousSecret !== null && previousUntil !== null && Date.parse(previousUntil) > now();
  const present = openSecret(secret, id);
  if (present === null) throw new Error("its secret was encrypted under another SECRET_KEY: rotate it");
  const previous = isBoth ? openSecret(previousSecret, id) : null;
  return previous === null ? [present] : [present, previous];
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "the call failed";
  return (thrown.message || ((thrown as NodeJS.ErrnoException).code ?? thrown.name)).slice(0, MOST_CHARACTERS);
}
