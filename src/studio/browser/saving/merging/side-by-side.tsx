import { useEffect, useRef, useState } from "preact/hooks";
import { styleNonce } from "../../frame/document/nonce.ts";
import { loadPart } from "../../frame/document/parts.ts";

interface SideBySideProps {
  readonly mine: string;
  readonly theirs: string;
  readonly by: string;
}

/** Both texts in whole. The view is loaded when it is asked for; until then, and if it does not come, both stand as they are. */
export function SideBySide({ mine, theirs, by }: SideBySideProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let end: (() => void) | null = null;
    let isOver = false;
    loadPart("saving/merging/merge-view", () => import("./merge-view.ts"))
      .then(({ showMerge }) => {
        if (isOver || place.current === null) return;
        end = showMerge(place.current, { mine, theirs, by }, styleNonce());
        setThere(true);
      })
      .catch(() => undefined);
    return () => {
      isOver = true;
      end?.();
    };
  }, [mine, theirs, by]);
  return (
    <div class="side-by-side">
      <div ref={place} />
      {!isThere && (
        <div class="passage-texts">
          <div class="passage-text">
            <h3>Mine</h3>
            <pre dir="auto">{mine}</pre>
          </div>
          <div class="passage-text">
            <h3>{by}</h3>
            <pre dir="auto">{theirs}</pre>
          </div>
        </div>
      )}
    </div>
  );
}
