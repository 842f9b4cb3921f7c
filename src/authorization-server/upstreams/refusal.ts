/** People learn nothing else about an answer that counts for nothing (U62). */
const REFUSED = "This sign-in could not be completed. Try again.";

/** An answer of an upstream, or of somebody who pretends to come from it, that counts for nothing. The reason is for the log. */
export class UpstreamRefusal extends Error {
  override readonly name = "UpstreamRefusal";
  readonly reason: string;

  constructor(reason: string, message = REFUSED) {
    super(message);
    this.reason = reason;
  }
}

/** A step-up at an upstream that did not ask its person again, or does not say so, as Google. A new sign-in here is as good. */
export function unconfirmed({ name }: { readonly name: string }, reason: string): UpstreamRefusal {
  return new UpstreamRefusal(reason, `${name} cannot confirm that it is you. Sign out here, and then sign in again.`);
}

/** An upstream that does not answer, or not as it should (U67). The reason is for the log. */
export class UpstreamDown extends Error {
  override readonly name = "UpstreamDown";
  readonly reason: string;

  /** @param upstream the name that people know */
  constructor(upstream: string, reason: string) {
    super(`${upstream} does not answer. Try again, or sign in another way.`);
    this.reason = reason;
  }
}

/** Turns an error of a library into one of the two. It keeps nothing that the upstream sent but the code of its error. */
export function judged(error: unknown): UpstreamRefusal | UpstreamDown {
  const chain = [...causesOf(error)];
  const own = chain.find((one) => one instanceof UpstreamDown || one instanceof UpstreamRefusal);
  if (own !== undefined) return own;
  const words = chain.flatMap((one) => {
    if (!(one instanceof Error)) return wordOf((one as { claim?: unknown } | null)?.claim);
    return [one.message, ...wordOf((one as { error?: unknown }).error), ...wordOf((one as { claim?: unknown }).claim)];
  });
  return new UpstreamRefusal([...new Set(words)].join(": ").slice(0, 300));
}

/** Causes of failures are nested a few deep, and none of them is endless. */
function* causesOf(error: unknown): Generator<unknown> {
  for (let [one, left] = [error, 6]; one !== undefined && one !== null && left > 0; left--) {
    yield one;
    one = (one as { cause?: unknown }).cause;
  }
}

/** An error code or the name of a claim: nothing longer, and nothing that a person wrote. */
function wordOf(value: unknown): string[] {
  return typeof value === "string" && /^[\w-]{1,40}$/.test(value) ? [value] : [];
}
