import { createHmac } from "node:crypto";

/** The three headers of Standard Webhooks 1.0.0. */
export interface SignedHeaders extends Readonly<Record<string, string>> {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * @param secrets of the form `whsec_` and base64; each gives a signature, so that the receiver may know either
 * @param at Unix time in milliseconds of this attempt
 */
export function signedHeaders(
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: number },
  secrets: readonly string[],
): SignedHeaders {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
