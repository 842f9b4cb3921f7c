import type { Row } from "./compare-texts.ts";
import { PieceText } from "./piece-text.tsx";

export type Layout = "side" | "inline";

interface CompareRowProps {
  readonly row: Row;
  readonly layout: Layout;
  /** Whether a run of changed rows begins here. */
  readonly isStart: boolean;
}

const SPOKEN = { same: "", changed: "Changed: ", gone: "Removed: ", new: "Added: " } as const;

/** One line of a comparison: once, or in both columns. */
export function CompareRow({ row: { kind, pieces, beforeLine, afterLine }, layout, isStart }: CompareRowProps) {
  const start = isStart ? { "data-change": "", tabIndex: -1 } : {};
  const spoken = kind !== "same" && <span class="visually-hidden">{SPOKEN[kind]}</span>;
  if (layout === "inline")
    return (
      <div class={`compare-row ${kind}`} {...start}>
        <span class="compare-number" aria-hidden="true">
          {afterLine ?? beforeLine}
        </span>
        <span class="compare-text">
          {spoken}
          <PieceText pieces={pieces} />
        </span>
      </div>
    );
  return (
    <div class={`compare-row ${kind}`} {...start}>
      <span class="compare-number" aria-hidden="true">
        {beforeLine}
      </span>
      <span class="compare-text">
        {spoken}
        <PieceText pieces={pieces.filter((piece) => piece.kind !== "new")} />
      </span>
      <span class="compare-number" aria-hidden="true">
        {afterLine}
      </span>
      <span class="compare-text">
        <PieceText pieces={pieces.filter((piece) => piece.kind !== "gone")} />
      </span>
    </div>
  );
}
