import type { Piece } from "./compare-texts.ts";

/** Text of which new parts are underlined and gone parts struck out: not told by colour alone. */
export function PieceText({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <>
      {pieces.map(({ kind, text }, index) => {
        const shown = visible(text);
        // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a line have no other name, and never move
        if (kind === "gone") return <del key={`${index} ${text}`}>{shown}</del>;
        if (kind === "new") return <ins key={`${index} ${text}`}>{shown}</ins>;
        // biome-ignore-end lint/suspicious/noArrayIndexKey: see above
        return shown;
      })}
    </>
  );
}

/** Carriage returns are part of a text, and would not be seen. */
function visible(text: string): string {
  return text.replaceAll("\r", "␍");
}
