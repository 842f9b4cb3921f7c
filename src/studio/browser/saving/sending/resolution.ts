import type { Texts } from "../../ports.ts";
import type { Resolution } from "../device/local-draft.ts";
import { isSame } from "../device/texts.ts";
import type { Snapshot } from "./server.ts";

/**
 * Steps after which the history of the post has every text that lost a conflict, or null where it has them all. A
 * text of the post itself is in its history already.
 *
 * @param before steps of an earlier conflict that are not done yet
 */
export function resolutionOf(
  { mine, chosen, asideKey }: { readonly mine: Texts; readonly chosen: Texts; readonly asideKey: string | null },
  { copy }: Snapshot,
  theirsIn: "copy" | "post",
  before: Resolution | null,
): Resolution | null {
  const hasLost = !isSame(mine, chosen);
  const isMineTheCopy = copy !== null && isSame(copy.texts, mine);
  const setAside = copy !== null && (theirsIn === "copy" || (hasLost && isMineTheCopy));
  const losers = hasLost && !isMineTheCopy ? [mine] : [];
  const resolution = {
    setAside: setAside || before?.setAside === true,
    losers: [...(before?.losers ?? []), ...losers],
    asideKeys: [...(before?.asideKeys ?? []), ...(asideKey === null ? [] : [asideKey])],
  };
  return resolution.setAside || resolution.losers.length > 0 ? resolution : null;
}
