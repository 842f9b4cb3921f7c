import { TokenRefusal } from "../../src/resource-server/token-refusal.ts";
import type { Live, Verify } from "../../src/resource-server/verify.ts";

/** For tests that ask whether a token is live, and not why it is refused. As synchronous as `verify` is. */
export function liveOrNull(verify: Verify): (token: string) => Live | null | Promise<Live | null> {
  const liveOf = (found: Live | TokenRefusal) => (found instanceof TokenRefusal ? null : found);
  return (token) => {
    const found = verify(token);
    return found instanceof Promise ? found.then(liveOf) : liveOf(found);
  };
}
