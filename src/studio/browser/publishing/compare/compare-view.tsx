import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Texts } from "../../ports.ts";
import { CompareRow, type Layout } from "./compare-row.tsx";
import { compareLines, compareTexts, type Piece, type Section, sectionsOf } from "./compare-texts.ts";
import { PieceText } from "./piece-text.tsx";
import "./compare.css";

interface CompareViewProps {
  readonly before: Texts;
  readonly after: Texts;
  readonly beforeName: string;
  readonly afterName: string;
}

/** Rows that are drawn at first: more than anybody reads, and few enough to be drawn in an instant. */
const PAGE = 2_000;
const WIDE = "(min-width: 1100px)";

/** Two texts side by side or in one, with the changed words marked. */
export function CompareView({ before, after, beforeName, afterName }: CompareViewProps) {
  const [layout, setLayout] = useState<Layout>(() => (matchMedia(WIDE).matches ? "side" : "inline"));
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(PAGE);
  const [position, setPosition] = useState(-1);
  const root = useRef<HTMLDivElement>(null);
  const sections = useMemo(() => sectionsOf(compareTexts(before.body, after.body)), [before.body, after.body]);
  const fields = useMemo(() => fieldChanges(before, after), [before, after]);
  const changes = () => [...(root.current?.querySelectorAll<HTMLElement>("[data-change]") ?? [])];

  function step(direction: 1 | -1): void {
    const all = changes();
    const next = Math.min(Math.max(position + direction, 0), all.length - 1);
    setPosition(next);
    all[next]?.scrollIntoView({ block: "center" });
    all[next]?.focus({ preventScroll: true });
  }

  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      step(event.key === "ArrowDown" ? 1 : -1);
    }
    // Before a dialog around it keeps the key to itself.
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  });

  const count = fields.length + countChanges(sections, most);
  let drawn = 0;
  return (
    <div class={`compare ${layout}`} ref={root}>
      <div class="compare-bar">
        <p role="status">{count === 0 ? "No difference" : countWords(position, count)}</p>
        <button
          type="button"
          disabled={count === 0}
          aria-keyshortcuts="Alt+ArrowUp"
          title="Alt+↑"
          onClick={() => step(-1)}
        >
          Previous
        </button>
        <button
          type="button"
          disabled={count === 0}
          aria-keyshortcuts="Alt+ArrowDown"
          title="Alt+↓"
          onClick={() => step(1)}
        >
          Next
        </button>
        <fieldset class="compare-layout">
          <legend class="visually-hidden">Layout</legend>
          {(["side", "inline"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="compare-layout" checked={layout === one} onChange={() => setLayout(one)} />
              <span>{one === "side" ? "Side by side" : "Inline"}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div class="compare-names" aria-hidden="true">
        <span>{beforeName}</span>
        <span>{afterName}</span>
      </div>
      {fields.map(({ name, pieces }) => (
        <div key={name} class="compare-field" data-change tabIndex={-1}>
          <h3>{name}</h3>
          <p>
            <PieceText pieces={pieces} />
          </p>
        </div>
      ))}
      {sections.map((section, index) => {
        if (drawn >= most) return null;
        if (section.kind === "folded" && !unfolded.has(index))
          return (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name, and never move
              key={index}
              type="button"
              class="compare-fold"
              onClick={() => setUnfolded(new Set([...unfolded, index]))}
            >
              Show {section.rows.length.toLocaleString()} unchanged lines
            </button>
          );
        const rows = section.rows.slice(0, most - drawn);
        drawn += rows.length;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name, and never move
          <div key={index} class="compare-section">
            {rows.map((row, line) => (
              <CompareRow
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name, and never move
                key={line}
                row={row}
                layout={layout}
                isStart={row.kind !== "same" && (rows[line - 1]?.kind ?? "same") === "same"}
              />
            ))}
          </div>
        );
      })}
      {drawn >= most && (
        <button type="button" class="compare-fold" onClick={() => setMost(most + PAGE)}>
          Show more lines
        </button>
      )}
    </div>
  );
}

/** Title, address and excerpt, where they differ. */
function fieldChanges(
  before: Texts,
  after: Texts,
): readonly { readonly name: string; readonly pieces: readonly Piece[] }[] {
  const fields = [
    { name: "Title", from: before.title, to: after.title },
    { name: "Address", from: before.slug ?? "", to: after.slug ?? before.slug ?? "" },
    { name: "Excerpt", from: before.excerpt ?? "", to: after.excerpt ?? before.excerpt ?? "" },
  ];
  return fields
    .filter(({ from, to }) => from !== to)
    .map(({ name, from, to }) => ({ name, pieces: compareLines(from, to) }));
}

/** Runs of changed rows among those that are drawn. */
function countChanges(sections: readonly Section[], most: number): number {
  let [count, drawn] = [0, 0];
  for (const { kind, rows } of sections) {
    if (kind === "folded") continue;
    for (const [index, row] of rows.entries())
      if (drawn++ < most && row.kind !== "same" && (rows[index - 1]?.kind ?? "same") === "same") count++;
  }
  return count;
}

function countWords(position: number, count: number): string {
  if (position >= 0) return `Change ${position + 1} of ${count}`;
  return count === 1 ? "1 change" : `${count.toLocaleString()} changes`;
}
